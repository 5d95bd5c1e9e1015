"""Assistants and templates of questions: one's own, and those that others share; one is changed by its address."""

from collections.abc import Sequence

import streamlit as st

from app import frame
from app.navigation import set_title
from app.rendering import plain_label
from app.sharing.readers import choose_readers, sharer
from app.sharing.shelves import assistants_of, list_html, may_keep
from app.sharing.templates import templates_of
from app.texts import say
from app.undo import taken
from rag_platform.core.errors import RagError
from rag_platform.operations.asking.sharing import keep_item
from rag_platform.operations.search_scope import known_collections
from rag_platform.people.identity import Person
from rag_platform.people.sharing.assistants import LONGEST_INSTRUCTIONS, LONGEST_LINE, MOST_STARTERS, Assistant
from rag_platform.people.sharing.question_templates import LONGEST_TEMPLATE, QuestionTemplate
from rag_platform.people.sharing.shelf import LONGEST_NAME, Body, Shelf, Shelved
from rag_platform.text.cleaning import clean

NEW = "new"
"""In the address: of one that is yet to be made."""


def show_list(person: Person) -> None:
    """Show whom somebody may ask, and the way to make another."""
    st.html(f'<h2 class="title">{say("assistants-title")}</h2><p class="quiet">{say("assistants-about")}</p>')
    if st.button(say("assistants-new"), icon=":material/add:", type="primary", key="new"):
        st.query_params["edit"] = NEW
        st.rerun()
    items = assistants_of(person)
    if items:
        st.html(list_html(items, person))
    else:
        st.html(f'<div class="empty">{say("assistants-none")}</div>')
    st.html(
        f'<h2 class="title">{say("assistants-templates")}</h2><p class="quiet">{say("assistants-templates-about")}</p>'
    )
    if st.button(say("assistants-template-new"), icon=":material/add:", key="new-template"):
        st.query_params["template"] = NEW
        st.rerun()
    st.html(list_html(templates_of(person), person))


def show_template_form(item: Shelved[QuestionTemplate] | None, person: Person) -> None:
    """Let somebody write a template, a new one or one of theirs."""
    key = item.id if item else NEW
    st.html(_head("assistants-template-change" if item else "assistants-template-new"))
    with st.form(f"template-{key}", border=False):
        name = st.text_input(say("assistants-name"), item.name if item else "", max_chars=LONGEST_NAME)
        help_, text = say("assistants-template-help"), item.body.text if item else ""
        text = st.text_area(say("assistants-template-text"), text, max_chars=LONGEST_TEMPLATE, help=help_)
        readers = choose_readers(item.readers if item else (), person, f"template-readers-{key}")
        saved = st.form_submit_button(say("assistants-save"), type="primary")
    shelf = frame.workspace().templates
    if saved:
        _save(shelf, item, name or "", QuestionTemplate(clean(text or "").strip()), readers, person)
    if item:
        _offer_removal(shelf, item, person)


def show_form(item: Shelved[Assistant] | None, person: Person) -> None:
    """Let somebody describe an assistant, a new one or one of theirs."""
    body, key = item.body if item else Assistant(), item.id if item else NEW
    st.html(_head("assistants-change" if item else "assistants-new"))
    with st.form(f"assistant-{key}", border=False):
        name = st.text_input(say("assistants-name"), item.name if item else "", max_chars=LONGEST_NAME)
        made = _described(body, person)
        readers = choose_readers(item.readers if item else (), person, f"readers-{key}")
        saved = st.form_submit_button(say("assistants-save"), type="primary")
    shelf = frame.workspace().assistants
    if saved:
        _save(shelf, item, name or "", made, readers, person)
    if item:
        st.html(f'<p class="quiet">{say("assistants-model", model=f"rag/assistant:{item.id}")}</p>')
        _offer_removal(shelf, item, person)


def _head(title: str) -> str:
    set_title(say(title))
    way = f'<a class="inner" href="assistants" target="_self">{say("assistants-all")}</a>'
    return f'<p class="ways">{way}</p><h2 class="title">{say(title)}</h2>'


def _offer_removal(shelf: Shelf[Body], item: Shelved[Body], person: Person) -> None:
    if st.button(say("assistants-remove"), icon=":material/delete:", type="tertiary", key="remove"):
        taken((shelf.kind, item.id), item.name, shelf.remove(item.id, person.id), person.id)
        st.query_params.clear()
        st.rerun()


def _described(body: Assistant, person: Person) -> Assistant:
    """Ask what an assistant is."""
    workspace = frame.workspace()
    collections = {*known_collections(workspace, person.principals), *body.collections}
    generators = dict.fromkeys((*workspace.generators.choices(), *filter(None, (body.generator,))))
    about = st.text_input(say("assistants-for"), body.about, max_chars=LONGEST_LINE)
    told = st.text_area(
        say("assistants-instructions"),
        body.instructions,
        max_chars=LONGEST_INSTRUCTIONS,
        help=say("assistants-instructions-help"),
    )
    chosen = st.multiselect(
        say("assistants-collections"), sorted(collections), body.collections, placeholder=say("assistants-all-of-them")
    )
    writer = st.selectbox(
        say("assistants-writer"),
        generators,
        [*generators].index(body.generator) if body.generator else None,
        frame.writer_name,
        placeholder=say("assistants-any-writer"),
    )
    starters = st.text_area(say("assistants-starters", most=MOST_STARTERS), "\n".join(body.starters))
    lines = tuple((starters or "").splitlines())
    return Assistant(about or "", told or "", tuple(chosen), writer or "", lines).trimmed()


def _save(
    shelf: Shelf[Body], item: Shelved[Body] | None, name: str, body: Body, readers: Sequence[str], person: Person
) -> None:
    try:
        keep_item(frame.workspace(), shelf, name, body, readers, sharer(person), item.id if item else None)
    except RagError as error:
        st.warning(plain_label(str(error)))
        return
    st.query_params.clear()
    st.rerun()


def main(person: Person) -> None:
    """Show what the address names, or all of them."""
    if not may_keep(person):
        st.html(f'<div class="empty">{say("assistants-visitor")}</div>')
        return
    named, template = st.query_params.get("edit"), st.query_params.get("template")
    own = {one.id: one for one in assistants_of(person) if one.owner == person.id}
    written = {one.id: one for one in templates_of(person) if one.owner == person.id}
    if named and (named == NEW or named in own):
        show_form(own.get(named), person)
        return
    if template and (template == NEW or template in written):
        show_template_form(written.get(template), person)
        return
    if named or template:
        st.html(f'<div class="notes"><p>{say("assistants-gone")}</p></div>')
    show_list(person)


main(frame.person())
