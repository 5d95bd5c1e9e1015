"""Which documents a grid is about: what the address names, a search, a collection, or titles that are looked up."""

from collections.abc import Sequence

import streamlit as st

from app import frame
from app.rendering import FIND
from app.searching.params import SearchParams
from app.texts import say
from rag_platform.core.hits import Filters
from rag_platform.operations.grids.grid_making import documents_found, documents_in
from rag_platform.operations.search_scope import known_collections
from rag_platform.people.grids.grid import MOST_ROWS
from rag_platform.people.identity import Person

FEW = 20
"""Documents of a search that are asked, if nothing else is chosen."""
_OFFERED = 50
"""Titles that have the letters."""


def named_collections() -> list[str]:
    """Return the collections that the address names, where it names no search and no documents."""
    query = st.query_params
    return [] if FIND in query or "document" in query else query.get_all("collection")


def named_documents(person: Person, most: int) -> list[str]:
    """Return the documents that the address names, or leads to: by a search, by collections.

    Raises:
        NotFound: it names what they may not read.
        SettingsError: these are too many.
    """
    query, settings = st.query_params, frame.workspace().settings.retrieval
    if asked := query.get(FIND, "").strip():
        filters = SearchParams.of(query, asked, settings.mode, settings.match).filters(person.principals)
        frame.workspace().rates.take("searches", person.id)
        return documents_found(frame.workspace(), asked, filters, most, frame.named(person))
    if documents := query.get_all("document"):
        found = documents_in(frame.workspace(), Filters(documents=tuple(documents), principals=person.principals))
        return [one for one in documents if one in found]
    if collections := named_collections():
        return documents_in(frame.workspace(), Filters(collections=tuple(collections), principals=person.principals))
    return []


def show_named(person: Person) -> int | None:
    """Show which documents the address names; returns how many of a search are wanted. None: it names none."""
    query = st.query_params
    if asked := query.get(FIND, "").strip():
        label = say("grids-from-search", question=asked)
        return int(st.number_input(label, 1, MOST_ROWS, FEW, key="grid-most"))
    if documents := query.get_all("document"):
        st.html(f'<p class="quiet">{say("grids-from-chosen", count=len(documents))}</p>')
    elif named_collections():
        count = len(named_documents(person, MOST_ROWS))
        st.html(f'<p class="quiet">{say("grids-from-collections", count=count)}</p>')
    else:
        return None
    return MOST_ROWS


def choose_documents(person: Person, key: str) -> tuple[list[str], list[str]]:
    """Let somebody look documents up by their titles, or choose collections; returns the documents, and these."""
    workspace, held = frame.workspace(), st.session_state.setdefault(f"{key}-titles", {})
    words = st.text_input(say("grids-find-documents"), key=f"{key}-find", type="search", live="200ms")
    found = workspace.versions.live().catalog.titled((words or "").strip(), person.principals, _OFFERED)
    titles: dict[str, str] = {row["doc_id"]: row["title"] or row["uri"] for row in found}
    chosen: Sequence[str] = st.session_state.get(f"{key}-documents", ())
    held |= {one: title for one, title in titles.items() if one not in held}
    options = [*chosen, *(one for one in titles if one not in chosen)]
    documents = st.multiselect(say("grids-documents"), options, key=f"{key}-documents", format_func=held.__getitem__)
    if words and not titles:
        st.html(f'<p class="quiet" role="status">{say("grids-found-none")}</p>')
    known = sorted(known_collections(workspace, person.principals))
    return documents, st.multiselect(say("grids-collections"), known, key=f"{key}-collections") if known else []


def chosen_documents(documents: Sequence[str], collections: Sequence[str], person: Person) -> list[str]:
    """Return what was chosen, with the documents of the collections, each once.

    Raises:
        SettingsError: these are too many.
    """
    filters = Filters(collections=tuple(collections), principals=person.principals)
    return [*dict.fromkeys([*documents, *(documents_in(frame.workspace(), filters) if collections else ())])]
