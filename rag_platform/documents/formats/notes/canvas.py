"""Boards of Obsidian (canvas): the texts of their cards, and what they lead to."""

import json
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.core.plain_json import objects_in
from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import join
from rag_platform.documents.formats.notes.wiki_links import plain_links
from rag_platform.text.cleaning import clean_line


def read_canvas(content: bytes) -> Extracted:
    """Read a board: its cards from above to below, then the words beside its arrows.

    Raises:
        ExtractionError: It is no board.
    """
    try:
        board = json.loads(content or b"{}")
    except ValueError as error:
        raise ExtractionError(f"no board of Obsidian: {error}") from error
    if not isinstance(board, dict):
        raise ExtractionError("no board of Obsidian: it has no cards")
    cards = sorted(objects_in(board.get("nodes")), key=lambda one: (_number(one.get("y")), _number(one.get("x"))))
    words = (clean_line(str(one.get("label") or "")) for one in objects_in(board.get("edges")))
    return Extracted(text=join([*map(_card, cards), *words]), type="canvas")


def _card(card: dict[str, Any]) -> str:
    text = plain_links(str(card.get("text") or card.get("label") or card.get("url") or ""))
    file = clean_line(str(card.get("file") or ""))
    return text or (f"[{file.rpartition('/')[2]}](<{file}>)" if file else "")


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
