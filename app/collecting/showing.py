"""Collections, files, sources and previews as HTML, in which all of others' is escaped."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape

from app.figures import size
from app.rendering import age, link
from app.texts import say
from rag_platform.core.principals import PUBLIC
from rag_platform.core.urls import shown
from rag_platform.operations.status.source_status import SourceState
from rag_platform.operations.status.upload_status import STATES, FileStatus
from rag_platform.raw.preview import Preview
from rag_platform.sources.uploads.records import Collection

LANGUAGES = ("", "ar", "zh", "en", "fr", "de", "hi", "it", "ja", "ne", "pt", "ru", "es")
ORDER = ("failed", "excluded", "forgotten", *STATES)
"""Those first that want somebody's attention."""
_CLASSES = {"live": "good", "failed": "bad", "excluded": "odd", "forgotten": "odd"}
_BETWEEN = " · "
_SECRET = re.compile(r"pass|secret|token|key", re.IGNORECASE)
_HIDDEN = "***"


def language_name(code: str | None) -> str:
    """Return what people call a language."""
    return say("collections-language", code=code or "none", other=code or "")


def readers_text(principals: Sequence[str]) -> str:
    """Return who may read."""
    return say("collections-everyone") if PUBLIC in principals else ", ".join(principals)


def collection_html(one: Collection) -> str:
    """Render what the list tells of a collection, below its title."""
    about = f'<div class="about">{escape(one.description)}</div>' if one.description else ""
    return f'{about}<div class="quiet">{_collection_facts(one)}</div>'


def states_html(states: Mapping[str, int]) -> str:
    """Render how many files are in which state."""
    chips = "".join(
        f'<span class="state {_CLASSES.get(state, "waiting")}">{states[state]:,} '
        f"{escape(say(f'collections-short-{state}'))}</span> "
        for state in reversed(ORDER)
        if states.get(state)
    )
    return f'<div class="states">{chips}</div>' if chips else ""


def file_html(status: FileStatus) -> str:
    """Render a file: its name, how far it has come, and why no further."""
    file, now = status.file, datetime.now(UTC)
    added = "collections-added-by" if file.added_by else "collections-added"
    facts = [
        size(file.size),
        say(added, age=age(file.added_at, now), **({"who": file.added_by} if file.added_by else {})),
        say("collections-revision", number=file.revision) if file.revision > 1 else None,
        say("collections-passages", count=status.chunks) if status.chunks else None,
    ]
    reason = f'<div class="reason">{escape(status.reason)}</div>' if status.reason else ""
    return (
        f'<div class="file"><div class="name">{_opens(status)}</div>'
        f'<div class="facts">{_state(status.state)} {_joined(facts)}</div>{reason}</div>'
    )


def _opens(status: FileStatus) -> str:
    """Render a file's name, which leads to its text as soon as that is live."""
    name = escape(status.file.title or status.file.name)
    if status.document is None:
        return name
    return f'<a class="inner" href="{escape(link({"doc": status.document}), quote=True)}" target="_self">{name}</a>'


def _state(state: str) -> str:
    description = escape(say(f"collections-state-{state}"), quote=True)
    name, way = escape(say(f"collections-short-{state}")), ""
    if state in STATES and state != "live":
        step = STATES.index(state) + 1
        dots = "".join(f'<i class="{"on" if place < step else ""}"></i>' for place in range(len(STATES)))
        way = f'<span class="way" aria-hidden="true">{dots}</span>'
    return f'<span class="state {_CLASSES.get(state, "waiting")}" title="{description}">{way}{name}</span>'


def source_html(state: SourceState, *, running: bool, now: datetime | None = None) -> str:
    """Render what the list tells of a source, below its name."""
    facts = f'<span class="quiet">{source_facts(state, now)}</span>'
    return f'<div class="source-state">{source_chips(state, running=running)} {facts}</div>'


