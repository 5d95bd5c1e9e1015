"""The passages of an answer, as a list beside it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.hits import Hit, page_name
from rag_platform.journal.receipts import Receipt
from rag_platform.terminal.printable import one_line

CLOSEST = 5
"""Passages that are shown when nothing is cited."""
_HEADING = re.compile(r"^ {0,3}#{1,6} ", re.MULTILINE)
_QUOTED = 160
"""Characters of a passage that the list shows."""


@dataclass(frozen=True, slots=True)
class Source:
    """A passage of a stored document."""

    title: str
    quote: str
    doc_id: str
    span: tuple[int, int]
    revision: str | None
    """Of the document when it was read; None: not recorded."""
    n: int | None = None
    """Its citation number ``[n]`` in the answer; None: it is not cited."""
    page: str = ""
    """What its page is called; "" for none."""
    published_at: datetime | None = None

    def entry(self) -> Content:
        """Return its entry in the list."""
        number = f"[{self.n}] " if self.n else "· "
        facts = [f"page {self.page}"] if self.page else []
        facts += [f"{self.published_at:%Y-%m-%d}"] if self.published_at else []
        quote = one_line(_HEADING.sub("", self.quote))
        quote = quote if len(quote) <= _QUOTED else f"{quote[:_QUOTED].rstrip()} …"
        entry = Content.assemble((number, "$accent"), (one_line(self.title), "bold"), "\n", (quote, "italic"))
        return Content.assemble(entry, "\n", (" · ".join(facts), "dim")) if facts else entry


def sources_of_hits(hits: Sequence[Hit]) -> list[Source]:
    """Return the hits of a search, before any is cited."""
    return [
        Source(
            hit.title or hit.uri,
            hit.snippet,
            hit.doc_id,
            hit.span,
            hit.revision,
            None,
            hit.snippet_page,
            hit.published_at,
        )
        for hit in hits
    ]


def sources_of_answer(answer: Answer) -> list[Source]:
    """Return the citations of an answer, or the closest passages when it has none."""
    cited = _cited(answer.citations, {hit.doc_id: hit.revision for hit in answer.hits})
    return list(cited) or sources_of_hits(answer.hits[:CLOSEST])


def sources_of_receipt(receipt: Receipt) -> list[Source]:
    """Return the citations of a recorded answer, or the closest passages when it has none."""
    cited = _cited(receipt.citations, receipt.revisions)
    return list(cited) or [_source_of_record(hit) for hit in receipt.hits[:CLOSEST]]


def _source_of_record(hit: dict[str, Any]) -> Source:
    quote = hit.get("section") or ""
    start, end = hit["span"]
    return Source(hit["title"] or hit["uri"], quote, hit["doc_id"], (start, end), hit["revision"])


def _cited(citations: Sequence[Citation], revisions: dict[str, str]) -> Iterator[Source]:
    for citation in citations:
        yield Source(
            citation.title or citation.uri,
            citation.quote,
            citation.doc_id,
            citation.span,
            revisions.get(citation.doc_id),
            citation.n,
            page_name(citation.page, citation.page_label),
            citation.published_at,
        )


class SourceList(OptionList):
    """The sources of the selected answer; Enter opens one at its passage."""

    BORDER_TITLE = "Sources"

    def __init__(self) -> None:
        super().__init__(id="sources", markup=False)
        self.sources: list[Source] = []

    def show(self, sources: list[Source], title: str = "Sources") -> None:
        """Replace the sources that are shown."""
        self.sources = sources
        self.border_title = title
        self.clear_options()
        self.add_options(Option(source.entry()) for source in sources)

    def selected(self) -> Source | None:
        """Return the highlighted source."""
        return None if self.highlighted is None else self.sources[self.highlighted]
