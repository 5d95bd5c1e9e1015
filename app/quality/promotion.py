"""Promoting a version and rolling back to one: what would change is shown first, and a reason is asked for."""

import streamlit as st

from app import frame
from app.figures import change, score, short, table
from app.rendering import Html, plain_label
from app.texts import say, say_html
from rag_platform.core.errors import RagError, VersionError
from rag_platform.index.releases.release_log import Kind
from rag_platform.index.releases.version_diff import difference
from rag_platform.people.identity import Person

LONGEST = 500
"""Characters of a reason."""


def move(version: str, kind: Kind) -> None:
    """Ask whether a version shall be live."""
    title = say(f"quality-{kind}-title", version=short(version))
    frame.dialog(title, width="medium")(_confirm)(version, kind)


def _confirm(version: str, kind: Kind) -> None:
    versions = frame.workspace().versions
    person, live = frame.require("admin"), versions.live_id()
    before = st.session_state.setdefault(f"seen-{version}", live or "")
    with frame.friendly():
        st.html(_what_changes(live, version))
    st.html(f'<p class="about">{say_html(f"quality-{kind}-means")}</p>')
    refused = kind == "promote" and not (versions.manifest(version).get("verdict") or {}).get("passed")
    override = not refused or _ask_override(version)
    reason = st.text_input(
        say("quality-reason"), key=f"reason-{version}", max_chars=LONGEST, placeholder=say("quality-reason-example")
    )
    if st.button(say(f"quality-{kind}-now"), type="primary", key="move-now", disabled=not override):
        if not reason.strip():
            st.error(say("quality-reason-missing"), icon=":material/edit_note:")
            return
        try:
            make_live(version, kind, reason.strip(), person, before=before or None, override=refused)
        except RagError as error:
            st.error(plain_label(str(error)), icon=":material/error:")
            return
        st.session_state.pop(f"seen-{version}", None)
        st.session_state["moved-to"] = version
        st.rerun()


def make_live(
    version: str, kind: Kind, reason: str, person: Person, *, before: str | None, override: bool = False
) -> None:
    """Do what `rag index promote` and `rag index rollback` do, in this person's name.

    Raises:
        VersionError: another version became live since `before` was seen, or this one is damaged or unfit.
    """
    versions = frame.workspace().versions
    if versions.live_id() != before:
        raise VersionError(say("quality-moved-meanwhile", version=short(versions.live_id() or "–")))
    who = person.id or person.name
    if kind == "rollback":
        versions.rollback(version, why=reason, who=who)
    else:
        versions.refuse_unfit(version, force=override)
        versions.promote(version, say("quality-override-logged", reason=reason) if override else reason, who=who)


def _ask_override(version: str) -> bool:
    st.html(f'<div class="notes">{say_html("quality-override-means")}</div>')
    return st.checkbox(say("quality-override", version=short(version)), key=f"override-{version}")


def _what_changes(live: str | None, version: str) -> Html:
    """Render what people get instead: documents, passages and score of both versions."""
    versions = frame.workspace().versions
    if live is None or live == version:
        return Html("")
    then, now = versions.manifest(live), versions.manifest(version)
    metric = frame.workspace().settings.gate.metric
    means = [((one.get("scores") or {}).get("means") or {}).get(metric) for one in (then, now)]
    rows = [
        (say("quality-documents"), *(f"{one['counts']['documents']:,}" for one in (then, now))),
        (say("quality-chunks"), *(f"{one['counts']['chunks']:,}" for one in (then, now))),
        (metric, score(means[0]), score(means[1])),
    ]
    counts = difference(versions.open(live), versions.open(version)).document_counts
    edited = counts["source"] + counts["extractor"] + counts["description"]
    summary = say("quality-documents-move", came=counts["added"], went=counts["removed"], edited=edited)
    if means[0] is not None and means[1] is not None:
        summary += " " + say("quality-score-moves", metric=metric, change=change(means[1] - means[0]))
    head = ["", "#" + say("quality-now", version=short(live)), "#" + say("quality-then", version=short(version))]
    return table(say("quality-what-changes"), head, rows) + Html('<p class="about">{}</p>').format(summary)
