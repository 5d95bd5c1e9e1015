"""What stands at the head and foot of every page of a document: kept once."""

from collections.abc import Iterable, Iterator, Sequence


def margins(found: Iterable[tuple[str, str]], blocks: Sequence[str]) -> Iterator[str]:
    """Yield each different text as a paragraph, unless it is a number alone or a part of the document says it.

    Args:
        found: ("Header" or "Footer", text).
        blocks: The document's own.
    """
    said = "\n".join(blocks)
    told: set[str] = set()
    for kind, text in found:
        line = " ".join(text.split())
        if any(map(str.isalpha, line)) and line not in told and line not in said:
            told.add(line)
            yield f"{kind}: {line}"
