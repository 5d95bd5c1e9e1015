"""The sources of an answer as cards: all of them one piece of HTML, each a link to its passage."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from app.chat.checked import denying_numbers
from app.illustrating.formulas import with_formulas
from app.rendering import day_and_age, excerpt, link, place
from app.texts import say
from rag_platform.answering.quotes.quoted_answer import plain_line
from rag_platform.answering.suggestions.heading_words import last_heading
from rag_platform.core.answers import Citation
from rag_platform.core.hits import page_name
from rag_platform.journal.receipts import Receipt


def sources_html(receipt: Receipt, now: datetime | None = None, passages: Mapping[str, str] | None = None) -> str:
    """Render what an answer cites; of one that cites nothing, the passages that came closest.

    Args:
        receipt: of the answer.
        now: the moment from which age is counted; None: this one.
        passages: texts of hits, by chunk; what is not here is named without its text.
    """
    now = now or datetime.now(UTC)
    hits = {hit["chunk_id"]: hit for hit in receipt.hits}
    if receipt.citations:
        told = not is_quotes(receipt.answer)
        denying = denying_numbers(receipt.claims)
        cards: dict[str, list[str]] = {}
        for one in receipt.citations:
            card = _cited(one, hits.get(one.chunk_id, {}), now, told=told, denies=one.n in denying)
            cards.setdefault(one.doc_id, []).append(card)
        return _column(say("ask-sources"), (_folded(of_document) for of_document in cards.values()))
    if not receipt.hits:
        return ""
    heading = say("ask-closest") if receipt.abstained else say("ask-stopped-sources")
    return _column(heading, [_near(hit, passages or {}) for hit in _one_of_each(receipt.hits, CLOSEST)])


CLOSEST = 3
"""Documents that are shown beside an abstention."""
_READ = 1000
"""Characters of a passage that are shown of it at most; the page cuts them to a few lines."""


def _column(heading: str, cards: Iterable[str]) -> str:
    words = {"label": say("ask-beside"), "close": say("ask-beside-close"), "open": say("ask-beside-open")}
    told = "".join(f' data-{name}="{escape(word, quote=True)}"' for name, word in words.items())  # for scripts/ask.js
    return f'<div class="cards"{told}><h3>{escape(heading)}</h3>{"".join(cards)}</div>'


def _folded(cards: Sequence[str]) -> str:
    """Show the first card of a document, the others below it on demand."""
    first, *others = cards
    if not others:
        return first
    more = escape(say("ask-more-passages", count=len(others)))
    return f"{first}<details><summary>{more}</summary>{''.join(others)}</details>"


def is_quotes(text: str) -> bool:
    """Return whether an answer consists of quotes, which a card then need not repeat."""
    return all(line.startswith(">") for line in text.splitlines() if line.strip())


def _cited(citation: Citation, hit: Mapping[str, Any], now: datetime, *, told: bool, denies: bool) -> str:
    dated = citation.published_at
    facts = [
        say("ask-denies") if denies else None,
        hit.get("source"),
        day_and_age(dated, now) if dated else None,
        last_heading(hit.get("section") or ""),
        say("ask-export-page", page=page_name(citation.page, citation.page_label)) if citation.page else None,
        say("ask-origins", count=citation.origins) if citation.origins > 1 else None,
    ]
    title = citation.title or citation.uri
    quote = plain_line(excerpt(citation.quote)).replace("`", "")
    body = f"<blockquote><mark>{with_formulas(quote)}</mark></blockquote>" if told or denies else ""
    address = place_address(citation.doc_id, citation.span, hit.get("revision"))
    return _card(address, title, facts, body, citation.n)


def _near(hit: Mapping[str, Any], passages: Mapping[str, str]) -> str:
    facts = [hit["source"], last_heading(hit["section"] or "")]
    text = plain_line(excerpt(passages.get(hit["chunk_id"], "")[:_READ]))
    body = f"<blockquote>{with_formulas(text)}</blockquote>" if text else ""
    return _card(place_address(hit["doc_id"], hit["span"], hit["revision"]), hit["title"] or hit["uri"], facts, body)


def _card(address: str, title: str, facts: Iterable[str | None], body: str = "", n: int | None = None) -> str:
    number = f'<span class="cite" aria-hidden="true">{n}</span> ' if n else ""
    shown = escape(" · ".join(fact for fact in facts if fact))
    marked = f' data-n="{n}"' if n else ""
    return (
        f'<a class="card inner" href="{escape(address, quote=True)}" target="_self"{marked}>'
        f'<span class="name">{number}{escape(title)}</span><span class="facts">{shown}</span>{body}</a>'
    )


def place_address(doc_id: str, span: tuple[int, int], revision: str | None) -> str:
    """Return the address of a passage in the document view."""
    return link(place(doc_id, span, revision))


def _one_of_each(hits: Iterable[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    return list({hit["doc_id"]: hit for hit in reversed(list(hits))}.values())[::-1][:most]
