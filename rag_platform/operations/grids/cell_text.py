"""An answer in the room of a cell: the value alone where it is sure, and the sentences without their marks."""

import re
from dataclasses import dataclass

from rag_platform.answering.citations.marks import strip_markers
from rag_platform.core.answers import Citation, Verdict
from rag_platform.journal.receipts import Receipt

_SIGNS = re.compile(r"^(?: {0,3}> ?)+|^ {0,3}#{1,6} |\*\*|^- ", re.MULTILINE)
"""Of quotes, headings, bold type and items."""


@dataclass(frozen=True, slots=True)
class CellText:
    """An answer as text."""

    verdict: Verdict
    """Of a question for yes or no, where a quote tells it for sure."""
    value: str
    """A date, a number or a name, where a quote holds it for sure; else empty."""
    text: str
    """All of it in one line, without marks; empty: the document has no answer."""
    citations: tuple[Citation, ...]

    @property
    def short(self) -> str:
        """The shortest form."""
        return self.verdict or self.value or self.text


def cell_text(receipt: Receipt) -> CellText:
    """Return an answer as text."""
    if receipt.abstained:
        return CellText("", "", "", ())
    text = " ".join(_SIGNS.sub("", strip_markers(receipt.answer)[0]).split())
    return CellText(receipt.verdict, _value(receipt.citations), text, receipt.citations)


def _value(citations: tuple[Citation, ...]) -> str:
    first = next(iter(citations), None)
    if first is None or first.highlight is None:
        return ""
    start, end = (at - first.span[0] for at in first.highlight)
    return " ".join(first.quote[start:end].split())
