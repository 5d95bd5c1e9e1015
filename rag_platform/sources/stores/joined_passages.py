"""Passages -> the documents that they were cut from.

Stores keep passages, often cut so that each repeats the end of the one before. Those of one document are put in their
order, and what they repeat is said once.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rag_platform.core.urls import is_web
from rag_platform.sources.stores.stored_records import ID, TEXT, Row

OF_DOCUMENT = ("file_path", "ref_doc_id", "document_id", "doc_id")
"""Columns that say of which document a passage is."""
ADDRESSES = ("url", "source", "uri", "link", "source_url", "path", "file_name", "filename")
"""Columns that say it if what stands there looks like an address or a file's name."""
PAGES = ("page", "page_number", "page_idx", "page_label")
STARTS = ("start_index", "start_char_idx", "split_idx_start")
"""Columns that say at which character of its document, or of its page, a passage starts."""
PLACES = (*STARTS, "chunk_index", "chunk_id", "split_id", "seq_num", "position")
"""Columns by which the passages of a document, and of a page, are ordered: the first that is a number."""
_ADDRESS = re.compile(r"\S+://\S|.*[/\\]|.*\.\w{1,5}$", re.DOTALL)
_SHORTEST, _LONGEST = 12, 4000
"""Characters that a passage must repeat of the one before, and those that are looked at."""


def documents_of(rows: Iterable[Row], group: str | None) -> dict[str, Row]:
    """Put passages together.

    Args:
        rows: of a store, as `stored_records.flat` returns them.
        group: the column that says of which document each is; empty: none does; None: as the columns suggest.

    Returns:
        A row for each document, by what identifies it: its address on the web if it has one for itself.
    """
    parts: dict[str, list[Row]] = {}
    for key, row in _unrepeated([(document_of(row, group), row) for row in rows]):
        parts.setdefault(key, []).append(row)
    joined = {key: joined_row(of) for key, of in parts.items()}
    found: dict[str, Row] = {}
    for key, row in joined.items():
        address = next((str(row[name]) for name in ADDRESSES if is_web(str(row.get(name)))), key)
        found[key if address in joined or address in found else address] = row
    return found


def _unrepeated(rows: Sequence[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    """Yield rows, each behind its document, but no passage of a document that is there whole, as in our exports."""
    whole = {row[ID]: row[TEXT] for _, row in rows if not any(row.get(name) for name in OF_DOCUMENT)}
    for key, row in rows:
        if key == row[ID] or key not in whole or row[TEXT] not in whole[key]:
            yield key, row


def document_of(row: Row, group: str | None) -> str:
    """Return what identifies the document of a passage."""
    if group is not None:
        named = row.get(group)
        return str(row[ID] if named in (None, "") else named)
    known = (row.get(name) for name in OF_DOCUMENT)
    places = (row.get(name) for name in ADDRESSES)
    there = [
        str(value) for value in known if value not in (None, "", "None")
    ]  # as LlamaIndex writes that there is none
    there += [value for value in places if isinstance(value, str) and len(value) < _LONGEST and _ADDRESS.match(value)]
    return next(iter(there), str(row[ID]))


def joined_row(parts: Sequence[Row]) -> Row:
    """Return the passages of one document as a row; what is known of it is what is known of the first."""
    ordered = sorted(parts, key=lambda row: (_number(row, PAGES) or 0, _number(row, PLACES) or 0))
    text = "".join(_once((str(part[TEXT]), _number(part, STARTS)) for part in ordered))
    return {**ordered[0], TEXT: text}


def _once(parts: Iterable[tuple[str, float | None]]) -> Iterator[str]:
    """Yield what each text adds to those before it; beside each, the place where it starts in the document."""
    tail, end = "", None
    for text, start in parts:
        gap = None if start is None or end is None else int(start - end)
        added = added_by(text, tail, gap)
        tail, end = (tail + added)[-_LONGEST:], None if start is None else start + len(text)
        yield added


def added_by(text: str, before: str, gap: int | None = None) -> str:
    """Return what comes after a passage: what ends it and begins the text stands once.

    Args:
        text: of the passage that follows.
        before: the end of what is there already.
        gap: characters of the document between the two; negative: they overlap; None: not known.
    """
    if gap is not None and gap <= 0 and before.endswith(text[:-gap]):
        return text[-gap:]
    head = text[:_SHORTEST]
    start = before.find(head) if len(head) == _SHORTEST else -1
    while start >= 0:
        if text.startswith(before[start:]):
            return text[len(before) - start :]
        start = before.find(head, start + 1)
    between = " " if gap == 1 else "\n\n"
    return f"{between}{text}" if before and text else text


def _number(row: Row, names: Sequence[str]) -> float | None:
    return next((number for name in names if (number := _of(row.get(name))) is not None), None)


def _of(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
