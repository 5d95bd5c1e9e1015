"""What is going on, what is wrong on the machine and in the workspace, and who moved the live version."""

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app import frame
from app.figures import lasted, short, table
from app.notices import show_notices, status_for
from app.rendering import Html, age
from app.texts import say, say_html
from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.background_jobs import sync_state
from rag_platform.operations.doctor import Diagnosis, diagnose
from rag_platform.people.identity import Person

_MOVES = 50
_LEVELS = {"ok": "good", "hint": "", "wrong": "bad"}


def show_activity(person: Person) -> None:
    """Show what is running, live; what is not live; what was found; and the log of moves."""
    _standing_in()
    _running()
    _last_sync()
    notices = status_for(person).notices
    _show_findings(well=not notices)
    show_notices(notices, person)
    _show_moves()


def _standing_in() -> None:
    """Say that an older version answers in place of the live one, which is damaged."""
    if notice := frame.workspace().versions.live_notice():
        st.html(f'<div class="notes" role="alert"><p>{say_html("operate-damaged", notice=notice)}</p></div>')


@st.fragment(run_every=2.0)
def _running() -> None:
    """Show the stages that processes are in; only this part of the page follows them."""
    doing = running_stages(frame.workspace().settings.data / "progress")
    st.html(f'<h3 class="part">{say_html("operate-running")}</h3>')
    if not doing:
        st.html(f'<p class="quiet">{say_html("operate-idle")}</p>')
    for one in doing:
        name = say(f"operate-stage-{one.stage}") if one.stage in STAGES else one.stage
        text = say("operate-doing", stage=name, source=one.source or "none", elapsed=lasted(one.seconds))
        if one.total:
            text += " " + say("operate-done-of", done=one.done, total=one.total)
        st.progress(min(one.done / one.total, 1.0) if one.total else 0.0, text)


def _last_sync() -> None:
    last = sync_state(frame.workspace())["last"]
    if last and last.get("errors"):
        when = age(datetime.fromisoformat(last["ended_at"]), datetime.now(UTC))
        failure = say_html("operate-sync-failed", when=when, reason=" ".join(map(str, last["errors"])))
        st.html(f'<div class="notes">{failure}</div>')


def _show_findings(*, well: bool) -> None:
    """Show what `rag doctor` finds, what is wrong first; what is right is collapsed."""
    found = _diagnosed(frame.workspace())
    wrong = [one for one in found if one.level == "wrong"]
    hints = [one for one in found if one.level == "hint" and not one.purpose]
    st.html(f'<h3 class="part">{say_html("operate-health")}</h3>')
    if not wrong and well:
        st.html(f'<p class="quiet">{say_html("operate-all-well")}</p>')
    for one in (*wrong, *hints):
        st.html(_finding_html(one))
    with st.expander(say("operate-all-checks", count=len(found)), icon=":material/checklist:"):
        st.html(Html("").join(_finding_html(one) for one in found))


@st.cache_data(show_spinner=False, ttl=60)
def _diagnosed(_workspace: Any) -> list[Diagnosis]:
    return list(diagnose(_workspace.settings.home))


def _finding_html(one: Diagnosis) -> Html:
    mend = Html(' <span class="quiet">→ <code>{}</code></span>').format(one.mend) if one.mend else Html("")
    return Html('<div class="file"><span class="state {}">{}</span> <b>{}</b> {}{}</div>').format(
        _LEVELS[one.level], say(f"operate-level-{one.level}"), one.what, one.found, mend
    )


def _show_moves() -> None:
    """Show who made which version live, when and why."""
    moves = frame.workspace().versions.moves()
    st.html(f'<h3 class="part">{say_html("operate-moves")}</h3>')
    if not moves:
        st.html(f'<p class="quiet">{say_html("operate-no-moves")}</p>')
        return
    head = [say("operate-when"), say("operate-what"), say("operate-who"), say("operate-why")]
    rows = [
        (
            move["at"][:16].replace("T", " "),
            say(f"operate-{move['kind']}", version=short(move["version"] or "–"), before=short(move["before"] or "–")),
            move["who"],
            move["why"],
        )
        for move in reversed(moves[-_MOVES:])
    ]
    st.html(table(say("operate-moves"), head, rows))


STAGES = ("sync", "fetch", "extract", "chunk", "embed", "index", "evaluate")
