"""Which documents are indexed: not those that are empty, too short, or the same as another one."""

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.schemas import SAME_TEXT
from rag_platform.documents.document_rows import Row
from rag_platform.documents.extracted import CONTAINERS
from rag_platform.text.cleaning import count_words

_AMPLE = 30
"""Characters for each word that is required: of most texts the beginning is enough to see that they have them."""
_INDEXED: Row = {"status": "ok", "reason": None}


def status(row: Row, source: SourceSettings) -> Row:
    """Return the columns status and reason of a document that was read, judged by its text alone.

    Of a row without text, which was judged before with the same settings, all but what its duplicates said stays.
    """
    if "text" not in row:
        return _INDEXED if (row["reason"] or "").startswith(SAME_TEXT) and row["status"] == "excluded" else {}
    text, least = row["text"], source.min_words
    if row["status"] == "failed":
        return {}
    if row["format"] in CONTAINERS and not text:
        return _excluded("it only holds others: each file in it is a document of its own")
    if not text or count_words(text[: _AMPLE * least]) < least:
        words = count_words(text)
        if words < least or not text:
            return _excluded(f"too short: {words:g} word{'s' * (words != 1)}")
    return _INDEXED


def exclude_duplicates(rows: list[Row]) -> None:
    """Keep the first, by uri, of the documents that have the same text, collection and readers; of pages, and title.

    With other readers or in another collection both stay: who may read only the second one must find the text.
    """
    first: dict[tuple[str, ...], str] = {}
    for row in rows:
        if row["status"] == "ok":
            headline = row["title"] if row["format"] == "html" else ""
            same = (row["revision"], headline, row["collection"], *sorted(row["principals"]))
            original = first.setdefault(same, row["uri"])
            if original != row["uri"]:
                row.update(_excluded(f"{SAME_TEXT}{original}"))


def _excluded(reason: str) -> Row:
    return {"status": "excluded", "reason": reason}
