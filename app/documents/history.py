"""The texts that a document had, and what changed between any two of them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

import streamlit as st

from app import frame
from app.changes.differences import difference_html
from app.documents.address import Address
from app.figures import short
from app.rendering import age
from app.texts import say, say_html, say_moment
from rag_platform.index.releases.document_history import DocumentState, Revision, document_state, revisions
from rag_platform.text.text_diff import Block, hunk_lines, hunks

HUNKS = 40
"""Changed places that are shown at once."""


def show_history(found: DocumentState, address: Address) -> None:
    """Show the revisions, and the difference of the two that the address names, else of the newest two."""
    doc_id = found.document.doc_id
    known = revisions(frame.workspace().versions, doc_id, frame.person().principals)
    st.html(f'<ol class="revisions">{"".join(_item(known, place, address) for place in range(len(known)))}</ol>')
    if len(known) < 2:
        st.html(f'<div class="empty">{say_html("document-history-one")}</div>')
        return
    old, new = chosen(known, address)
    _choose(known, old, new)
    before, after = (
        document_state(frame.workspace().versions, doc_id, frame.person().principals, one.version) for one in (old, new)
    )
    if before and after:
        key = f"{doc_id}-{old.revision}-{new.revision}"
        _show_difference(before.document.text, after.document.text, key, address)


def chosen(known: Sequence[Revision], address: Address) -> tuple[Revision, Revision]:
    """Return the revisions that the address compares, the older one first; by default the newest and the one before."""
    by_version = {version: place for place, one in enumerate(known) for version in one.versions}
    new = by_version.get(address.new, 0)
    old = by_version.get(address.old, min(new + 1, len(known) - 1))
    if old == new:
        old, new = (new + 1, new) if new + 1 < len(known) else (new, new - 1)
    return known[max(old, new)], known[min(old, new)]


def _item(known: Sequence[Revision], place: int, address: Address) -> str:
    one = known[place]
    built = datetime.fromisoformat(one.built_at)
    facts = [say("document-history-built", date=say_moment(built), age=age(built, datetime.now(UTC)))]
    facts += [say("document-history-length", count=one.characters)]
    facts += [say("document-history-versions", count=len(one.versions), newest=short(one.version))]
    links = [
        address.link(say("document-history-read"), tab="text", version=one.version if place else "", rev="", at=None)
    ]
    if place + 1 < len(known):
        older = known[place + 1].version
        links.append(address.link(say("document-history-compare"), old=older, new=one.version, part=1))
    name = f'<span title="{escape(one.revision, quote=True)}">{escape(one.title)}</span>'
    current = f' <span class="state good">{escape(say("document-history-newest"))}</span>' if place == 0 else ""
    return (
        f'<li><div class="name">{name}{current}</div><div class="quiet">{escape(" · ".join(facts))}</div>'
        f'<div class="ways">{" ".join(links)}</div></li>'
    )


def _choose(known: Sequence[Revision], old: Revision, new: Revision) -> None:
    """Let any two be compared; the choice goes into the address."""
    names = {one.version: f"{short(one.version)} · {say_moment(datetime.fromisoformat(one.built_at))}" for one in known}
    if len(known) < 3:
        return
    with st.container(horizontal=True, key="compared"):
        for name, chosen_one in (("old", old), ("new", new)):
            key = f"{name}-{chosen_one.version}"

            def compare(name: str = name, key: str = key) -> None:
                st.query_params[name] = st.session_state[key]
                st.query_params.pop("part", None)

            st.selectbox(
                say(f"document-history-{name}"),
                list(names),
                list(names).index(chosen_one.version),
                format_func=names.__getitem__,
                key=key,
                on_change=compare,
            )


def _show_difference(before: str, after: str, key: str, address: Address) -> None:
    old, new = before.split("\n"), after.split("\n")
    found = differing(old, new, key)
    if not found:
        st.html(f'<div class="empty">{say_html("document-history-equal")}</div>')
        return
    part = min(address.part, -(-len(found) // HUNKS))
    shown = found[(part - 1) * HUNKS : part * HUNKS]
    gone = sum(b - a for group in found for a, b, _, _ in group)
    came = sum(d - c for group in found for _, _, c, d in group)
    st.html(f'<div class="quiet">{say_html("document-history-changed", places=len(found), gone=gone, came=came)}</div>')
    st.html("".join(f'<div class="diff">{difference_html(hunk_lines(old, new, group))}</div>' for group in shown))
    if len(found) > HUNKS:
        st.html(turning_html(address, part, -(-len(found) // HUNKS)))


@st.cache_data(max_entries=16, show_spinner=False)
def differing(_old: list[str], _new: list[str], key: str) -> list[list[Block]]:  # noqa: ARG001 (the cache's key)
    """Return the places that differ, found once for each pair of revisions."""
    return hunks(_old, _new)


def turning_html(address: Address, part: int, parts: int) -> str:
    """Render the way to the parts of a list before and after."""
    links = []
    if part > 1:
        links.append(address.link(say("document-list-before"), part=part - 1))
    links.append(f'<span class="quiet">{say_html("document-list-part", part=part, parts=parts)}</span>')
    if part < parts:
        links.append(address.link(say("document-list-after"), part=part + 1))
    return f'<div class="parts">{"".join(links)}</div>'
