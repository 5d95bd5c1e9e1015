"""The list of sources and the page of each: how it fares, its settings, what failed, and what can be done about it."""

from html import escape

import streamlit as st

from app.collecting.dialogs import delete_source
from app.collecting.listing import open_button, show_pages
from app.collecting.opening import changed, workspace
from app.collecting.showing import failures_html, settings_html, source_html
from app.collecting.syncing import begin_polling, current_status, poll_seconds, show_sync
from app.navigation import set_title
from app.notices import show_notices, show_release, status_for
from app.rendering import plain_label
from app.texts import say
from app.undo import is_leaving
from rag_platform.config.source_editing import pause_source
from rag_platform.core.errors import NotFound, RagError
from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.runs import orchestrator
from rag_platform.operations.status.source_status import SourceState, failures_of, source_states
from rag_platform.people.identity import Person

FAILURES = 50
POLL_SECONDS = 5.0
"""Between two readings of the list."""


def show_sources(person: Person) -> None:
    """Show the sources that somebody may read, and the way to a new one."""
    if st.button(say("collections-add"), icon=":material/add:", key="add"):
        st.query_params["add"] = "feed"
        st.rerun()
    for problem in st.session_state.pop("refused", ()):
        st.error(plain_label(problem), icon=":material/block:")
    st.fragment(_browse, run_every=POLL_SECONDS)(person)


def _browse(person: Person) -> None:
    states = [one for one in source_states(workspace(), person.principals) if not is_leaving("source", one.source.id)]
    if not states:
        mine = "collections-sources-empty" if person.may("admin") else "collections-sources-empty-editor"
        st.html(f'<div class="empty">{say(mine)}</div>')
        return
    busy = running_sources()

    def row(one: SourceState) -> None:
        with st.container(gap=None, key=f"source-{one.source.id}"):
            if open_button(one.source.id, f"open-source-{one.source.id}"):
                st.query_params["source"] = one.source.id
                st.rerun()
            st.html(source_html(one, running=one.source.id in busy))

    show_pages(states, "source", say("collections-find-source"), lambda one: f"{one.source.id} {one.source.kind}", row)


def running_sources() -> set[str]:
    """Name the sources that are being synced, here or in Dagster."""
    here = {one.source for one in running_stages(workspace().settings.data / "progress") if one.source}
    dagster = orchestrator(workspace())
    try:
        there = {run.source for run in dagster.latest(most=50, under_way=True) if run.source} if dagster else set()
    except RagError:
        there = set()  # each source's own page tells that Dagster cannot be asked
    return here | there


def show_source(source_id: str, person: Person) -> None:
    """Show one source; `NotFound` when there is none, or none that this person may read."""
    state = _state(source_id, person)
    set_title(source_id)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"):
        if st.button(say("collections-back-sources"), icon=":material/arrow_back:", type="tertiary"):
            st.query_params.from_dict({"show": "sources"})
            st.rerun()
        with st.container(horizontal=True, width="content"):
            _change_buttons(state, person)
    st.html(f'<h2 class="title">{escape(source_id)}</h2>')
    now = current_status(source_id)
    st.session_state.was_running = now.running
    st.fragment(_live, run_every=poll_seconds(now))(source_id, person)
    with st.expander(say("collections-settings")):
        st.html(settings_html(state))


def _change_buttons(state: SourceState, person: Person) -> None:
    paused, source_id = state.source.paused, state.source.id
    st.button(
        say("collections-resume" if paused else "collections-pause"),
        icon=":material/play_arrow:" if paused else ":material/pause:",
        type="tertiary",
        on_click=_pause,
        args=(source_id, not paused),
        help=None if paused else say("collections-pause-help"),
    )
    if person.may("admin") and st.button(say("collections-change"), icon=":material/tune:", type="tertiary"):
        st.query_params.from_dict({"change": source_id})
        st.rerun()
    if person.may("admin") and st.button(say("collections-delete"), icon=":material/delete:", type="tertiary"):
        delete_source(source_id, person)


def _pause(source_id: str, paused: bool) -> None:
    try:
        pause_source(workspace().settings.home, source_id, paused=paused)
    except RagError as error:
        st.session_state.refused = [str(error)]
        return
    changed()


def _live(source_id: str, person: Person) -> None:
    now = current_status(source_id)
    begin_polling(now)
    try:
        state = _state(source_id, person)
    except NotFound:  # somebody else has just deleted it
        st.rerun()
    st.html(source_html(state, running=False))
    if state.source.paused:
        st.html(f'<div class="notes"><p>{say("collections-paused-note")}</p></div>')
    show_sync(source_id, now, person, read_at=state.read_at)
    show_release(person)
    show_notices([one for one in status_for(person).of(source_id) if one.kind == "held"], person)
    failures = failures_of(workspace(), source_id, person.principals)
    if failures:
        st.html(f"<h3>{say('collections-failures')}</h3>{failures_html(failures, FAILURES)}")


def _state(source_id: str, person: Person) -> SourceState:
    for state in source_states(workspace(), person.principals):
        if state.source.id == source_id:
            return state
    raise NotFound(f"there is no source {source_id!r} that you may read")
