"""The bytes of a feed (RSS, Atom, RDF, JSON Feed) -> its entries, however broken it is."""

import html
import io
import json
import re
from calendar import timegm
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urljoin

import feedparser

from rag_platform.core.ids import digest
from rag_platform.core.plain_json import objects_in
from rag_platform.core.urls import is_web
from rag_platform.sources.dates import iso_utc
from rag_platform.sources.web.feed_settings import MOST_ENTRIES

_ENTRY = re.compile(rb"<(?:\w+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_NESTED = re.compile(
    rb"<!ENTITY\s[^>]{0,500}?[\"'][^\"'>]{0,500}?&(?!amp;|lt;|gt;|quot;|apos;|#)[\w.:-]+;", re.IGNORECASE
)
"""An entity made of entities: "a billion laughs" in a few lines."""


class NotAFeed(ValueError):
    """The bytes hold no feed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry; texts that are missing are empty."""

    id: str
    link: str
    """Absolute address of its page."""
    title: str
    author: str
    body: str
    """Its own text, as HTML."""
    published_at: str | None
    """ISO 8601, UTC."""
    updated_at: str | None
    language: str
    attachments: tuple[tuple[str, str], ...] = ()
    """(absolute address, media type)."""


def read_feed(content: bytes, url: str, content_type: str | None = None, *, most: int = MOST_ENTRIES) -> list[Entry]:
    """Return the entries of a feed that came from `url`, to which its relative addresses relate.

    A charset in `content_type` counts only where the document itself names none: servers are wrong more often.

    Raises:
        NotAFeed: it is none, so broken that not one entry can be read, has more than `most` entries, or would expand.
    """
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return list(_json_entries(content, url, most))
    _refuse_excess(len(_ENTRY.findall(content)), most)
    if _NESTED.search(content[:100_000]):
        raise NotAFeed("this feed declares entities made of entities, which can expand without end: it is not read")
    headers = {"content-location": url, "content-type": _media_type(content, content_type)}
    feed = feedparser.parse(io.BytesIO(content), response_headers=headers)
    problem = feed.get("bozo_exception") if feed.bozo else None
    harmless = problem is None or isinstance(problem, feedparser.CharacterEncodingOverride)
    if not feed.entries and not (harmless and feed.get("version")):
        reason = problem or "no RSS, Atom or RDF element was found"
        raise NotAFeed(f"this is no feed that can be read: {reason}")
    return [_entry(entry, feed.feed, url) for entry in feed.entries]


def _refuse_excess(count: int, most: int) -> None:
    if count > most:
        raise NotAFeed(
            f"this feed has {count:,} entries, more than {most:,} (max_entries of the source): it is not read"
        )


def _media_type(content: bytes, given: str | None) -> str:
    charset = re.search(r"charset=[\"']?([\w.:-]+)", given or "", re.IGNORECASE)
    declared = re.match(rb"[^>]{0,200}encoding\s*=", content)
    return f"application/xml; charset={charset[1]}" if charset and not declared else "application/xml"


def _entry(entry: Any, feed: Any, url: str) -> Entry:
    link, body = _link(entry, url), _body(entry)
    title = _plain(entry.get("title_detail") or {"value": entry.get("title", "")})
    return Entry(
        id=_identity(entry.get("id") or link, title, body, url),
        link=link,
        title=title,
        author=_one_line(entry.get("author") or feed.get("author") or ""),
        body=body,
        published_at=_moment(entry, "published"),
        updated_at=_moment(entry, "updated"),
        language=_language(entry, feed),
        attachments=tuple(
            (urljoin(url, item["href"]), item.get("type", ""))
            for item in entry.get("enclosures", [])
            if item.get("href")
        ),
    )


def _identity(known: str, title: str, body: str, url: str) -> str:
    """Return a uri for the entry itself: its own when it is one, else a place in the feed."""
    known = known.strip()
    return known if ":" in known else f"{url}#{quote(known, safe='') or digest(title, body)}"


