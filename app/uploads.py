"""How collections, files and a running sync are shown: their words, and HTML in which all of others' is escaped."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from app.rendering import age
from rag_platform.uploads.records import Collection
from rag_platform.uploads.status import FileStatus

LANGUAGES = {
    "": "Tell it from the text",
    "ar": "Arabic",
    "zh": "Chinese",
    "en": "English",
    "fr": "French",
    "de": "German",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ne": "Nepali",
    "pt": "Portuguese",
    "ru": "Russian",
    "es": "Spanish",
}
STATE_NAMES = {
    "uploaded": ("waiting", "Waiting for the next sync"),
    "fetched": ("waiting", "Taken up, not read yet"),
    "read": ("waiting", "Read, not cut yet"),
    "chunked": ("waiting", "Cut into passages"),
    "embedded": ("waiting", "Ready, not published yet"),
    "live": ("good", "Can be found"),
    "failed": ("bad", "Could not be read"),
    "excluded": ("odd", "Left out"),
    "forgotten": ("odd", "Forgotten"),
}
STAGE_NAMES = {
    "sync": "Getting ready",
    "fetch": "Taking up files",
    "extract": "Reading",
    "chunk": "Cutting into passages",
    "embed": "Learning the meaning",
    "index": "Building the index",
    "evaluate": "Checking the answers",
}
STAGES = list(STAGE_NAMES)


def readers_text(principals: Sequence[str]) -> str:
    """Tell who may read."""
    return "everyone" if "*" in principals else ", ".join(principals)


def collection_html(one: Collection) -> str:
    """Render a collection of the list."""
    description = f'<div class="about">{escape(one.description)}</div>' if one.description else ""
    return f'<div class="source"><h4>{escape(one.title)}</h4><div class="facts">{_facts(one)}</div>{description}</div>'


def summary_html(one: Collection, states: Mapping[str, int]) -> str:
    """Render what is to be known of a collection, with how many of its files are in which state."""
    description = f'<div class="about">{escape(one.description)}</div>' if one.description else ""
    told = "".join(
        f'<span class="state {kind}">{states[state]:,} {escape(name.lower())}</span> '
        for state, (kind, name) in STATE_NAMES.items()
        if states.get(state)
    )
    return f'{description}<div class="quiet">{_facts(one)}</div><div class="states">{told}</div>'


def file_html(status: FileStatus) -> str:
    """Render a file: its name, how far it has come, and why no further."""
    kind, name = STATE_NAMES[status.state]
    file = status.file
    facts = [_size(file.size), age(file.added_at, datetime.now(UTC))]
    facts += [f"revision {file.revision}"] if file.revision > 1 else []
    facts += [f"{status.chunks:,} passage{'s' * (status.chunks != 1)}"] if status.chunks else []
    reason = f'<div class="reason">{escape(status.reason)}</div>' if status.reason else ""
    return (
        f'<div class="file"><div class="name">{escape(file.title or file.name)}</div>'
        f'<div class="facts"><span class="state {kind}">{escape(name)}</span> {escape(" · ".join(facts))}</div>'
        f"{reason}</div>"
    )


def progress_text(doing: Sequence[Mapping[str, Any]]) -> tuple[str, float]:
    """Tell what is running, how far it is, and how long it takes; the share is of all stages, in [0, 1]."""
    if not doing:
        return "Getting ready …", 0.0
    one = doing[-1]
    text, place = (
        STAGE_NAMES.get(one["stage"], one["stage"]),
        STAGES.index(one["stage"]) if one["stage"] in STAGES else 0,
    )
    done, total = one["done"], one["total"]
    within = done / total if total else 0.0
    if total:
        text += f": {done:,} of {total:,}"
    if one["remaining"] is not None and one["remaining"] >= 2:
        text += f", {_seconds(one['remaining'])} left"
    return f"{text} …", min((place + within) / len(STAGES), 1.0)


def result_html(last: Mapping[str, Any] | None, *, waiting: bool) -> str:
    """Render how the last sync ended, or what the next is for."""
    if waiting:
        return '<div class="quiet">New files are found after the next sync.</div>'
    if last is None:
        return '<div class="quiet"></div>'
    when = age(datetime.fromisoformat(last["ended_at"]), datetime.now(UTC))
    if last.get("errors"):
        told = " ".join(escape(error) for error in last["errors"])
        return f'<div class="notes"><p>The last sync, {when}, failed: {told}</p></div>'
    gate = last.get("gate") or {}
    if not last.get("published") and not gate.get("passed", True):
        told = " ".join(escape(reason) for reason in gate.get("reasons", ()))
        return f'<div class="notes"><p>The last sync, {when}, was not published: {told}</p></div>'
    return f'<div class="quiet">Last sync {when}.</div>'


def _facts(one: Collection) -> str:
    language = LANGUAGES.get(one.language or "", one.language) if one.language else None
    facts = [f"{one.files:,} file{'s' * (one.files != 1)}", _size(one.bytes) if one.files else None, language]
    facts.append(f"read by {readers_text(one.principals)}")
    return escape(" · ".join(fact for fact in facts if fact))


def _size(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def _seconds(count: float) -> str:
    return f"{count / 60:.0f} min" if count >= 90 else f"{count:.0f} s"
