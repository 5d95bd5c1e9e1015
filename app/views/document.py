"""Document: its text, the original beside it, and what is known of both. All state is in the address."""

from html import escape

import streamlit as st

from app import frame
from app.documents.about import facts_html, show_about
from app.documents.address import TABS, Address, address_of
from app.documents.attached import show_attached_text
from app.documents.citing import show_citing
from app.documents.history import show_history
from app.documents.original import show_original
from app.documents.passages import show_passages
from app.documents.text import show_contents, show_text
from app.documents.who_reads import show_who_reads
from app.figures import short
from app.helping import help_html
from app.navigation import set_title
from app.rendering import ask_about_html, plain_label, tags_html
from app.texts import say, say_html
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.index.releases.document_history import DocumentState, document_state, revisions
from rag_platform.provenance.openings import open_document
from rag_platform.text.instructions.injection import INSTRUCTS

SHOWN_TAGS = 8


def find(address: Address) -> tuple[DocumentState | None, bool]:
    """Return the document as the address asks for it, and whether it is another version than it asks for."""
    versions, principals = frame.workspace().versions, frame.person().principals
    if not address.doc:
        return None, False
    if address.version:
        found = document_state(versions, address.doc, principals, versions.form(address.version))
        if found:
            return found, False
    return document_state(versions, address.doc, principals), bool(address.version)


def note_opening(found: DocumentState | None, address: Address) -> None:
    """Record once for each visit that a document was opened, or refused: the page runs again at every click."""
    opened = (address.doc, found and found.version, found is None)
    if address.doc and st.session_state.get("audited") != opened:
        st.session_state["audited"] = opened
        who = frame.person()
        open_document(
            frame.workspace(),
            address.doc,
            who.principals,
            version=found.version if found else None,
            who=frame.named(who),
        )


def show_head(found: DocumentState, address: Address) -> None:
    """Show the title, the facts that matter first, what one should know, and the tabs."""
    document = found.document
    set_title(document.title or document.uri)
    title = escape(document.title or document.uri)
    words = say("document-ask"), say("document-ask-selected")
    about = ask_about_html(words[0], documents=[document.doc_id], selected=words[1]) if found.live else ""
    st.html(
        f'<div class="document-head"><h2 class="title" dir="auto">{title}</h2>{facts_html(document)}'
        f"{tags_html(document.tags[:SHOWN_TAGS])}{about}</div>"
    )
    for flag in (flag for flag in document.flags if flag.startswith(INSTRUCTS)):
        st.warning(say("document-instructs", how=plain_label(flag)), icon=":material/gpp_maybe:")
    links = "".join(
        address.link(say(f"document-tab-{tab}"), tab=tab, part=1, current=tab == address.tab) for tab in TABS
    )
    st.html(f'<nav class="tabs" aria-label="{escape(say("document-tabs"), quote=True)}">{links}</nav>')


def warn(found: DocumentState, address: Address, *, elsewhere: bool) -> tuple[int, int] | None:
    """Warn of what is not as the address expects; return the span that can be highlighted."""
    document, live = found.document, frame.workspace().versions.live_id()
    if elsewhere:
        st.warning(say("document-no-such-version"), icon=":material/link_off:")
    if address.version and found.version == frame.workspace().versions.form(address.version) and found.version != live:
        _note(
            "document-older",
            short(found.version),
            address.link(say("document-newest"), version="", rev="", old="", new=""),
        )
    elif not found.live:
        st.warning(say("document-removed", version=short(found.version)), icon=":material/history:")
    if address.rev not in ("", document.revision):
        st.warning(say("document-changed"), icon=":material/history:")
        st.html(help_html("moved"))
        if version := _version_of(document, address.rev):
            st.html(f'<div class="ways">{address.link(say("document-changed-read"), version=version)}</div>')
        return None if address.span and address.span[1] > len(document.text) else address.span
    if (address.start, address.end) != (None, None) and (not address.span or address.span[1] > len(document.text)):
        st.warning(say("document-no-such-span"), icon=":material/link_off:")
        return None
    return address.span


def _version_of(document: StoredDocument, revision: str) -> str | None:
    """Name a version that has that revision of a document."""
    known = revisions(frame.workspace().versions, document.doc_id, frame.person().principals)
    return next((one.version for one in known if one.revision == revision), None)


def _note(key: str, version: str, link: str) -> None:
    st.html(f'<div class="notes"><p>{say_html(key, version=version)} {link}</p></div>')


def show_reader(found: DocumentState, address: Address, span: tuple[int, int] | None) -> None:
    """Show the contents, the text, and the original beside it where there is room."""
    with st.container(key="reader"):
        with st.container(key="reader-contents"):
            show_contents(found.document, address)
        with st.container(key="reader-text"):
            show_text(found.document, address, span)
        with st.container(key="reader-original"):
            show_original(found, address, span)


address = address_of(st.query_params)
note = frame.version_note()
found, elsewhere = find(address)
attached = None if found else frame.workspace().attachments.document(address.doc, frame.person().id)
if attached is None:
    note_opening(found, address)
if attached:
    show_attached_text(attached, address)
elif found is None:
    st.html(f'<div class="empty">{say_html("document-gone")}{help_html("permission")}</div>')
    st.page_link("views/search.py", label=say("document-search"), icon=":material/search:")
else:
    show_head(found, address)
    span = warn(found, address, elsewhere=elsewhere)
    match address.tab:
        case "text":
            show_reader(found, address, span)
        case "original":
            with st.container(key="original-alone"):
                show_original(found, address, span)
        case "about":
            show_about(found)
            show_who_reads(found, frame.person())
        case "history":
            show_history(found, address)
        case "passages":
            show_passages(found, address)
        case "cited":
            show_citing(found, address)
st.html(note)
