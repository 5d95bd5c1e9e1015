"""What is asked before something is made, changed or deleted."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from app import frame
from app.collecting.opening import changed, who, workspace
from app.collecting.showing import LANGUAGES, language_name, readers_text
from app.rendering import plain_label
from app.texts import say, say_html
from app.undo import take_away
from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_editing import remove_source
from rag_platform.core.errors import NotFound, OrchestratorError, RagError
from rag_platform.core.principals import PUBLIC
from rag_platform.operations.background_jobs import start_sync
from rag_platform.operations.removal import Removal, plan_collection, plan_source
from rag_platform.operations.runs import launch
from rag_platform.people.identity import Person
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection
from rag_platform.workspace import Workspace


def make_collection(collections: Collections, person: Person) -> None:
    """Ask for what a new collection is called and who may read it."""
    frame.dialog(say("collections-new"))(_make)(collections, person)


def _make(collections: Collections, person: Person) -> None:
    given = _collection_form(collections, person, None)
    if given is None:
        return
    try:
        made = collections.create(**given, owner=who(person))
    except RagError as error:
        st.error(plain_label(str(error)))
        return
    st.query_params["collection"] = made.id
    st.rerun()


def edit_collection(collections: Collections, one: Collection, person: Person) -> None:
    """Ask what is to be changed of a collection."""
    frame.dialog(say("collections-edit"))(_edit)(collections, one, person)


def _edit(collections: Collections, one: Collection, person: Person) -> None:
    given = _collection_form(collections, person, one)
    if given is None:
        return
    try:
        collections.change(one.id, **given)
    except RagError as error:
        st.error(plain_label(str(error)))
        return
    st.rerun()


def readers_offered(allowed: Sequence[str], person: Person, chosen: Sequence[str] = ()) -> list[str]:
    """Return who may be chosen as readers: as whom the person reads, as far as the source allows it."""
    own = [one for one in person.principals if PUBLIC in allowed or one in allowed]
    return list(dict.fromkeys([*own, *(one for one in chosen if one != PUBLIC)]))


def _collection_form(collections: Collections, person: Person, one: Collection | None) -> dict[str, Any] | None:
    chosen = [] if one is None or set(one.principals) == set(collections.principals) else list(one.principals)
    offered = readers_offered(collections.principals, person, chosen)
    with st.form("collection", border=False):
        title = st.text_input(
            say("collections-field-title"),
            value=one.title if one else "",
            max_chars=200,
            placeholder=say("collections-hint-title"),
        )
        about = st.text_area(
            say("collections-field-description"), value=one.description if one else "", max_chars=2000, height=90
        )
        codes = list(LANGUAGES) if one is None or (one.language or "") in LANGUAGES else [*LANGUAGES, one.language]
        language = st.selectbox(
            say("collections-language-field"),
            codes,
            index=codes.index(one.language or "") if one else 0,
            format_func=language_name,
            help=say("collections-language-help"),
        )
        readers = chosen
        if offered:
            readers = st.multiselect(
                say("collections-field-readers"),
                offered,
                default=chosen,
                placeholder=readers_text(collections.principals),
                help=say("collections-help-readers"),
            )
        else:
            note = say("collections-read-by", who=readers_text(collections.principals))
            st.caption(plain_label(note))
        if not st.form_submit_button(say("collections-save" if one else "collections-create"), type="primary"):
            return None
    return {"title": title, "description": about, "language": language or None, "principals": readers}


def delete_collection(collections: Collections, one: Collection, person: Person) -> None:
    """Show what goes with a collection, and ask once more."""
    frame.dialog(say("collections-delete-title"))(_delete_collection)(collections, one, person)


def _delete_collection(collections: Collections, one: Collection, person: Person) -> None:
    st.html(f"<p>{say('collections-delete-files', count=one.files)}</p>")
    _show(plan_collection(workspace(), collections.source, one.id))
    if _confirmed(one.title):
        key = "collection", collections.source, one.id
        take_away(key, one.title, partial(_remove_collection, collections, one.id, who(person)), person.id)
        st.query_params.pop("collection", None)
        st.rerun()


def delete_source(source: str, person: Person) -> None:
    """Show what goes with a source, and ask once more."""
    frame.dialog(say("collections-delete-source-title"))(_delete_source)(source, person)


def _delete_source(source: str, person: Person) -> None:
    _show(plan_source(workspace(), source))
    st.html(f'<p class="quiet">{say_html("collections-delete-kept", id=source)}</p>')
    if _confirmed(source):
        take_away(("source", source), source, partial(_remove_source, workspace(), source, who(person)), person.id)
        st.query_params.from_dict({"show": "sources"})
        st.rerun()


def _remove_collection(collections: Collections, collection: str, by: str) -> None:
    with suppress(NotFound):  # somebody else was faster
        collections.delete(collection, who=by)


def _remove_source(opened: Workspace, source: str, by: str) -> None:
    """Take a source out of the settings, and what was read of it out of the index."""
    remove_source(opened.settings.home, source)
    changed()
    without = Workspace(load_settings(opened.settings.home))
    try:
        launch(without, None, who=by, reload=True)
    except OrchestratorError:  # there is none, or it is away
        start_sync(without, [])


def _show(planned: Removal) -> None:
    lines = [
        say("collections-delete-index", documents=planned.documents, chunks=planned.chunks),
        say("collections-delete-answers", answers=planned.answers),
        say("collections-delete-last") if planned.last else "",
        say("collections-delete-gate") if planned.documents else "",
    ]
    st.html("".join(f"<p>{line}</p>" for line in lines if line))


def _confirmed(name: str) -> bool:
    """Ask for the exact name; the button waits for it."""
    typed = st.text_input(plain_label(say("collections-type-name", name=name)), live=True, key="confirm")
    return st.button(
        say("collections-delete"), type="primary", icon=":material/delete:", disabled=(typed or "").strip() != name
    )
