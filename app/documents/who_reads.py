"""Who may read a document now, for admins, and closing it at once."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from app import frame
from app.texts import say, say_day, say_html
from rag_platform.access.decisions import Target
from rag_platform.access.reasons import Reasons
from rag_platform.core.principals import PUBLIC
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.people.identity import Person


def show_who_reads(found: DocumentState, person: Person) -> None:
    """Show an admin who may read a document, who decided so, and a way to close it."""
    reasons = found.catalog.reasons(found.document.doc_id)
    if reasons is None or not person.may("admin"):
        return
    st.html(f'<h3 class="part">{say("document-readers")}</h3>{reasons_html(reasons)}')
    with st.popover(say("document-close"), icon=":material/lock:"):
        st.html(say_html("document-close-note"))
        why = st.text_input(say("document-close-why"), key="close-why")
        if st.button(say("document-close-now"), type="primary", disabled=not why.strip(), key="close-now"):
            target = Target("document", found.document.doc_id)
            frame.workspace().access.rules.set(target, deny=[PUBLIC], who=person.id or person.name, why=why.strip())
            st.rerun()


def reasons_html(reasons: Reasons) -> str:
    """Render who may read a document, who says so, and every rule about it."""
    rows = [(say("document-readers-are"), _named(reasons.readers)), (say("document-readers-by"), reasons.named_by)]
    rows += [(say("document-readers-denied"), _named(reasons.denied))] if reasons.denied else []
    rows += [
        (
            say(f"document-readers-{one.effect}", who=_named([one.principal])),
            f"{one.why} ({one.who}, {say_day(one.at)})",
        )
        for one in reasons.rules
    ]
    shown = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f'<div class="about-document"><dl>{shown}</dl></div>'


def _named(principals: Sequence[str]) -> str:
    named = [say("document-readers-everyone") if one == PUBLIC else one for one in principals]
    return ", ".join(named) or say("document-readers-nobody")
