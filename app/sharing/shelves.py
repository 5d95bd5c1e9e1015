"""Assistants and templates as they are listed, and with whom a chat is."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

import streamlit as st

from app import frame
from app.rendering import plain_html
from app.sharing.readers import reader_name
from app.texts import say, say_html
from rag_platform.operations.asking.assisting import asker_of
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.people.sharing.shelf import Shelved


def may_keep(person: Person) -> bool:
    """Return whether somebody can come back to what they make: a visitor is nobody once the tab is closed."""
    return not person.id.startswith("visitor:")


def assistants_of(person: Person) -> list[Shelved[Assistant]]:
    """Return whom somebody may ask."""
    workspace = frame.workspace()
    return workspace.assistants.of(asker_of(workspace, person.id, person.principals))


def assistant_of(chat: Chat | None, person: Person) -> Shelved[Assistant] | None:
    """Return whom a chat is with; of one that is yet to begin, whom the address names; None: nobody, or no more."""
    workspace = frame.workspace()
    item = chat.assistant if chat else st.query_params.get("assistant", "")
    return workspace.assistants.find(item, asker_of(workspace, person.id, person.principals)) if item else None


def begin_chat(title: str, person: Person) -> str:
    """Begin a chat with whom the address names, and return its id."""
    found = assistant_of(None, person)
    return frame.workspace().chats.begin(title, person.id, found.id if found else "")


def list_html(items: Sequence[Shelved[Assistant]] | Sequence[Shelved[QuestionTemplate]], person: Person) -> str:
    """Render links to what is used in Ask, and for their owner the way to change them."""
    return f'<ul class="watches">{"".join(_item(one, person) for one in items)}</ul>'


def _item(item: Shelved[Assistant] | Shelved[QuestionTemplate], person: Person) -> str:
    kind, text = ("assistant", item.body.about) if isinstance(item.body, Assistant) else ("template", item.body.text)
    address = escape(f"./?{kind}={quote(item.id)}", quote=True)
    about = f'<div dir="auto">{plain_html(text)}</div>' if text else ""
    name = f'<a class="inner name" href="{address}" target="_self">{plain_html(item.name)}</a>'
    way = _edit(kind, item.id, item.name) if item.owner == person.id else ""
    whose = _whose(item.owner, item.readers, person)
    return f'<li><div dir="auto">{name}</div>{about}<div class="quiet">{whose}{way}</div></li>'


def _edit(kind: str, item: str, name: str) -> str:
    address = escape(f"assistants?{'edit' if kind == 'assistant' else kind}={quote(item)}", quote=True)
    named = escape(say("assistants-edit-named", name=name), quote=True)
    return f' · <a class="inner" href="{address}" target="_self" aria-label="{named}">{say("assistants-edit")}</a>'


def _whose(owner: str, readers: Sequence[str], person: Person) -> str:
    if owner != person.id:
        return say_html("assistants-of-others", owner=owner.removeprefix("user:") or "admin")
    if not readers:
        return say_html("assistants-own")
    return say_html("assistants-shared", readers=", ".join(map(reader_name, readers)))


def choice_html(items: Sequence[Shelved[Assistant]]) -> str:
    """Render whom one may ask, as links."""
    links = " ".join(
        f'<a class="inner" dir="auto" href="{escape(f"./?assistant={quote(one.id)}", quote=True)}" '
        f'target="_self">{plain_html(one.name)}</a>'
        for one in items
    )
    title = escape(say("assistants-title"), quote=True)
    return f'<nav class="assistants" aria-label="{title}"><div class="quiet">{title}</div>{links}</nav>'


def greeting_html(item: Shelved[Assistant]) -> str:
    """Render who answers, to somebody who has not asked yet."""
    about = f'<p dir="auto">{plain_html(item.body.about)}</p>' if item.body.about else ""
    return f'<h3 dir="auto">{plain_html(item.name)}</h3>{about}'
