"""Tokens of programs: made, limited, revoked. A token is shown once, when it is made."""

from contextlib import suppress

import streamlit as st

from app import frame
from app.collecting.opening import who, workspace
from app.figures import table
from app.rendering import age, plain_label
from app.texts import say, say_html
from app.undo import settle, taken
from rag_platform.core.errors import NotFound, RagError
from rag_platform.operations.administering.known_people import known_principals
from rag_platform.people.identity import Person
from rag_platform.people.tokens import SCOPES, USUAL, Token, Tokens


def show_tokens(person: Person) -> None:
    """Show the tokens that there are, and make another."""
    tokens = Tokens(frame.workspace().journal)
    st.html(f'<p class="about">{say_html("admin-tokens-about")}</p>')
    with st.container(key="made"):  # always there: what comes below keeps its place
        if made := st.session_state.get("made-token"):
            _show_made(*made)
    found = tokens.list()
    if found:
        head = [say("admin-name"), say("admin-scopes"), "~" + say("admin-reads"), "~" + say("admin-limited"),
                "~" + say("admin-made")]  # fmt: skip
        st.html(table(say("admin-tokens"), head, map(_row, found), kind="named"))
        _offer_revoking([one.name for one in found], person)
    else:
        st.html(f'<div class="empty">{say("admin-no-tokens")}</div>')
    with st.expander(say("admin-token-new"), icon=":material/key:", expanded=not found):
        _form(tokens, person)


def _show_made(name: str, text: str) -> None:
    st.html(f'<div class="notes" role="status"><p>{say_html("admin-token-once", name=name)}</p></div>')
    st.code(text, language=None, wrap_lines=True)
    st.button(say("admin-token-noted"), icon=":material/check:", on_click=st.session_state.pop, args=("made-token",))


def _row(one: Token) -> tuple[str, ...]:
    made = say("admin-made-by", age=age(one.created_at), who=one.created_by or "–")
    limited = ", ".join(one.collections) or say("admin-unlimited")
    return one.name, ", ".join(one.scopes), ", ".join(one.principals) or say("admin-public"), limited, made


def _form(tokens: Tokens, person: Person) -> None:
    names = [one.name for one in known_principals(workspace())]
    collections = sorted({source.collection for source in workspace().settings.sources})
    with st.form("token", border=False, clear_on_submit=False):
        name = st.text_input(say("admin-name"), max_chars=64, placeholder="ci")
        scopes = st.multiselect(
            say("admin-scopes"), SCOPES, default=USUAL, format_func=lambda one: f"{one}: {say(f'admin-scope-{one}')}"
        )
        readers = st.multiselect(say("admin-reads"), names, accept_new_options=True, help=say("admin-reads-help"))
        within = st.multiselect(
            say("admin-limited"), collections, accept_new_options=True, placeholder=say("admin-unlimited")
        )
        sent = st.form_submit_button(say("admin-token-make"), type="primary", icon=":material/add:")
    if not sent:
        return
    try:
        settle(("token", name.strip()))  # one of that name that was just revoked stays so
        text = tokens.create(name.strip(), scopes, readers, collections=within, who=who(person))
    except RagError as error:
        st.error(plain_label(str(error)), icon=":material/block:")
        return
    st.session_state["made-token"] = (name.strip(), text)
    st.rerun()


def _offer_revoking(names: list[str], person: Person) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="revoking"):
        name = st.selectbox(say("admin-token"), names, index=None, key="revoke", placeholder=say("admin-token-which"))
        label = say("admin-revoke")
        st.button(
            label,
            icon=":material/block:",
            disabled=name is None,
            key="revoke-now",
            help=say("admin-revoke-means"),
            on_click=_revoke,
            args=(name, person),
        )


def _revoke(name: str, person: Person) -> None:
    st.session_state["revoke"] = None
    with suppress(NotFound):  # another tab was faster
        taken(("token", name), name, Tokens(frame.workspace().journal).revoke(name), person.id)
