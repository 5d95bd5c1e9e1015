"""Are the sources fresh and whole: each with its schedule, what a person had better look at, and what failed."""

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app import frame
from app.notices import show_notices, show_release, status_for
from app.rendering import Html, age
from app.texts import say, say_html
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.core.errors import RagError
from rag_platform.operations.status.failed_documents import Failure, failures
from rag_platform.operations.status.health import Check, check
from rag_platform.people.identity import Person


def show_sources(person: Person) -> None:
    """Show every source, those first that want somebody's attention."""
    settings: Settings = frame.workspace().settings
    if not settings.sources:
        st.html(f'<div class="empty">{say("operate-no-sources")}</div>')
        return
    status = status_for(person)
    checked = [(source, [*_checked(source.id), status.check(source.id)]) for source in settings.sources]
    attention = [source for source, found in checked if any(not one.passed for one in found)]
    if not show_release(person) or attention:  # what is kept back as a whole is not as it should be
        st.html(f'<p class="about">{say_html("operate-attention", count=len(attention), of=len(checked))}</p>')
    for source, found in sorted(checked, key=lambda one: all(result.passed for result in one[1])):
        with st.container(border=True, key=f"source-{source.id}", gap="small"):
            st.html(_source_html(source, found))
            if st.button(say("operate-change"), key=f"change-{source.id}", icon=":material/tune:", type="tertiary"):
                st.switch_page("views/collections.py", query_params={"change": source.id})
            show_notices([one for one in status.of(source.id) if one.kind == "held"], person)
            _show_failures(source.id, person)


def _checked(source: str) -> list[Check]:
    workspace = frame.workspace()
    stamp = "".join(_changed(workspace.store.path(stage, source)) for stage in ("raw", "documents"))
    try:
        return _checks(workspace, source, f"{stamp}{workspace.versions.live_id()}")
    except RagError as error:
        return [Check("readable", passed=False, said=str(error))]


@st.cache_data(show_spinner=False, ttl=300, max_entries=500)
def _checks(_workspace: Any, source: str, stamp: str) -> list[Check]:  # noqa: ARG001 - the stamp tells when it is old
    return check(_workspace, source)


def _changed(path: Any) -> str:
    try:
        return str(path.stat().st_mtime_ns)
    except OSError:
        return "-"


def _source_html(source: SourceSettings, found: list[Check]) -> Html:
    """Render a source: its freshness and schedule, then what is not as it should be."""
    fresh = next((one for one in found if one.name == "freshness"), None)
    wrong = [one for one in found if not one.passed]
    badge = ("good", "operate-well") if not wrong else ("odd", "operate-look")
    facts = [
        source.kind,
        say("operate-schedule", cron=source.schedule) if source.schedule else say("operate-no-schedule"),
    ]
    facts += [fresh.said] if fresh and fresh.passed else []
    items = Html("").join(  # what is held is told in full below
        Html("<li><b>{}</b>: {}. {}</li>").format(
            say(f"operate-check-{one.name}") if one.name in _CHECKS else one.name,
            one.said,
            say(f"operate-do-{one.name}") if one.name in _CHECKS else "",
        )
        for one in wrong
        if one.name != "held"
    )
    listed = Html('<ul class="evidence">{}</ul>').format(items) if items else ""
    return _SOURCE.format(source.id, badge[0], say(badge[1]), " · ".join(facts), listed)


def _show_failures(source: str, person: Person) -> None:
    """Show what could not be fetched or read, as far as this person may read it."""
    with frame.friendly():
        found = failures(frame.workspace(), source, person.principals)
        count = len(found.shown) + found.more
        if not count:
            return
        with st.expander(say("operate-failures", count=count), icon=":material/report:"):
            items = Html("").join(map(_failure_html, found.shown))
            more = [say("operate-more", count=found.more)] if found.more else []
            notes = Html("").join(Html('<p class="quiet">{}</p>').format(one) for one in more)
            st.html(Html('<ul class="evidence">{}</ul>{}').format(items, notes))


def _failure_html(one: Failure) -> Html:
    when = age(one.last_seen, datetime.now(UTC)) if one.last_seen else ""
    return Html("<li><b>{}</b> <small>{}</small><br>{} <span>{}</span></li>").format(
        one.uri, when, one.reason, say(f"operate-mend-{one.stage}")
    )


_CHECKS = ("failures", "boilerplate", "count", "length", "languages", "freshness", "instructions", "readable")
_SOURCE = Html('<div class="source"><h3>{} <span class="state {}">{}</span></h3><div class="facts">{}</div>{}</div>')
