"""Watches: what somebody wants to be told of, and what changed; one of them is in the address."""

from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app import frame
from app.changes.watch_buttons import may_watch
from app.navigation import set_title
from app.rendering import plain_html
from app.texts import say, say_html
from app.undo import is_leaving, settle, take_away, taken
from app.watching.showing import change_html, list_html, said_html
from rag_platform.core.errors import NotFound
from rag_platform.operations.watching.rights import address_of
from rag_platform.operations.watching.watch_changes import changes_of, last_said
from rag_platform.people.identity import Person
from rag_platform.people.watches import Watch, Watches

SHOWN = 20
"""Changes of one watch."""


def show_list(person: Person) -> None:
    """Show what somebody watches, and how many changes they have not seen."""
    workspace, now = frame.workspace(), datetime.now(UTC)
    own = workspace.watches.of(person.id)
    st.html(f'<h2 class="title">{say("watches-title")}</h2>')
    if not own:
        st.html(f'<div class="empty">{say("watches-none")}</div>')
        return
    st.html(list_html([one for one in own if not is_leaving(*_key(one))], workspace.watches.unseen(person.id), now))


def show_watch(watch: Watch, person: Person) -> None:
    """Show a watch: its answer as it is, its changes, and who is told."""
    workspace, now = frame.workspace(), datetime.now(UTC)
    set_title(watch.question)
    st.html(
        f'<p class="ways"><a class="inner" href="watches" target="_self">{say("watches-all")}</a></p>'
        f'<h2 class="title" dir="auto">{plain_html(watch.question)}</h2>'
    )
    if watch.problem:
        st.html(f'<div class="notes"><p>{say_html("watches-failed", why=watch.problem)}</p></div>')
    _ways(watch, person)
    changes = changes_of(workspace, watch, person.principals)[:SHOWN]
    now_said = last_said(workspace, watch, person.principals)
    if changes:
        st.html("".join(change_html(one, now) for one in changes))
    else:
        said = said_html(now_said) if now_said else ""
        st.html(f'<div class="quiet">{say("watches-unchanged")}</div>{said}')
    workspace.watches.see(watch.id, person.id)


def _ways(watch: Watch, person: Person) -> None:
    """Let its owner be told by e-mail and by a feed, and end it."""
    watches, address = frame.workspace().watches, address_of(frame.workspace(), person.id)
    with st.container(horizontal=True, vertical_alignment="center", key="watch-ways"):
        if address:
            mail = st.toggle(say("watches-mail", address=address), value=watch.mail, key=f"mail-{watch.id}")
            if mail != watch.mail:
                watches.set_mail(watch.id, person.id, wanted=mail)
        if st.button(say("watches-feed"), icon=":material/rss_feed:", type="tertiary", key="feed"):
            frame.dialog(say("watches-feed-title"))(_feed)(watch, person)
        if st.button(say("watches-end"), icon=":material/notifications_off:", type="tertiary", key="end"):
            take_away(_key(watch), watch.question, partial(_end, watches, watch, person.id), person.id)
            st.query_params.clear()
            st.rerun()


def _feed(watch: Watch, person: Person) -> None:
    watches = frame.workspace().watches
    st.html(f"<p>{say('watches-feed-note')}</p>")
    made = st.session_state.get(f"feed-of-{watch.id}")
    if made:
        st.code(f"{_origin()}/feeds/{made}", language=None, wrap_lines=True)
    with st.container(horizontal=True):
        if st.button(say("watches-feed-make"), type="primary", icon=":material/link:", key="feed-make"):
            settle(("feed", watch.id))
            st.session_state[f"feed-of-{watch.id}"] = watches.make_feed(watch.id, person.id)
            st.rerun(scope="fragment")
        if (watch.feed or made) and st.button(say("watches-feed-end"), icon=":material/link_off:", key="feed-end"):
            taken(("feed", watch.id), watch.question, watches.end_feed(watch.id, person.id), person.id)
            st.session_state.pop(f"feed-of-{watch.id}", None)
            st.rerun()


def _origin() -> str:
    """Return where the page is, as the visitor's browser knows it."""
    return (st.context.url or "").partition("?")[0].rstrip("/").removesuffix("/watches")


def _key(watch: Watch) -> tuple[str, str]:
    return "watch", watch.id


def _end(watches: Watches, watch: Watch, owner: str) -> None:
    with suppress(NotFound):  # it was ended elsewhere
        watches.end(watch.id, owner)


def main(person: Person) -> None:
    """Show what the address names, or all of them."""
    if not may_watch(person):
        st.html(f'<div class="empty">{say("watches-visitor")}</div>')
        return
    frame.workspace().watches.arrived(person.id, person.principals, datetime.now(UTC))
    named = st.query_params.get("watch")
    found = frame.workspace().watches.find(named, person.id) if named else None
    if found and not is_leaving(*_key(found)):
        show_watch(found, person)
        return
    if named:
        st.html(f'<div class="notes"><p>{say("watches-gone")}</p></div>')
    show_list(person)


main(frame.person())
