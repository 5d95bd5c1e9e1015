"""What stands at the head and foot of every page of a document: kept once."""

from collections.abc import Iterable, Iterator, Sequence

_COMPARED = 1000
"""Different texts that are sought in the document: no document is read once for each of a million."""


def margins(found: Iterable[tuple[str, str]], blocks: Sequence[str]) -> Iterator[str]:
    """Yield each different text as a paragraph, unless it is a number alone or a part of the document says it.

    Args:
        found: ("Header" or "Footer", text).
        blocks: The document's own.
    """
    said = "\n".join(blocks)
    seen: set[str] = set()
    for kind, text in found:
        line = " ".join(text.split())
        if line in seen or not any(map(str.isalpha, line)):
            continue
        seen.add(line)
        if len(seen) > _COMPARED or line not in said:
            yield f"{kind}: {line}"
