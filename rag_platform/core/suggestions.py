"""What somebody who mistyped a name may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known name, and nothing when none is near.

    >>> did_you_mean("serch", ["search", "serve"])
    "; did you mean 'search'?"
    """
    nearest = get_close_matches(given, list(known), n=1)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
