"""Templates of questions in Ask: named behind a ! in the box, or by the address; their gaps are filled in a form."""

from collections.abc import Callable
from html import escape

import streamlit as st

from app import frame
from app.rendering import plain_html, plain_label
from app.texts import say
from rag_platform.operations.asking.assisting import asker_of
from rag_platform.people.identity import Person
from rag_platform.people.sharing.question_templates import LONGEST_TEMPLATE, QuestionTemplate
from rag_platform.people.sharing.shelf import Shelved

SIGN = "!"
"""Before a template's name in the box; a slash in an empty one leads to the search."""
MOST_OFFERED = 8
"""Templates that the box completes."""


def templates_of(person: Person) -> list[Shelved[QuestionTemplate]]:
    """Return the templates that somebody may use."""
    workspace = frame.workspace()
    return workspace.templates.of(asker_of(workspace, person.id, person.principals))


def take_template(typed: str | None, person: Person) -> str | None:
    """Return what is asked: of a template without gaps its question; one with gaps is filled first."""
    name, _, more = (typed or "").partition(" ")
    if not name.startswith(SIGN):
        return typed
    found = _find(name[1:], person)
    if found is None or not found.body.gaps:
        return f"{found.body.filled({})} {more}".strip() if found else typed
    st.session_state["template"] = found.id
    return None


def show_template(person: Person, ask: Callable[[str], None]) -> None:
    """Let the gaps of a template be filled, of the one that was named in the box or in the address, once.

    `ask` is given its question.
    """
    found = _find(st.session_state.pop("template", "") or st.query_params.pop("template", ""), person)
    if found:
        frame.dialog(plain_label(found.name))(_fill)(found, ask)


def _fill(found: Shelved[QuestionTemplate], ask: Callable[[str], None]) -> None:
    keys = {gap: f"gap-{found.id}-{number}" for number, gap in enumerate(found.body.gaps)}
    with st.form(f"template-{found.id}", border=False):
        st.html(f'<p dir="auto">{plain_html(found.body.text)}</p>')
        for gap, key in keys.items():
            st.text_input(plain_label(gap), max_chars=300, key=key)
        if st.form_submit_button(say("assistants-ask"), type="primary", on_click=_ask, args=(found.body, keys, ask)):
            st.rerun()


def _ask(template: QuestionTemplate, keys: dict[str, str], ask: Callable[[str], None]) -> None:
    values = {gap: st.session_state.get(key, "") for gap, key in keys.items()}
    ask(template.filled(values)[:LONGEST_TEMPLATE])


def _find(item: str, person: Person) -> Shelved[QuestionTemplate] | None:
    workspace = frame.workspace()
    return workspace.templates.find(item, asker_of(workspace, person.id, person.principals)) if item else None


def names_html(typed: str, person: Person) -> str:
    """Render the templates whose name or id begins as it is typed behind a !, for the box to offer."""
    begun = typed[1:].casefold()
    found = [one for one in templates_of(person) if one.id.startswith(begun) or one.name.casefold().startswith(begun)]
    kind = say("assistants-template")
    return "".join(
        f'<li data-sign="{SIGN}{escape(one.id, quote=True)}" data-kind="{kind}">{escape(one.name)}</li>'
        for one in found[:MOST_OFFERED]
    )
