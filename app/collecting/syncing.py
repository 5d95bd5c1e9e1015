"""The part of a page that follows a source's sync, starts it and ends it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from app import frame
from app.collecting.opening import who, workspace
from app.collecting.running import down_html, ended_html, progress, running_html
from app.rendering import plain_label
from app.texts import say, say_html
from rag_platform.core.errors import RagError, WorkspaceBusy
from rag_platform.operations.background_jobs import start_sync
from rag_platform.operations.runs import SyncStatus, follow, launch, orchestrator
from rag_platform.people.identity import Person

BUSY, IDLE = 1.0, 3.0
"""Seconds between two polls, while something runs and while nothing does: Dagster starts syncs by itself."""


def poll_seconds(now: SyncStatus) -> float | None:
    """Return the seconds between two polls; None: nothing begins without a click here."""
    return BUSY if now.running else IDLE if workspace().settings.dagster.url else None


def begin_polling(now: SyncStatus) -> None:
    """Begin to poll when a sync was begun; not at its end, because that would close what somebody has open."""
    if now.running and not st.session_state.get("was_running") and not workspace().settings.dagster.url:
        frame.refresh()


def show_sync(
    source: str,
    now: SyncStatus,
    person: Person,
    *,
    waiting: bool = False,
    read_at: datetime | None = None,
) -> None:
    """Show the state of a source's sync and, to those who may, what can be done about it."""
    for problem in st.session_state.pop("refused", ()):
        st.error(plain_label(problem), icon=":material/block:")
    if now.running:  # between two stages nothing is known, and nobody should see it begin anew
        far = st.session_state[f"far-{source}"] = max(progress(now)[1], st.session_state.get(f"far-{source}", 0.0))
        st.html(running_html(now, far))
        _beside_a_run(source, now, person)
        return
    st.session_state.pop(f"far-{source}", None)
    if now.unreachable and person.may("editor"):
        st.html(down_html(now))
    html = ended_html(now, waiting=waiting, read_at=read_at)
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key=f"sync-{source}"
    ):
        st.html(html or "<div></div>", width="stretch")
        if person.may("editor"):
            _starters(source, now, person, waiting=waiting)


def _starters(source: str, now: SyncStatus, person: Person, *, waiting: bool) -> None:
    if now.run and now.run.lost:
        st.button(
            say("collections-clear"),
            icon=":material/mop:",
            key=f"clear-{source}",
            on_click=_attempt,
            args=(partial(_cancel, now.run.id, at_once=True),),
        )
        return
    if now.unreachable:
        st.button(say("collections-look-again"), icon=":material/refresh:", key=f"again-{source}")
    st.button(
        say("collections-sync-local" if now.unreachable else "collections-sync"),
        icon=":material/sync:",
        key=f"start-{source}",
        type="primary" if waiting else "secondary",
        on_click=_attempt,
        args=(lambda: begin(source, person, local=now.unreachable is not None),),
        help=say("collections-sync-help"),
    )


def _beside_a_run(source: str, now: SyncStatus, person: Person) -> None:
    """Offer the way into Dagster, and the way out of the run."""
    run = now.run if now.run and now.run.under_way else None
    with st.container(horizontal=True, vertical_alignment="center", key=f"run-{source}"):
        if run and person.may("editor"):
            if now.address:
                label = say("collections-in-dagster")
                st.link_button(label, now.address, icon=":material/open_in_new:", type="tertiary")
            st.button(
                say("collections-cancel"),
                icon=":material/stop_circle:",
                key=f"cancel-{source}",
                type="tertiary",
                disabled=run.status == "CANCELING",
                on_click=_attempt,
                args=(partial(_cancel, run.id),),
            )
    if run and now.idle_daemons:
        st.html(f'<div class="notes"><p>{say_html("collections-idle")}</p></div>')


def begin(source: str, person: Person, *, local: bool = False, reload: bool = False) -> None:
    """Start a sync, through Dagster where one is set and not `local`, or join the one that runs; errors are ours."""
    opened = workspace()
    try:
        if opened.settings.dagster.url and not local:
            launch(opened, source, who=who(person), reload=reload or st.session_state.pop("reload", False))
        else:
            start_sync(opened, [source])
    except WorkspaceBusy:
        if not current_status(source).running:  # another source's, which does not bring this one
            raise


def _cancel(run_id: str, *, at_once: bool = False) -> None:
    """Cancel a run; nothing where the settings no longer name a Dagster."""
    if dagster := orchestrator(workspace()):
        dagster.cancel(run_id, at_once=at_once)


def _attempt(action: Callable[[], object]) -> None:
    """Do what a button says; why it cannot be done is shown at the next run of the page."""
    try:
        action()
    except RagError as error:
        st.session_state.refused = [str(error)]


def current_status(source: str) -> SyncStatus:
    """Return the state of a source's sync, as it is now."""
    person = frame.person()
    return follow(workspace(), source, None if person.may("admin") else person.principals)
