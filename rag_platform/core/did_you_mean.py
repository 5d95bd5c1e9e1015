"""What somebody may have meant who mistyped a name."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return "did you mean 'x'?" for the nearest of the known names, "" where none is near."""
    names = {name.lower(): name for name in known}
    near = get_close_matches(given.lower(), names, n=1, cutoff=0.7)
    return f"did you mean {names[near[0]]!r}?" if near else ""