def source_chips(state: SourceState, *, running: bool) -> str:
    """Render a source's kind and what is unusual about it."""
    chips = [("", say("collections-kind", kind=state.source.kind))]
    chips += [("good", say("collections-running"))] if running else []
    chips += [("bad", say("notice-held"))] if state.held else []
    chips += [("odd", say("collections-paused"))] if state.source.paused else []
    chips += [("bad", say("collections-late"))] if state.late and state.read_at else []
    chips += [("bad", say("collections-some-failed", count=state.failed))] if state.failed else []
    return " ".join(f'<span class="state {look}">{escape(text)}</span>' for look, text in chips)


def source_facts(state: SourceState, now: datetime | None = None) -> str:
    """Render how a source fares, in a line."""
    now = now or datetime.now(UTC)
    read = say("collections-read-at", age=age(state.read_at, now)) if state.read_at else say("collections-never")
    coming = say("collections-next-at", when=until(state.next_at, now)) if state.next_at else None
    unscheduled = None if state.source.schedule or state.source.paused else say("collections-unscheduled")
    readers = say("collections-read-by", who=readers_text(state.source.principals))
    return _joined([say("collections-documents", count=state.documents), read, coming or unscheduled, readers])


def settings_html(state: SourceState) -> str:
    """Render a source's settings as rag.toml has them, without passwords in addresses."""
    given = state.source.model_dump(mode="json", exclude_unset=True, exclude={"id", "kind"})
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(_value(value))}</dd>" for name, value in given.items())
    return f'<dl class="settings">{rows}</dl>'


def failures_html(failures: Sequence[tuple[str, str]], most: int) -> str:
    """Render what failed, each with its reason."""
    rows = "".join(
        f'<div class="file"><div class="name">{escape(shown(uri))}</div>'
        f'<div class="reason">{escape(reason)}</div></div>'
        for uri, reason in failures[:most]
    )
    more = len(failures) - most
    return rows + (f'<div class="quiet">{say("collections-failures-more", count=more)}</div>' if more > 0 else "")


def preview_html(found: Preview) -> str:
    """Render what a source would read."""
    if found.error:
        reason = escape(found.error)
        return f'<div class="notes" role="status"><p>{say("collections-preview-failed", reason=reason)}</p></div>'
    count = say("collections-preview-count", cut="yes" if found.cut else "no", count=found.count)
    rows = "".join(
        f'<li><div class="name">{escape(title or shown(uri))}</div>'
        + (f'<div class="facts">{escape(shown(uri))}</div>' if title else "")
        + "</li>"
        for uri, title in found.items
    )
    more = found.count - len(found.items)
    rows += f'<li class="facts">{say("collections-preview-more", count=more)}</li>' if more > 0 else ""
    failed = failures_html(found.failed, len(found.failed))
    failed = f'<div class="quiet">{say("collections-preview-part")}</div>{failed}' if failed else ""
    warned = "".join(f'<div class="notes"><p>{escape(warning)}</p></div>' for warning in found.warnings)
    took = say("collections-preview-took", seconds=round(found.seconds, 1))
    listed = f"<h3>{count}</h3><ul>{rows}</ul>{warned}{failed}"
    return f'<div class="preview" role="status">{listed}<div class="quiet">{took}</div></div>'


def until(moment: datetime, now: datetime) -> str:
    """Return the time until a moment, as people say it."""
    minutes = max((moment - now).total_seconds() / 60, 0)
    if minutes < 90:
        return say("collections-in-minutes", count=max(round(minutes), 1))
    if minutes < 48 * 60:
        return say("collections-in-hours", count=round(minutes / 60))
    return say("collections-in-days", count=round(minutes / 1440))


def _collection_facts(one: Collection) -> str:
    readers = say("collections-read-by", who=readers_text(one.principals))
    language = language_name(one.language) if one.language else None
    return _joined(
        [say("collections-files", count=one.files), size(one.bytes) if one.files else None, language, readers]
    )


def _joined(facts: Sequence[str | None]) -> str:
    return escape(_BETWEEN.join(fact for fact in facts if fact))


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(
            f"{name} = {_HIDDEN if _SECRET.search(name) else _value(inner)}" for name, inner in value.items()
        )
    return shown(value) if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
