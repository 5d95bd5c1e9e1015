"""An answer's Markdown -> HTML that is safe: its marks lead to their quotes, and its quotes name their sources."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape

from markdown_it.token import Token

from app.chat.checked import judged_text
from app.illustrating.markdown import answer_markdown_reader
from app.rendering import IMAGE, LINK, day_and_age, link, one_line, place
from app.texts import say, upright
from rag_platform.core.answers import Citation, JudgedClaim
from rag_platform.core.hits import page_name

_MARK = re.compile(r"([\ue000-\uf8ff]?)\[(\d{1,3}|[?!])\]")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Signs that stand for nothing in any text: here, before a mark, for the claim that it belongs to, by its place."""
_CLAIMS = 0xF8FF - 0xE000
_MARKDOWN = answer_markdown_reader()


def answer_html(
    text: str,
    citations: Sequence[Citation] = (),
    revisions: Mapping[str, str] | None = None,
    claims: Sequence[JudgedClaim] = (),
    now: datetime | None = None,
    instead: Mapping[int, str] | None = None,
) -> str:
    """Render an answer's Markdown; each mark leads to its quote in the document, and tells what its sentence is.

    It shows no more than `answering.harmless` lets through, and less: neither image nor link but these, and no HTML.

    Args:
        text: the answer, verified or still being written.
        citations: of its marks; a mark without one is only shown.
        revisions: of the documents, by doc_id, so that a link tells which text it is about.
        claims: its sentences, with the state of each.
        now: the moment from which the age of a quote is counted; None: this one.
        instead: what stands in place of quotes that are more than words, as HTML, by the numbers of their citations.
    """
    tokens = _MARKDOWN.parse(LINK.sub(r"\1", IMAGE.sub("", upright(_tied(text, claims)))))
    known = {citation.n: citation for citation in citations}
    sources = _Sources(known, claims, revisions or {}, now or datetime.now(UTC), instead or {})
    html: str = _MARKDOWN.renderer.render(list(_shown(tokens, sources)), _MARKDOWN.options, {})
    return _PRIVATE.sub("", html)  # before a mark in code, which is none


def _tied(text: str, claims: Sequence[JudgedClaim]) -> str:
    """Put before each mark the sign of the claim behind which it stands; a text has no such signs of its own."""
    clean = _PRIVATE.sub(" ", text)
    begin = [(claim.span[0], index) for index, claim in enumerate(claims[:_CLAIMS]) if claim.span]

    def tied(mark: re.Match[str]) -> str:
        index = max((one for one in begin if one[0] <= mark.start()), default=None)
        return mark[0] if index is None else chr(0xE000 + index[1]) + mark[0]

    return _MARK.sub(tied, clean)


@dataclass(frozen=True)
class _Sources:
    """What the marks of an answer stand for."""

    cited: Mapping[int, Citation]
    claims: Sequence[JudgedClaim]
    revisions: Mapping[str, str]
    now: datetime
    instead: Mapping[int, str]
    marked: dict[int, int] = field(default_factory=dict)
    """How often the short answer of a citation still comes before the place that is meant; -1: it was marked."""

    def address(self, citation: Citation) -> str:
        """Return where a quote is opened, for an attribute."""
        known = self.revisions.get(citation.doc_id)
        return escape(link(place(citation.doc_id, citation.span, known)), quote=True)


def _shown(tokens: Sequence[Token], sources: _Sources) -> Iterator[Token]:
    """Yield the tokens with marks as links; each quote names below it what it is from."""
    quoted: dict[int, None] = {}
    replaced = False
    for at, token in enumerate(tokens):
        if token.type == "blockquote_open" and token.level == 0:
            quoted = dict.fromkeys(_numbers(tokens[at:]))
            if replaced := bool(quoted) and all(n in sources.instead for n in quoted):
                yield from (_html(sources.instead[n]) for n in quoted)
        if replaced:
            replaced = not (token.type == "blockquote_close" and token.level == 0)
            continue
        if token.type == "inline":
            token.children = [
                part
                for child in _highlighted(token.children or (), quoted, sources)
                for part in _with_marks(child, sources)
            ]
        if token.type == "blockquote_close" and token.level == 0:
            yield from (_html(_from(sources.cited[n], sources)) for n in quoted if n in sources.cited)
            quoted = {}
        yield token


def _numbers(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield the marks of the quote that begins here."""
    for token in tokens:
        if token.type == "blockquote_close" and token.level == 0:
            return
        if token.type == "inline":
            yield from (int(mark[2]) for mark in _MARK.finditer(token.content) if mark[2].isdigit())


def _from(citation: Citation, sources: _Sources) -> str:
    facts = [
        day_and_age(citation.published_at, sources.now) if citation.published_at else "",
        say("ask-export-page", page=page_name(citation.page, citation.page_label)) if citation.page else "",
    ]
    title = f'<a href="{sources.address(citation)}" target="_self">{escape(citation.title or citation.uri)}</a>'
    return f'<div class="from">{" · ".join([title, *(escape(fact) for fact in facts if fact)])}</div>'


def _highlighted(children: Sequence[Token], quoted: Mapping[int, None], sources: _Sources) -> Iterator[Token]:
    """Yield a quote's text with its short answer marked, where it stands as in the document."""
    for child in children:
        parts = [child]
        for n in quoted:
            citation = sources.cited.get(n)
            if citation and citation.highlight and child.type == "text":
                parts = [part for one in parts for part in _split(one, citation, sources)]
        yield from parts


def _split(token: Token, citation: Citation, sources: _Sources) -> list[Token]:
    assert citation.highlight
    start, end = (at - citation.span[0] for at in citation.highlight)
    words = citation.quote[start:end]
    at, left = -1, sources.marked.get(citation.n, citation.quote[:start].count(words))
    while token.type == "text" and left >= 0 and (at := token.content.find(words, at + 1)) >= 0:
        left -= 1
    sources.marked[citation.n] = left
    if at < 0:
        return [token]
    before, after = token.content[:at], token.content[at + len(words) :]
    marked = _html(f"<mark>{escape(words)}</mark>", inline=True)
    return [Token("text", "", 0, content=before), marked, Token("text", "", 0, content=after)]


def _with_marks(token: Token, sources: _Sources) -> list[Token]:
    if token.type != "text" or not _MARK.search(token.content):
        return [token]
    parts, at = [], 0
    for mark in _MARK.finditer(token.content):
        parts.append(Token("text", "", 0, content=token.content[at : mark.start()].rstrip()))
        claim = sources.claims[ord(mark[1]) - 0xE000] if mark[1] else None
        parts.append(_html(_mark_html(mark[2], claim, sources), inline=True))
        at = mark.end()
    return [*parts, Token("text", "", 0, content=token.content[at:])]


def _mark_html(sign: str, claim: JudgedClaim | None, sources: _Sources) -> str:
    state = claim.state if claim else ""
    told = judged_text(claim) if claim else ""
    if not sign.isdigit():
        return f'<span class="cite {state or "unverified"}" title="{escape(told, quote=True)}">{sign}</span>'
    citation = sources.cited.get(int(sign))
    if citation is None:
        return f'<span class="cite">{sign}</span>'
    title = f"{citation.title}: {one_line(citation.quote)[:300]}" + (f" ({told})" if told else "")
    return (
        f'<a class="cite {state}" href="{sources.address(citation)}" target="_self" '
        f'title="{escape(title, quote=True)}" data-n="{sign}">{sign}</a>'
    )


def _html(html: str, *, inline: bool = False) -> Token:
    return Token("html_inline" if inline else "html_block", "", 0, content=html)