def _link(entry: Any, url: str) -> str:
    links = entry.get("links", [])
    candidates = [entry.get("feedburner_origlink"), entry.get("link") if links else None]
    candidates += [link.get("href") for link in links if link.get("rel") in ("alternate", "self")]
    found = next((str(link).strip() for link in candidates if link and link.strip()), "")
    if found:
        return urljoin(url, found)
    return str(entry["id"]) if is_web(entry.get("id")) else ""  # feedparser would lend any id as the link


def _body(entry: Any) -> str:
    """Take the longest text that the entry has: some feeds give a summary and a content, either may be the full one."""
    own = entry.get("summary_detail") or {}
    if not own.get("value"):  # a picture without a description leaves the entry's own in `summary` alone
        own = {"value": entry.get("summary"), "type": "text/plain"}
    parts = [*entry.get("content", []), own]
    texts = [_as_html(part) for part in parts if part.get("value")]
    return max(texts, key=len, default="")


def _as_html(part: dict[str, Any]) -> str:
    text = str(part["value"])
    if part.get("type") == "text/plain" and not re.search(r"<[a-zA-Z!/]", text):
        return "".join(f"<p>{html.escape(block)}</p>" for block in re.split(r"\n\s*\n", text) if block.strip())
    return text


def _plain(part: dict[str, Any]) -> str:
    text = part.get("value") or ""
    if part.get("type") != "text/plain":
        text = html.unescape(re.sub(r"</?[a-zA-Z][^<>]*>", "", text))
    return _one_line(text)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _moment(entry: Any, name: str) -> str | None:
    if name not in entry:  # asked for "updated", feedparser would lend the date of "published" and warn
        return None
    parsed = entry.get(f"{name}_parsed")
    if not parsed:
        return iso_utc(entry[name] or "")
    try:
        return iso_utc(timegm(parsed))
    except (ValueError, OverflowError):
        return None


def _language(entry: Any, feed: Any) -> str:
    detail = entry.get("title_detail") or {}
    return _tag(feed.get("language") or entry.get("language") or detail.get("language") or "")


def _tag(language: str) -> str:
    """Keep the language of a tag such as ``de-AT``."""
    found = re.match(r"[a-zA-Z]{2,3}(?=$|[-_])", language.strip())
    return found[0].lower() if found else ""


# --- JSON Feed (https://www.jsonfeed.org/version/1.1/) ----------------------------------------------


def _json_entries(content: bytes, url: str, most: int) -> Iterator[Entry]:
    try:
        feed = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise NotAFeed(f"this is no feed that can be read: not valid JSON: {error}") from error
    if not isinstance(feed.get("items"), list):
        raise NotAFeed("this is no JSON Feed: it has no list of items")
    _refuse_excess(len(feed["items"]), most)
    for item in feed["items"]:
        if isinstance(item, dict):
            yield _json_entry(item, feed, url)


def _json_entry(item: dict[str, Any], feed: dict[str, Any], url: str) -> Entry:
    link = _text(item, "url") or _text(item, "external_url")
    link = urljoin(url, link) if link else ""
    title = _one_line(_text(item, "title"))
    plain = {"type": "text/plain", "value": _text(item, "content_text") or _text(item, "summary")}
    body = _text(item, "content_html") or (_as_html(plain) if plain["value"] else "")
    return Entry(
        id=_identity(_text(item, "id") or link, title, body, url),
        link=link,
        title=title,
        author=", ".join(filter(None, (_text(author, "name") for author in _authors(item) or _authors(feed)))),
        body=body,
        published_at=iso_utc(item.get("date_published")),
        updated_at=iso_utc(item.get("date_modified")),
        language=_tag(_text(item, "language") or _text(feed, "language")),
        attachments=tuple(
            (urljoin(url, _text(file, "url")), _text(file, "mime_type"))
            for file in objects_in(item.get("attachments"))
            if _text(file, "url")
        ),
    )


def _authors(thing: dict[str, Any]) -> list[dict[str, Any]]:
    return objects_in(thing.get("authors")) or objects_in([thing.get("author")])


def _text(thing: dict[str, Any], key: str) -> str:
    value = thing.get(key)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
