"""Where sources disagree: what each side says, how many say it, and which is newer."""

from collections.abc import Iterable, Mapping
from html import escape

from app.rendering import highlighted, link, place
from app.texts import say, say_day
from rag_platform.core.answers import Citation, Disagreement, Side


def disagreements_html(disagreements: Iterable[Disagreement], revisions: Mapping[str, str]) -> str:
    """Render both sides of each disagreement, each quote a link to its passage."""
    return "".join(_html(one, revisions) for one in disagreements)


def _html(one: Disagreement, revisions: Mapping[str, str]) -> str:
    sides: tuple[tuple[Side, Citation], ...] = (("said", one.said), ("against", one.against))
    rows = "".join(
        f"<li>{escape(side_text(one, side))} <q>{highlighted(quote)}</q> {_link(quote, revisions)}</li>"
        for side, quote in sides
    )
    return f'<div class="notes disagree"><p>{say("ask-disagree")}</p><ul>{rows}</ul></div>'


def side_text(one: Disagreement, side: Side) -> str:
    """Return how many sources say the one or the other, and whether the newest of all is among them."""
    count = one.said_by if side == "said" else one.against_by
    of = one.said_by + one.against_by
    if one.newest == side and one.newest_at:
        return say("ask-side-newest", count=count, of=of, date=say_day(one.newest_at))
    return say("ask-side", count=count, of=of)


def _link(citation: Citation, revisions: Mapping[str, str]) -> str:
    address = link(place(citation.doc_id, citation.span, revisions.get(citation.doc_id)))
    title = escape(citation.title or citation.uri)
    return f'<a href="{escape(address, quote=True)}" target="_self">{title}</a>'
