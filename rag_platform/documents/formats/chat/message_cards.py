"""What stands in the cards and blocks of a message, which programs write in place of a text."""

import html
import json
from collections.abc import Iterator
from typing import Any

_DEEPEST = 30
"""Parts within each other."""
_WORDS = (
    "title", "subtitle", "activityTitle", "activitySubtitle", "activityText", "text", "messagePreview", "altText",
    "description", "summary", "fallbackText",
)  # fmt: skip
_MARKS = {
    "user": "<@{user_id}>",
    "channel": "<#{channel_id}>",
    "broadcast": "<!{range}>",
    "usergroup": "<!{usergroup_id}>",
    "emoji": ":{name}:",
    "date": "{fallback}",
    "color": "{value}",
}
"""A part of Slack's rich text -> how the text of a message has it."""


def card_text(content: Any) -> str:
    """Return the words of a card of Teams or Skype (adaptive, hero, connector), a line each.

    Args:
        content: The card, or its JSON; of what is neither nothing is told.
    """
    if isinstance(content, str):
        try:
            content = json.loads(content)
        except (ValueError, RecursionError):
            return ""
    return "\n\n".join(dict.fromkeys(filter(None, map(str.strip, _words(content, 0)))))


def _words(part: Any, deep: int) -> Iterator[str]:
    if deep > _DEEPEST or not isinstance(part, dict | list):
        return
    if isinstance(part, list):
        for one in part:
            yield from [one] if isinstance(one, str) else _words(one, deep + 1)
        return
    name, value = part.get("title") or part.get("name"), part.get("value")
    if isinstance(name, str) and isinstance(value, str):
        yield f"{name.rstrip(':')}: {value}"  # a fact
        return
    yield from (part[key] for key in _WORDS if isinstance(part.get(key), str))
    for one in part.values():
        if isinstance(one, dict) or (isinstance(one, list) and any(isinstance(each, dict) for each in one)):
            yield from _words(one, deep + 1)


def block_text(blocks: Any) -> str:
    """Return what blocks of Slack say, with the marks that the text of a message has."""
    return "\n\n".join(filter(None, (_block(one, 0) for one in blocks))) if isinstance(blocks, list) else ""


def _block(part: Any, deep: int) -> str:
    if not isinstance(part, dict) or deep > _DEEPEST:
        return html.escape(part, quote=False) if isinstance(part, str) else ""
    kind, text = str(part.get("type") or ""), part.get("text")
    if kind in _MARKS:
        return _MARKS[kind].format_map({key: part.get(key) or "" for key in _FIELDS})
    if kind == "link":
        return f"<{part.get('url')}|{html.escape(str(text), quote=False)}>" if text else f"<{part.get('url')}>"
    if isinstance(text, str):
        return text if kind == "mrkdwn" else html.escape(text, quote=False)
    return _joined(kind, [_block(one, deep + 1) for one in _within(part)])


_FIELDS = ("user_id", "channel_id", "range", "usergroup_id", "name", "fallback", "value")
_HELD = ("title", "text", "description", "fields", "elements", "rows", "accessory", "alt_text")


def _within(part: dict[str, Any]) -> Iterator[Any]:
    for value in (part.get(name) for name in _HELD):
        yield from value if isinstance(value, list) else [value]


def _joined(kind: str, parts: list[str]) -> str:
    said = [part for part in parts if part.strip()]
    if kind == "rich_text_list":
        return "\n".join(f"- {part}" for part in said)
    if kind == "rich_text_preformatted":
        return f"```\n{''.join(parts)}\n```"
    return "".join(parts) if kind in ("rich_text_section", "rich_text_quote") else "\n".join(said)
