"""With whom something is shared: groups that somebody is in, for an editor everybody."""

from collections.abc import Sequence

import streamlit as st

from app import frame
from app.texts import say
from rag_platform.core.principals import PUBLIC
from rag_platform.operations.asking.sharing import Sharer
from rag_platform.people.identity import Person


def known_readers(person: Person) -> set[str]:
    """Return the people and groups whom somebody can name: their groups, for an admin all that rules name."""
    access = frame.workspace().access
    rules = access.rules.principals() if person.may("admin") else ()
    return {*access.asker(person.principals), *rules} - {PUBLIC, person.id}


def choose_readers(chosen: Sequence[str], person: Person, key: str) -> list[str]:
    """Let somebody choose who may use what is theirs."""
    everybody = {PUBLIC} if person.may("editor") else set[str]()
    return st.multiselect(
        say("assistants-readers"),
        sorted({*known_readers(person), *chosen, *everybody}),
        [*chosen],
        format_func=reader_name,
        accept_new_options=person.may("editor"),
        placeholder=say("assistants-readers-none"),
        key=key,
    )


def reader_name(reader: str) -> str:
    """Return how people call whom something is shared with."""
    return say("assistants-everybody") if reader == PUBLIC else reader


def sharer(person: Person) -> Sharer:
    """Return who shares."""
    return Sharer(person.id, person.principals, frame.named(person), editor=person.may("editor"))
