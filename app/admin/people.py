"""People and groups: who is known here, with which role, in which groups, and changing both."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

import streamlit as st

from app import frame
from app.collecting.opening import changed, who, workspace
from app.figures import NONE, small, table
from app.rendering import Html, age, plain_label
from app.texts import say, say_html
from app.undo import taken
from rag_platform.config.sections.access import ROLES, Role
from rag_platform.core.errors import RagError
from rag_platform.operations.administering.given_roles import LISTS, give_role
from rag_platform.operations.administering.known_people import KnownPrincipal, known_principals
from rag_platform.people.identity import Person

_SHOWN = 200
_LONGEST = 200
"""Characters of a name or a reason."""
_NO_ROLE = "none"


def show_people(person: Person) -> None:
    """Show who is known, and let their roles and groups be changed."""
    known = known_principals(workspace())
    st.html(f'<p class="about">{say_html("admin-people-about")}</p>')
    words = st.text_input(say("admin-find"), type="search", key="find-people") if len(known) > 20 else ""
    found = [one for one in known if (words or "").casefold() in one.name.casefold()]
    if found:
        head = [say("admin-name"), say("admin-role"), "~" + say("admin-groups"), "~" + say("admin-known-by")]
        st.html(table(say("admin-people"), head, map(_row, found[:_SHOWN]), kind="named"))
    else:
        st.html(f'<div class="empty">{say("admin-nobody")}</div>')
    names = [one.name for one in known]
    left, right = st.columns(2)
    with left, st.expander(say("admin-give-role"), icon=":material/badge:"):
        _role_form(names, person)
    with right, st.expander(say("admin-group-change"), icon=":material/group:"):
        _group_form(known, person)


def _row(one: KnownPrincipal) -> tuple[object, ...]:
    by = ", ".join(say(f"admin-by-{name}") for name in one.named_by)
    seen = say("admin-seen", age=age(datetime.fromisoformat(one.seen_at))) if one.seen_at else ""
    members = say("admin-members", names=", ".join(one.members)) if one.members else ""
    name = Html("{}{}").format(one.name, small(members))
    return name, _role(one.role), ", ".join(one.groups) or NONE, Html("{}{}").format(by, small(seen))


def _role(role: str | None) -> str:
    return say(f"admin-role-{role}") if role else say("admin-role-none")


def ask_name(label: str, names: Sequence[str], key: str) -> str:
    """Ask for a user or a group: one that is known, or any other."""
    hint = say("admin-name-hint")
    if not names:
        return st.text_input(label, key=key, placeholder=hint, max_chars=_LONGEST)
    chosen = st.selectbox(label, names, index=None, key=key, accept_new_options=True, placeholder=hint)
    return (chosen or "")[:_LONGEST]


def _role_form(names: Sequence[str], person: Person) -> None:
    st.html(f'<p class="quiet">{say_html("admin-role-about")}</p>')
    name = ask_name(say("admin-who"), names, "role-of")
    roles = [*reversed(ROLES), _NO_ROLE]
    role = st.selectbox(say("admin-role"), roles, format_func=lambda one: say(f"admin-role-{one}"), key="role")
    why = st.text_input(say("admin-why"), key="role-why", max_chars=_LONGEST)
    if st.button(say("admin-give"), key="give-role", type="primary", disabled=not name):
        wanted = next((one for one in ROLES if one == role), None)
        decide(lambda: _give(name, wanted, person, why), say("admin-role-given", name=name))


def _group_form(known: Sequence[KnownPrincipal], person: Person) -> None:
    st.html(f'<p class="quiet">{say_html("admin-group-about")}</p>')
    groups = [one.name for one in known if one.name.startswith("group:")]
    group = ask_name(say("admin-group"), groups, "group")
    member = ask_name(say("admin-member"), [one.name for one in known], "member")
    why = st.text_input(say("admin-why"), key="group-why", max_chars=_LONGEST)
    rules, both = frame.workspace().access.rules, bool(group and member)
    with st.container(horizontal=True):
        if st.button(say("admin-join"), key="join", type="primary", disabled=not both):
            done = say("admin-joined", member=member, group=group)
            decide(lambda: rules.join(group.strip(), [member.strip()], who=who(person), why=why), done)
        if st.button(say("admin-leave"), key="leave-group", disabled=not both):
            done = say("admin-left", member=member, group=group)
            decide(lambda: _leave(group.strip(), member.strip(), person, why), done)


def _leave(group: str, member: str, person: Person, why: str) -> None:
    rules = frame.workspace().access.rules
    before = next((one for one in rules.members() if (one.name, one.member) == (group, member)), None)
    rules.leave(group, [member], who=who(person), why=why)
    if before:
        back = partial(rules.join, group, [member], who=who(person), why=before.why)
        taken(("member", group, member), member, back, person.id)


def _give(name: str, role: Role | None, person: Person, why: str) -> None:
    access, name = workspace().settings.access, name.strip()
    before = next((one for one in ROLES if name in getattr(access, LISTS[one])), None)
    give_role(workspace(), name, role, person, why)
    if before and not role:
        taken(("role", name), name, partial(_give_back, name, before, person, why), person.id)


def _give_back(name: str, role: Role, person: Person, why: str) -> None:
    give_role(workspace(), name, role, person, why)
    changed()


def decide(change: Callable[[], object], done: str) -> None:
    """Do what was decided, let all views read the settings again, and say so; or say why it cannot be."""
    try:
        change()
    except RagError as error:
        st.error(plain_label(str(error)), icon=":material/block:")
        return
    changed()
    st.session_state["notice"] = done
    st.rerun()
