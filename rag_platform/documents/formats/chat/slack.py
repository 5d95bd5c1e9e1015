"""Exports of Slack: a ZIP file with a folder for each channel, in it a file for each day."""

import html
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Member
from rag_platform.documents.formats.chat.conversation import Message, documents_of, safe
from rag_platform.documents.formats.chat.message_cards import block_text
from rag_platform.documents.formats.markdown_writer import front_matter, join, paragraph
from rag_platform.documents.formats.web.page_blocks import letters_of
from rag_platform.documents.options import Limits

DAY_FILE = re.compile(r"(?:.*/)?([^/]+)/\d{4}-\d\d-\d\d\.json")
USERS = ("users.json", "org_users.json")
"""Who is in a workspace, and in one of an organisation."""
_CHANNELS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_BROKEN = (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, NotImplementedError, KeyError)
_SILENT = frozenset(
    ("channel_join", "channel_leave", "group_join", "group_leave", "channel_archive", "channel_unarchive",
     "channel_name", "pinned_item", "bot_add", "bot_remove", "channel_convert_to_private", "tombstone")
)  # fmt: skip
_MARK = re.compile(r"<([^<>\s][^<>]*)>")


def export_folder(names: list[str]) -> str | None:
    """Return the folder of an archive in which an export lies, "" for the archive itself; None: there is no export."""
    days = [name for name in names if DAY_FILE.fullmatch(name)]
    tops = {""} if days else set()
    tops |= {one.partition("/")[0] + "/" for one in days if one.count("/") > 1}  # as macOS packs a folder
    known = frozenset(names)
    return next((top for top in sorted(tops) if any(top + file in known for file in USERS)), None)


def read_slack(content: bytes, *, limits: Limits) -> Extracted:
    """Open an export; its documents are the threads and the days of its channels.

    Raises:
        ExtractionError: It is damaged.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        top = export_folder(archive.namelist()) or ""
        names = _names(part for file in USERS for part in _load(archive, top + file, limits))
        channels = [part for file in _CHANNELS for part in _load(archive, top + file, limits) if isinstance(part, dict)]
    except _BROKEN as error:
        raise ExtractionError(f"a damaged export of Slack: {error}") from error
    return Extracted(text="", type="slack", title="Slack", members=_members(archive, names, channels, limits))


def read_slack_day(messages: list[Any], name: str) -> Iterator[Member]:
    """Yield the documents of one day's file by itself."""
    return documents_of(name, [_message(one, {}) for one in messages if _is_said(one)])


def _members(
    archive: zipfile.ZipFile, names: Mapping[str, str], known: list[dict[str, Any]], limits: Limits
) -> Iterator[Member]:
    titles = {
        str(one.get("name") or one.get("id")): _people(one, names)
        for one in known
        if str(one.get("name") or "mpdm-").startswith("mpdm-")
    }
    for one in known:
        if about := _about(one, names):
            yield about
    channels: dict[str, list[str]] = {}
    for path in sorted(archive.namelist()):
        if found := DAY_FILE.fullmatch(path):
            channels.setdefault(found[1], []).append(path)
    for channel, paths in channels.items():
        messages: list[Message] = []
        for path in paths:
            try:
                day = _load(archive, path, limits)
            except _BROKEN as error:
                yield Member(path, problem=f"cannot be read: {error}")
                continue
            messages += [_message(one, names) for one in day if _is_said(one)]
        yield from documents_of(
            titles.get(channel) or f"#{channel}", messages, folder=f"{safe(channel)}/", tags=(channel,)
        )


def _people(one: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return who writes to whom in what nobody has named: messages between a few."""
    return ", ".join(names.get(str(who), str(who)) for who in one.get("members") or ())


def _about(channel: Mapping[str, Any], names: Mapping[str, str]) -> Member | None:
    """Return what a channel says that it is about, as a document."""
    name = str(channel.get("name") or "")
    told = [
        f"{label}: {_plain(str(value), names)}"
        for label, key in (("Topic", "topic"), ("Purpose", "purpose"))
        if (value := (channel.get(key) or {}).get("value"))
    ]
    if not name or not told:
        return None
    about = front_matter({"title": f"#{name}", "type": "chat", "tags": [name]})
    return Member(
        f"{safe(name)}/about.md", f"{about}{paragraph(join(told))}\n".encode("utf-8", "replace"), "text/markdown"
    )


def _load(archive: zipfile.ZipFile, path: str, limits: Limits) -> list[Any]:
    if path not in archive.NameToInfo:
        return []
    with archive.open(path) as file:
        content = file.read(limits.member_bytes + 1)
    if len(content) > limits.member_bytes:
        raise ValueError(f"larger than {limits.member_bytes} bytes when unpacked")
    found = json.loads(content)
    return found if isinstance(found, list) else []


def _names(users: Iterable[Any]) -> dict[str, str]:
    return {
        one["id"]: _person(one.get("profile") or {}) or str(one.get("name") or one["id"])
        for one in users
        if "id" in one
    }


def _person(profile: Mapping[str, Any]) -> str:
    return str(profile.get("real_name") or profile.get("display_name") or profile.get("name") or "")


def _is_said(one: Any) -> bool:
    return isinstance(one, dict) and one.get("type", "message") == "message" and one.get("subtype") not in _SILENT


def _message(one: Mapping[str, Any], names: Mapping[str, str]) -> Message:
    user = str(one.get("user") or "")
    author = names.get(user) or _person(one.get("user_profile") or {}) or str(one.get("username") or user or "bot")
    thread = str(one.get("thread_ts") or "")
    extra = [_attachment(part) for part in one.get("attachments") or () if isinstance(part, dict)]
    files = [
        str(file.get("title") or file.get("name") or "") for file in one.get("files") or () if isinstance(file, dict)
    ]
    ts = str(one.get("ts") or "")
    text = "\n\n".join(_plain(part, names) for part in (_with_blocks(one), *extra) if part)
    return Message(ts, _time(ts), author, text, thread if thread != ts else "", tuple(filter(None, files)))


def _with_blocks(one: Mapping[str, Any]) -> str:
    """Return the text and what blocks say: of people the same, and of programs what the text only sums up."""
    text, blocks = str(one.get("text") or ""), block_text(one.get("blocks"))
    told, said = letters_of(blocks), letters_of(text)
    return text if told in said else blocks if said in told else f"{text}\n\n{blocks}"


def _attachment(part: Mapping[str, Any]) -> str:
    told = [str(part.get(name) or "") for name in ("pretext", "title", "text")]
    told += [f"{one.get('title')}: {one.get('value')}" for one in part.get("fields") or () if isinstance(one, dict)]
    told.append(block_text(part.get("blocks")))
    return "\n".join(filter(None, told)) or str(part.get("fallback") or "")


def _time(ts: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(ts), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _plain(text: str, names: Mapping[str, str]) -> str:
    """Return the text with people, channels and links as they are shown."""

    def shown(found: re.Match[str]) -> str:
        target, _, label = found[1].partition("|")
        if target.startswith("@"):
            return f"@{label or names.get(target[1:], target[1:])}"
        if target.startswith(("#", "!")):
            return f"{target[0].replace('!', '@')}{label.lstrip('@#') or target[1:]}"
        return f"[{label}]({target})" if label and label != target else target

    return html.unescape(_MARK.sub(shown, text))
