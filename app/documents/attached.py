"""A text that is attached to a chat of the reader's: shown at the span that an answer cites."""

from html import escape

import streamlit as st

from app.documents.address import Address
from app.documents.text import document_html, part_of
from app.navigation import set_title
from app.texts import say
from rag_platform.answering.attached.attached_index import AttachedDocument


def show_attached_text(document: AttachedDocument, address: Address) -> None:
    """Show the part of the text that is cited, or its beginning."""
    set_title(document.title)
    note = f'<div class="quiet">{escape(document.name)} · {say("document-attached")}</div>'
    st.html(f'<div class="document-head"><h2 class="title" dir="auto">{escape(document.title)}</h2>{note}</div>')
    span = address.span if address.span and address.span[1] <= len(document.text) else None
    start, end = part_of(document.text, span[0] if span else 0)
    text = document_html(document.text[start:end], span, document.pages, start)
    st.html(f'<div class="document" lang="{escape(document.language, quote=True)}" dir="auto">{text}</div>')
