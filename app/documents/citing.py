"""The answers that cite a document: one's own, and for admins how many there are of others."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from app import frame
from app.chat.checked import state_html, states_of
from app.documents.address import Address
from app.figures import short
from app.rendering import day_and_age, excerpt, plain_html
from app.texts import say, say_html
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.journal.receipts import Receipt

MOST = 50
"""Answers that are shown, the newest ones."""
_LONGEST = 300
"""Characters of a quote that are shown."""


def show_citing(found: DocumentState, address: Address) -> None:
    """Show what this person was answered with this document."""
    journal, person, doc_id = frame.workspace().journal, frame.person(), found.document.doc_id
    own = journal.receipts(MOST, doc_id, principal=person.id)
    if own:
        chats = frame.workspace().chats.of_answers([receipt.id for receipt in own], person.id)
        items = [_item(receipt, doc_id, chats.get(receipt.id), address) for receipt in own]
        st.html(f'<ol class="citing">{"".join(items)}</ol>')
    else:
        st.html(f'<div class="empty">{say_html("document-cited-none")}</div>')
    if person.may("admin"):
        others = journal.count_citing([doc_id]) - journal.count_citing([doc_id], person.id)
        st.html(f'<div class="quiet">{say_html("document-cited-others", count=others)}</div>')


def _item(receipt: Receipt, doc_id: str, chat: str | None, address: Address) -> str:
    moment = receipt.asked_at
    facts = [
        day_and_age(moment, datetime.now(UTC)),
        say("document-cited-version", version=short(receipt.version)),
    ]
    revision = receipt.revisions.get(doc_id, "")
    quotes = []
    for citation in receipt.citations:
        if citation.doc_id == doc_id:
            quote = excerpt(citation.quote)
            cut = quote[:_LONGEST] + ("…" if len(quote) > _LONGEST else "")
            start, end = citation.span
            link = address.link(
                say("document-cited-show"),
                tab="text",
                start=start,
                end=end,
                rev=revision or "",
                version="",
                page=None,
                at=None,
            )
            states = "".join(map(state_html, states_of(receipt.claims, citation.n)))
            quotes.append(f"<blockquote>{escape(cut)}</blockquote>{states} {link}")
    title = plain_html(receipt.question)
    if chat:
        title = f'<a class="inner" target="_self" href="./?chat={escape(chat, quote=True)}">{title}</a>'
    return (
        f'<li><div class="name">{title}</div><div class="quiet">{escape(" · ".join(facts))}</div>{"".join(quotes)}</li>'
    )
