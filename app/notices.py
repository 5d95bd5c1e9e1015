"""What is not live and why, on every view in the same words, with what can be done about it."""

import re
from collections.abc import Sequence

import streamlit as st

from app import frame
from app.figures import VERSION, short
from app.rendering import Html, plain_label
from app.texts import say, say_html
from rag_platform.config.sections.access import Role
from rag_platform.core.errors import OrchestratorError, RagError
from rag_platform.operations.background_jobs import start_sync
from rag_platform.operations.runs import launch
from rag_platform.operations.status.release_status import Notice, ReleaseStatus, release_status
from rag_platform.people.identity import Person
from rag_platform.pipeline.source_decisions import hold_source, release_source
from rag_platform.validation.change_report import Example

_LOOKS = {"refused": "bad", "held": "bad", "rollback": "odd", "overridden": "odd", "late": "odd", "waiting": ""}
_ICONS = {"see": ":material/article:", "hold": ":material/front_hand:", "publish": ":material/publish:"}
_ROLES: dict[str, Role] = {"see": "editor", "hold": "editor", "publish": "admin"}
_LONGEST = 500
"""Characters of a reason."""


def status_for(person: Person) -> ReleaseStatus:
    """Return what is live and what is not, as far as this person may know."""
    return release_status(frame.workspace(), person.principals)


def show_notices(notices: Sequence[Notice], person: Person) -> None:
    """Show each matter with its examples and, to those who may, what can be done about it."""
    for notice in notices:
        with st.container(border=True, key=f"notice-{re.sub(r'[^a-z0-9-]', '-', notice.key.lower())}", gap="small"):
            st.html(notice_html(notice))
            _show_actions(notice, person)


def show_release(person: Person) -> bool:
    """Show an editor what is not as it should be of the version as a whole; return whether there is anything."""
    found = [one for one in status_for(person).notices if one.source is None] if person.may("editor") else []
    show_notices(found, person)
    return bool(found)


def notice_html(notice: Notice) -> Html:
    """Render what is said, the further reasons, and documents side by side."""
    badge = Html('<span class="state {}">{}</span>').format(_LOOKS[notice.kind], say(f"notice-{notice.kind}"))
    more = Html("").join(Html("<li>{}</li>").format(_coded(one)) for one in notice.details)
    listed = _MORE.format(say("notice-more", count=len(notice.details)), more) if more else ""
    return Html('<div class="notice"><p>{} {}</p>{}{}</div>').format(
        badge, _coded(notice.said), listed, _examples_html(notice.examples)
    )


def _coded(text: str) -> Html:
    """Render a sentence; what stands between backticks is a name, and a version is called as people call it."""
    named = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(Html.escape(text)))
    return Html(VERSION.sub(lambda one: f'<span title="{one[0]}">{short(one[0])}</span>', named))  # noqa: S704 - escaped before


def _examples_html(examples: Sequence[Example]) -> Html:
    if not examples:
        return Html("")
    rows = Html("").join(
        _EXAMPLE.format(one.uri, one.before or say("notice-not-there"), one.after or say("notice-not-there"))
        for one in examples
    )
    return _SIDES.format(say("notice-examples"), say("notice-before"), say("notice-after"), rows)


def _show_actions(notice: Notice, person: Person) -> None:
    with st.container(horizontal=True, gap="small"):
        for action in notice.actions:
            if not person.may(_ROLES[action.name]) or (action.name == "see" and not _leads(notice)):
                continue
            key = f"{action.name}-{notice.key}-{action.command}"
            if st.button(plain_label(action.said), key=key, icon=_ICONS[action.name], help=action.command):
                _begin(notice, action.name, action.command.rpartition(" ")[2])


def _leads(notice: Notice) -> bool:
    """Return whether there is a report to see; where there is none, the examples stand here already."""
    return notice.version in frame.workspace().versions.ids()


def _begin(notice: Notice, name: str, source: str) -> None:
    if name == "see":
        st.switch_page("views/quality.py", query_params={"part": "report", "version": notice.version or ""})
    if notice.source is None and name == "publish":  # what would change is shown there, and a reason asked for
        st.switch_page("views/quality.py", query_params={"part": "versions"})
    frame.dialog(say(f"notice-{name}-title", source=source), width="medium")(_confirm)(name, source, notice)


def _confirm(name: str, source: str, notice: Notice) -> None:
    person = frame.require("admin" if name == "publish" else "editor")
    st.html(f'<p class="about">{say_html(f"notice-{name}-means", source=source)}</p>')
    if name == "publish":
        st.html(_examples_html(notice.examples))
    reason = st.text_input(say("notice-reason"), key="notice-reason", max_chars=_LONGEST)
    if not st.button(say(f"notice-{name}-now"), type="primary", key="notice-now"):
        return
    if not reason.strip():
        st.error(say("notice-reason-missing"), icon=":material/edit_note:")
        return
    try:
        decide(name, source, person, reason.strip())
    except RagError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    st.session_state["notice"] = say("notice-done", source=source)
    st.rerun()


def decide(name: str, source: str, person: Person, why: str) -> None:
    """Hold a source, or let what is held be published, and have a version built of what is there then.

    Raises:
        RagError: it could not be done, or a sync is under way: then the decision stands, and counts from that one on.
    """
    workspace, change = frame.workspace(), hold_source if name == "hold" else release_source
    change(workspace, source, who=frame.named(person), why=why)
    try:
        launch(workspace, None, who=frame.named(person))
    except OrchestratorError:  # there is none, or it is away
        start_sync(workspace, [])


_MORE = Html('<details class="more"><summary>{}</summary><ul>{}</ul></details>')
_SIDES = Html(
    '<table class="sides"><caption>{}</caption><thead><tr><th scope="col">{}</th><th scope="col">{}</th></tr></thead>'
    "<tbody>{}</tbody></table>"
)
_EXAMPLE = Html('<tr><th colspan="2" scope="rowgroup">{}</th></tr><tr><td>{}</td><td>{}</td></tr>')
