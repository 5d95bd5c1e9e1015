"""What a source's documents are like, in numbers: nothing here tells what any of them says."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import SAME_TEXT
from rag_platform.validation.likeness import usually_alike
from rag_platform.validation.text_losses import parts_of

_READ = 300
"""Documents whose words are counted: those whose ids, which are hashes, come first; the same ones each time."""
_CHARACTERS = 5_000
"""Of each."""
_MOST = 8
"""Languages and types that are named."""

Statistics = Mapping[str, Any]
"""Numbers by name; `languages` and `types` are shares by name."""


def describe(documents: pl.DataFrame) -> Statistics:
    """Return the statistics of a documents table.

    Returns:
        `documents` that are indexed, `failed` and `excluded` ones; `characters` of the middle document, and
        `characters_low` and `characters_high`, between which eight of ten lie; `words` and `parts` (headings, rows,
        items of lists) per thousand characters, `vocabulary` (different words of a hundred), `duplicates` (share that
        is nearly like another one), all of a sample; `dated`, `public` and `flagged` (shares); `newest` (ISO 8601);
        `languages` and `types` (share of each).
    """
    statuses = documents["status"].value_counts()
    counts = dict(statuses.iter_rows())
    indexed = documents.filter(pl.col("status") == "ok")
    repeated = documents["reason"].str.starts_with(SAME_TEXT).sum() or 0
    return (
        {"documents": indexed.height, "failed": counts.get("failed", 0), "excluded": counts.get("excluded", 0)}
        | {"repeated": repeated}
        | (_of_indexed(indexed) | _of_sample(indexed.sort("doc_id").head(_READ)) if indexed.height else {})
    )


def _of_indexed(indexed: pl.DataFrame) -> dict[str, Any]:
    lengths, dated = indexed["text"].str.len_chars(), pl.coalesce("updated_at", "published_at")
    moments = indexed.select(dated).to_series()
    newest = moments.max()
    return {
        "characters": lengths.median(),
        "characters_low": lengths.quantile(0.1),
        "characters_high": lengths.quantile(0.9),
        "dated": _share(moments.is_not_null()),
        "public": _share(indexed["principals"].list.contains(PUBLIC)),
        "flagged": _share(indexed["flags"].list.len() > 0),
        "newest": newest.isoformat() if newest is not None else None,  # type: ignore[union-attr]
        "languages": _shares(indexed["language"]),
        "types": _shares(indexed["type"]),
    }


def _of_sample(sample: pl.DataFrame) -> dict[str, Any]:
    texts = [text[:_CHARACTERS] for text in sample["text"]]
    characters = max(1, sum(map(len, texts)))
    words = [word for text in texts for word in text.casefold().split()]
    return {
        "words": round(1000 * len(words) / characters, 2),
        "vocabulary": round(100 * len(set(words)) / max(1, len(words)), 2),
        "parts": round(1000 * sum(map(parts_of, texts)) / characters, 3),
        "duplicates": round(usually_alike(sample["signature"].to_list()), 4),
    }


def _share(marked: pl.Series) -> float:
    return round(float(marked.fill_null(value=False).mean() or 0.0), 4)  # type: ignore[arg-type]


def _shares(values: pl.Series) -> dict[str, float]:
    counted = values.value_counts(sort=True).sort("count", values.name, descending=[True, False]).head(_MOST)
    return {name or "": round(number / len(values), 4) for name, number in counted.iter_rows()}
