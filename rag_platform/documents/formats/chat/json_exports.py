"""Exports of chats as JSON: Teams, Skype, Telegram, Discord, Messenger, Google Chat; a day of Slack by itself."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from html import unescape
from itertools import chain
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.core.plain_json import objects_in
from rag_platform.documents.extracted import Extracted, Member, losses
from rag_platform.documents.file_names import name_in_folder, stem_of
from rag_platform.documents.formats.chat.conversation import DAY, MONTH, Message, documents_of, safe
from rag_platform.documents.formats.chat.message_cards import card_text
from rag_platform.documents.formats.chat.slack import DAY_FILE, read_slack_day
from rag_platform.documents.formats.data.mojibake import mended
from rag_platform.documents.formats.markdown_writer import front_matter
from rag_platform.documents.times import parse_time

_HEAD = 4096
_STARTS = [
    re.compile(start, re.DOTALL)
    for start in (
        rb'\s*\[\s*\{(?=.*"ts"\s*:\s*"\d+\.\d+")(?=.*"type"\s*:\s*"message")',  # a day of Slack
        rb'\s*\{(?=.*"type"\s*:\s*"(?:\w*(?:chat|group|channel)|saved_messages)")(?=.*"messages"\s*:\s*\['
        rb'(?:.*"date"\s*:|\s*\]))',  # Telegram; a model's conversations have no dates
        rb'\s*\{(?=.*"chats"\s*:\s*\{)(?=.*"list"\s*:\s*\[)(?=.*"messages"\s*:\s*\[)',  # Telegram, all chats
        rb'\s*\{\s*"about"\s*:.*"personal_information"\s*:\s*\{',  # Telegram, where much stands before the chats
        rb'\s*\{\s*"guild"\s*:\s*\{.*"channel"\s*:\s*\{',  # Discord
        rb'\s*\{(?=.*"conversations"\s*:\s*\[)(?=.*"(?:exportDate|MessageList)")',  # Teams, Skype
        rb'\s*\{\s*"participants"\s*:\s*\[.*"sender_name"',  # Messenger, Instagram
        rb'\s*\{\s*"messages"\s*:\s*\[\s*\{\s*"creator"\s*:\s*\{.*"created_date"',  # Google Chat
        rb'\s*[\[{](?=.*"messageType"\s*:\s*"message")(?=.*"createdDateTime")',  # Teams, by Microsoft Graph
    )
]
_CHATS = ("chats", "left_chats")
"""Where conversations stand in what Telegram exports of an account."""
_AS_ACCOUNT = frozenset(("chats", "personal_information"))
"""By which such an export is known."""
_Json = Mapping[str, Any]
_NAMED = re.compile(r"""<OriginalName v="([^"<>]+)"|<c\b[^<>]*? f="([^"<>]+)\"""")
_SILENT = ("Control/", "Event/", "ThreadActivity/")
"""Kinds of Skype's messages by which nobody says anything."""


def is_chat(content: bytes) -> bool:
    """Return whether JSON begins as the export of a chat does."""
    return any(start.match(content[:_HEAD].removeprefix(b"\xef\xbb\xbf")) for start in _STARTS)


def read_chat(content: bytes, *, uri: str) -> Extracted:
    """Open an export; its documents are the threads of its conversations, and the days around them.

    Raises:
        ExtractionError: It is no JSON, or has no messages.
    """
    try:
        found = json.loads(mended(content))
    except ValueError as error:
        raise ExtractionError(f"the export of a chat is no JSON: {error}") from error
    members = tuple(_members(found, uri))
    if not members:
        raise ExtractionError("the export of a chat has no messages")
    return Extracted(
        text="", type="chat", title=stem_of(uri), losses=losses({"entries": _unread(found)}), members=members
    )


def _members(found: Any, uri: str) -> Iterator[Member]:
    graph = objects_in(found if isinstance(found, list) else found.get("value"))
    if any("messageType" in one for one in graph):
        said = (part for one in graph for part in _with_replies(one) if part.get("messageType") == "message")
        return documents_of(stem_of(uri), map(_of_graph, said))
    if isinstance(found, list):
        folder = DAY_FILE.fullmatch(name_in_folder(uri))
        return read_slack_day(found, f"#{folder[1]}" if folder else stem_of(uri))
    if "conversations" in found:
        return _each(objects_in(found["conversations"]), "displayName", "MessageList", _of_skype)
    if not _AS_ACCOUNT.isdisjoint(found):
        chats = [one for name in _CHATS for one in objects_in(_at(found, name, "list"))]
        return chain(_contacts(found), _each(chats, "name", "messages", _of_telegram))
    name, read, period = _conversation(found, uri)
    return documents_of(name, map(read, objects_in(found.get("messages"))), period=period)


def _conversation(found: _Json, uri: str) -> tuple[str, Callable[[_Json], Message], str]:
    """Return what one conversation is called, how its messages are read, and into what it is divided."""
    if "guild" in found:
        return f"{_at(found, 'guild', 'name')} #{_at(found, 'channel', 'name')}", _of_discord, DAY
    if "participants" in found:
        return str(found.get("title") or "Messenger"), _of_messenger, MONTH
    if any("creator" in one for one in objects_in(found.get("messages"))):
        return _folder(uri), _of_google, DAY
    return str(found.get("name") or "Telegram"), _of_telegram, MONTH


def _each(chats: Iterable[_Json], name: str, messages: str, read: Callable[[_Json], Message]) -> Iterator[Member]:
    for chat in chats:
        title = str(chat.get(name) or chat.get("id") or "Chat")
        period = DAY if messages == "MessageList" else MONTH
        folder = safe(f"{title}-{chat.get('id')}") + "/"
        yield from documents_of(title, map(read, objects_in(chat.get(messages))), folder=folder, period=period)


def _contacts(account: _Json) -> Iterator[Member]:
    """Yield the people whom somebody knows on Telegram, as a document."""
    lines = [
        "- " + " ".join(str(one[key]) for key in ("first_name", "last_name", "phone_number") if one.get(key))
        for one in objects_in(_at(account, "contacts", "list"))
    ]
    if lines:
        about = front_matter({"title": "Contacts", "type": "contacts"})
        yield Member("contacts.md", f"{about}{chr(10).join(lines)}\n".encode("utf-8", "replace"), "text/markdown")


def _unread(found: Any) -> int:
    """Count what Telegram lists of an account beside conversations and contacts: devices, visits, pictures."""
    others = set(found) - {*_CHATS, "contacts"} if isinstance(found, dict) and not _AS_ACCOUNT.isdisjoint(found) else ()
    return sum(len(objects_in(found[name]) or objects_in(_at(found, name, "list"))) for name in others)


def _folder(uri: str) -> str:
    """Return the name of the folder of a file that is called as all of its kind are."""
    return name_in_folder(uri).rpartition("/")[0].rpartition("/")[2] or stem_of(uri)


def _with_replies(one: _Json) -> Iterator[_Json]:
    """Yield a message of Teams and the answers that it holds, where they were asked for with it."""
    yield one
    yield from ({"replyToId": one.get("id"), **reply} for reply in objects_in(one.get("replies")))


def _of_graph(one: _Json) -> Message:
    who = str(_at(one, "from", "user", "displayName") or _at(one, "from", "application", "displayName") or "")
    body = str(_at(one, "body", "content") or "")
    text = _markdown(body) if _at(one, "body", "contentType") == "html" else body
    attached = objects_in(one.get("attachments"))
    quoted = next((str(file.get("id")) for file in attached if file.get("contentType") == "messageReference"), "")
    cards = [card_text(file.get("content")) for file in attached if not file.get("name")]
    files = (str(file.get("name") or _kind(file)) for file in attached if file.get("name") or not file.get("content"))
    text = "\n\n".join(filter(None, (str(one.get("subject") or ""), text, *cards)))
    answers = str(one.get("replyToId") or quoted)
    return Message(str(one.get("id")), parse_time(one.get("createdDateTime")), who, text, answers, tuple(files))


def _kind(file: _Json) -> str:
    return str(file.get("contentType") or "a file").rpartition("/")[2]


def _of_skype(one: _Json) -> Message:
    who = str(one.get("displayName") or one.get("from") or "").partition(":")[2 if not one.get("displayName") else 0]
    kind, content = str(one.get("messagetype") or ""), str(one.get("content") or "")
    files = (
        tuple(unescape(file or person) for file, person in _NAMED.findall(content))
        if kind.startswith("RichText")
        else ()
    )
    text = "" if kind.startswith(_SILENT) else content
    if kind.startswith("RichText") or (kind != "Text" and text.startswith("<")):
        text = _markdown(text)
    elif kind != "Text":
        text = card_text(text) or text
    return Message(str(one.get("id")), parse_time(one.get("originalarrivaltime")), who, text, files=files)


def _of_telegram(one: _Json) -> Message:
    text = one.get("text") if one.get("type", "message") == "message" else ""
    parts = text if isinstance(text, list) else [text or ""]
    told = "".join(_linked(part) if isinstance(part, dict) else str(part) for part in parts)
    origin = f"Forwarded from {one['forwarded_from']}:" if one.get("forwarded_from") else ""
    told = "\n\n".join(filter(None, (origin, told, *_shared(one))))
    files = [str(one[key]).rpartition("/")[2] for key in ("file_name", "photo") if one.get(key)]
    if not files and (one.get("media_type") or one.get("file")):  # a voice message has no name
        files = [str(one.get("media_type") or "a file").replace("_", " ")]
    time: datetime | None = parse_time(one.get("date"))
    answers = str(one.get("reply_to_message_id") or "")
    return Message(str(one.get("id")), time, str(one.get("from") or ""), told, answers, tuple(files))


def _linked(part: _Json) -> str:
    text, target = str(part.get("text") or ""), part.get("href")
    return f"[{text}]({target})" if target else text


def _of_messenger(one: _Json) -> Message:
    shared = (str(_at(one, "share", key) or "") for key in ("share_text", "link"))
    files = [
        str(file.get("uri") or "").rpartition("/")[2]
        for kind in ("photos", "videos", "files", "audio_files", "gifs")
        for file in objects_in(one.get(kind))
    ]
    text = "\n\n".join(filter(None, (str(one.get("content") or ""), *shared)))
    stamp, who = _number(one.get("timestamp_ms")), str(one.get("sender_name") or "")
    return Message(f"{stamp} {who}", _moment(stamp), who, text, files=tuple(files))


def _of_google(one: _Json) -> Message:
    stated = " ".join(str(one.get("created_date") or "").split()).removesuffix(" UTC")
    try:
        time = datetime.strptime(stated, "%A, %B %d, %Y at %I:%M:%S %p").replace(tzinfo=UTC)
    except ValueError:  # in another language than English
        time = None
    files = tuple(str(file.get("original_name") or "a file") for file in objects_in(one.get("attached_files")))
    who, topic = str(_at(one, "creator", "name") or ""), str(one.get("topic_id") or "")
    return Message(str(one.get("message_id")), time, who, str(one.get("text") or ""), topic, files)


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _moment(milliseconds: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds else None
    except (ValueError, OverflowError, OSError):
        return None


def _shared(one: _Json) -> Iterator[str]:
    """Yield what a message of Telegram holds in place of words: a poll, a contact, a place."""
    if question := _at(one, "poll", "question"):
        answers = (
            f"- {said.get('text')} ({said.get('voters', 0)})" for said in objects_in(_at(one, "poll", "answers"))
        )
        yield f"Poll: {question}\n\n" + "\n".join(answers)
    for name, keys in (
        ("contact_information", ("first_name", "last_name", "phone_number")),
        ("location_information", ("latitude", "longitude")),
    ):
        if told := " ".join(str(value) for key in keys if (value := _at(one, name, key))):
            yield f"{name.partition('_')[0].capitalize()}: {told}"
    yield from (str(one[key]) for key in ("place_name", "address") if one.get(key))


def _of_discord(one: _Json) -> Message:
    who = str(_at(one, "author", "nickname") or _at(one, "author", "name") or "")
    forwarded = next(iter(objects_in([_at(one, "forwardedMessage")])), {})
    cards = (told for part in (one, forwarded) for card in objects_in(part.get("embeds")) for told in _embedded(card))
    text = "\n\n".join(filter(None, (str(one.get("content") or ""), str(forwarded.get("content") or ""), *cards)))
    attached = [file for part in (one, forwarded) for file in objects_in(part.get("attachments"))]
    files = [str(file.get("fileName") or "") for file in attached]
    files += [f"sticker {sticker.get('name')}" for sticker in objects_in(one.get("stickers"))]
    answers = str(_at(one, "reference", "messageId") or "")
    return Message(str(one.get("id")), parse_time(one.get("timestamp")), who, text, answers, tuple(files))


def _embedded(card: _Json) -> Iterator[str]:
    yield from (str(card.get(key) or "") for key in ("title", "description"))
    yield "\n".join(f"{part.get('name')}: {part.get('value')}" for part in objects_in(card.get("fields")))
    yield str(_at(card, "footer", "text") or "")


def _markdown(text: str) -> str:
    from rag_platform.documents.formats.web.fragments import markdown_of

    return markdown_of(text)


def _at(found: Any, *path: str) -> Any:
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found
