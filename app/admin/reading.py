"""What somebody may read and why, and looking with their eyes."""

import streamlit as st

from app import frame
from app.admin.people import ask_name
from app.collecting.opening import workspace
from app.documents.who_reads import reasons_html
from app.figures import table
from app.rendering import Html, plain_label
from app.texts import say, say_html
from rag_platform.access.decisions import Rule
from rag_platform.core.errors import RagError
from rag_platform.core.principals import PUBLIC
from rag_platform.operations.administering.known_people import (
    SourceReading,
    known_principals,
    principals_of,
    reading_of,
)
from rag_platform.operations.rule_targets import may_read, reasons_of
from rag_platform.people.identity import Person
from rag_platform.provenance.inventory import find_document


def show_reading(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Ask whose eyes, then show what they may read, by which of their names, and a document more closely."""
    st.html(f'<p class="about">{say_html("admin-reading-about")}</p>')
    names = [one.name for one in known_principals(workspace())]
    name = ask_name(say("admin-who"), names, "reading-of").strip()
    principals = principals_of(workspace(), name) if name else ()
    extra = st.multiselect(
        say("admin-also-in"), names, key="also-in", accept_new_options=True, help=say("admin-also-in-help")
    )
    principals = tuple(dict.fromkeys((*principals, *extra)))
    if name and st.button(say("admin-see-as", name=plain_label(name)), icon=":material/visibility:", type="primary"):
        frame.see_as(name, principals)
        st.switch_page("views/search.py")
    found = reading_of(workspace(), principals)
    st.html(f'<p class="quiet">{say_html("admin-reads-as", names=", ".join(map(_named, found.names)))}</p>')
    head = [say("admin-source"), "#" + say("admin-may-read"), "~" + say("admin-because")]
    st.html(table(say("admin-reading"), head, map(_row, found.sources), kind="named"))
    if found.rules:
        st.html(Html('<h3 class="part">{}</h3>').format(say("admin-rules")))
        head = [say("admin-rule-about"), say("admin-rule"), "~" + say("admin-why")]
        st.html(table(say("admin-rules"), head, map(_rule_row, found.rules), kind="named"))
    _show_document(list(principals))


def _row(one: SourceReading) -> tuple[str, str, str]:
    because = ", ".join(map(_named, one.opened_by)) or say("admin-because-own" if one.documents else "admin-because-no")
    return one.source, say("admin-of", documents=one.documents, of=one.of), because


def _rule_row(one: Rule) -> tuple[str, str, str]:
    who = _named(one.principal)
    said = say("operate-rule-allow", who=who) if one.effect == "allow" else say("operate-rule-deny", who=who)
    return str(one.target), said, one.why


def _named(name: str) -> str:
    return say("document-readers-everyone") if name == PUBLIC else name


def _show_document(principals: list[str]) -> None:
    """Show of one document whether they may read it, and what decides."""
    st.html(Html('<h3 class="part">{}</h3>').format(say("admin-document")))
    wanted = st.text_input(say("admin-document-address"), key="reading-document", max_chars=2000).strip()
    if not wanted:
        return
    try:
        doc_id = find_document(workspace(), wanted).doc_id
        reasons = reasons_of(workspace(), doc_id)
    except RagError as error:
        st.html(f'<div class="notes">{say_html("admin-document-none", reason=str(error))}</div>')
        return
    verdict = "admin-document-yes" if may_read(workspace(), doc_id, principals) else "admin-document-no"
    st.html(f'<p role="status"><b>{say(verdict)}</b></p>{reasons_html(reasons) if reasons else ""}')
