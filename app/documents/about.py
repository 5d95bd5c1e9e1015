"""What is known of a document: what it says of itself, and where it came from."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from app.figures import short
from app.rendering import age
from app.texts import say, say_day, say_moment
from rag_platform.config.sections.sources import NO_COLLECTION
from rag_platform.index.catalog.catalog import StoredDocument
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.text.cleaning import clean_line


def own_collection(name: str) -> str:
    """Return a document's collection; that of documents in none is no name that somebody gave."""
    return "" if name == NO_COLLECTION else name


def facts_html(document: StoredDocument) -> str:
    """Render, in a line, what one wants to know before reading."""
    line = [fact for fact in (document.author, own_collection(document.collection), document.type) if fact]
    line += [say("document-line-owner", owner=document.owner)] if document.owner else []
    moment = document.published_at or document.updated_at or document.fetched_at
    if moment:
        key = "published" if document.published_at else "updated" if document.updated_at else "fetched"
        line.append(say(f"document-line-{key}", date=say_day(moment), age=age(moment, datetime.now(UTC))))
    return f'<div class="quiet">{escape(" · ".join(line))}</div>'


def facts(found: DocumentState) -> list[tuple[str, str]]:
    """Return what is known, as (name of the text that says what it is, value); what is not known is left out."""
    document, about = found.document, found.catalog.about(found.document.doc_id)
    now = datetime.now(UTC)

    def when(moment: datetime | None) -> str:
        if moment is None:
            return ""
        known = f"{say_moment(moment)} UTC" if (moment.hour, moment.minute) != (0, 0) else say_day(moment)
        return f"{known} ({age(moment, now)})"

    values = {
        "title": document.title,
        "author": document.author,
        "owner": document.owner,
        "language": document.language if document.language != "und" else "",
        "published": when(document.published_at),
        "updated": when(document.updated_at),
        "fetched": when(document.fetched_at),
        "collection": own_collection(document.collection),
        "source": document.source,
        "address": clean_line(document.uri),
        "type": document.type,
        "pages": f"{len(document.pages):,}" if document.pages else "",
        "characters": f"{len(document.text):,}",
        "passages": f"{found.catalog.chunk_count(document.doc_id):,}",
        "parser": about.get("format"),
        "version": short(found.version),
    }
    return [(name, value) for name, value in values.items() if value]


def identifiers(found: DocumentState) -> list[tuple[str, str]]:
    """Return by what the platform knows a document and how it was made; people rarely want it."""
    document = found.document
    values = {
        "version": found.version,
        "revision": document.revision,
        "raw": document.raw_sha256,
        "run": document.run_id,
        "stage": found.catalog.about(document.doc_id).get("stage_key"),
    }
    return [(name, value) for name, value in values.items() if value]


def show_about(found: DocumentState) -> None:
    """Show all that is known."""
    rows = "".join(_row(name, _value(name, value)) for name, value in facts(found))
    document = found.document
    tags = "".join(f'<span class="state">{escape(tag)}</span> ' for tag in document.tags)
    flags = "".join(f"<li>{escape(flag)}</li>" for flag in document.flags)
    rows += _row("tags", tags) if tags else ""
    rows += _row("flags", f"<ul>{flags}</ul>") if flags else ""
    lost = "".join(f"<li>{loss['count']:,} {escape(loss['what'])}</li>" for loss in document.losses)
    rows += _row("losses", f"<ul>{lost}</ul>") if lost else ""
    ids = "".join(_row(name, f"<code>{escape(value)}</code>") for name, value in identifiers(found))
    folded = f"<summary>{escape(say('document-about-ids'))}</summary><dl>{ids}</dl>"
    st.html(f'<div class="about-document"><dl>{rows}</dl><details class="more">{folded}</details></div>')


def _row(name: str, html: str) -> str:
    return f"<dt>{escape(say(f'document-about-{name}'))}</dt><dd>{html}</dd>"


def _value(name: str, value: str) -> str:
    return f"<code>{escape(value)}</code>" if name == "address" else escape(value)
