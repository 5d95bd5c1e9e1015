"""Backups: make one, when the last was made, and reading them back."""

from datetime import datetime
from typing import Any

import streamlit as st

from app import frame
from app.admin.people import decide
from app.figures import short, size, table
from app.rendering import Html, age
from app.texts import say, say_html
from rag_platform.core.errors import RagError
from rag_platform.operations.background_jobs import backup_check_state, backup_state, start_backup, start_backup_check
from rag_platform.operations.backup.snapshot import read_snapshot, snapshot_ids
from rag_platform.operations.backup.target import open_target
from rag_platform.people.identity import Person

_PLACE = "backup-target"
"""What is remembered of the last one, whoever made it."""
_LISTED = 10


def show_backups(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show what is running and what came of the last, the copies that there are, and make or check some."""
    workspace = frame.workspace()
    st.html(f'<p class="about">{say_html("admin-backups-about")}</p>')
    known = workspace.preferences.get("", _PLACE) or ""
    target = st.text_input(
        say("admin-backup-target"), value=known, key="backup-target", placeholder="/mnt/backup", max_chars=1000
    ).strip()
    keep = st.number_input(say("admin-backup-keep"), min_value=1, value=7, step=1, key="backup-keep")
    running = backup_state(workspace)["running"] or backup_check_state(workspace)["running"]
    with st.container(horizontal=True):
        idle = bool(target) and not running
        if st.button(say("admin-backup-make"), type="primary", icon=":material/backup:", disabled=not idle):
            decide(lambda: _make(target, int(keep)), say("admin-backup-begun"))
        if st.button(say("admin-backup-verify"), icon=":material/fact_check:", disabled=not idle):
            decide(lambda: _verify(target), say("admin-verify-begun"))
    if running:
        _watch()
    st.html(_outcome_html(backup_state(workspace)["last"], "backup"))
    st.html(_outcome_html(backup_check_state(workspace)["last"], "verify"))
    if target:
        _show_copies(target)


def _make(target: str, keep: int) -> None:
    workspace = frame.workspace()
    start_backup(workspace, target, keep)
    workspace.preferences.set("", _PLACE, target)


def _verify(target: str) -> None:
    start_backup_check(frame.workspace(), target)


@st.fragment(run_every=1.0)
def _watch() -> None:
    workspace = frame.workspace()
    if not backup_state(workspace)["running"] and not backup_check_state(workspace)["running"]:
        frame.refresh()
    st.html(f'<div class="doing" role="status">{say_html("admin-backup-running")}</div>')


def _outcome_html(last: dict[str, Any] | None, what: str) -> Html:
    """Render how the last backup, or the last check, ended."""
    if last is None:
        return Html('<p class="quiet">{}</p>').format(say(f"admin-{what}-never"))
    when = age(datetime.fromisoformat(last["ended_at"]))
    problems = [*last.get("errors", ()), *(f"{one}: {why[0]}" for one, why in last.get("problems", {}).items())]
    if problems:
        return Html('<div class="notes" role="alert"><p>{}</p></div>').format(
            say(f"admin-{what}-failed", when=when, reason=" ".join(map(str, problems)))
        )
    if what == "verify":
        said = say("admin-verify-well", when=when, count=len(last.get("backups", ())))
    else:
        said = say("admin-backup-well", when=when, target=last["target"], size=size(last["bytes"]))
    return Html('<p class="quiet">{}</p>').format(said)


def _show_copies(target: str) -> None:
    """Show the newest copies of a target."""
    try:
        opened = open_target(target)
        ids = snapshot_ids(opened)
        found = [read_snapshot(opened, one) for one in ids[-_LISTED:]]
    except (RagError, OSError) as error:
        st.html(f'<div class="notes">{say_html("admin-backup-unreadable", reason=str(error))}</div>')
        return
    if not found:
        st.html(f'<p class="quiet">{say_html("admin-backup-empty")}</p>')
        return
    head = [say("admin-made"), say("admin-backup-live"), "#" + say("admin-backup-size"), "#~" + say("admin-files")]
    rows = [
        (age(datetime.fromisoformat(one.made_at)), short(one.live or "–"), size(one.bytes), f"{len(one.files):,}")
        for one in reversed(found)
    ]
    st.html(Html('<h3 class="part">{}</h3>').format(say("admin-backup-copies", count=len(ids))))
    st.html(table(say("admin-backups"), head, rows, kind="named"))
