"""Who was shown what: the newest events of the audit, with a filter."""

import streamlit as st

from app import frame
from app.figures import table
from app.texts import say, say_html
from rag_platform.audit.hash_chain import Event
from rag_platform.people.identity import Person

_MOST = 200


def show_audit(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show the newest events; names and questions as the settings let them be recorded."""
    who = st.text_input(say("operate-audit-who"), key="audit-who", placeholder="user:ilse@example.org", max_chars=200)
    events = frame.workspace().audit.events(who=who.strip() or None, limit=_MOST)
    st.html(f'<h3 class="part">{say_html("operate-audit")}</h3>')
    if not events:
        st.html(f'<p class="quiet">{say_html("operate-audit-none")}</p>')
        return
    names = ("when", "who", "~audit-through", "what", "~audit-documents", "audit-question")
    head = [name[: name.count("~")] + say(f"operate-{name.lstrip('~')}") for name in names]
    st.html(table(say("operate-audit"), head, list(map(_row, events))))


def _row(event: Event) -> tuple[str, ...]:
    who, shown = event.who or {}, event.shown or {}
    documents = {hit["doc_id"] for name in ("hits", "cited") for hit in shown.get(name, ())}
    erased = say("operate-audit-erased")
    return (
        event.at[:19].replace("T", " "),
        str(who.get("name") or erased),
        str(who.get("interface", "")),
        say(f"operate-audit-{event.kind}") + (f" ({say('operate-audit-refused')})" if event.refused else ""),
        str(len(documents)) if event.shown is not None else erased,
        erased if "question" in event.erased else event.question or "",
    )
