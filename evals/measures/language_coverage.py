"""Does lexical search work in each language of a version? Asked with words of its own documents."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.text.analysis import terms
from rag_platform.text.analysis.texts import clean, words
from rag_platform.text.language import UNDETERMINED

_ENOUGH = 5
"""Documents; of fewer the language may be a wrong guess."""
_PROBED = 8
"""Chunks per language, evenly chosen."""
_LOOKED_AT = 64
"""Chunks per language of which these are chosen, for some are too short."""
_SHORTEST = 40
"""Characters of a chunk that can be recognised by a phrase."""
_PHRASE = 6
"""Words."""
_LONGEST = 60
"""Characters of a word; what has no spaces is one word."""
_AMONG = 20
_MOST_LOST = 0.05
_LEAST_FOUND = 0.75
"""Share of the probes."""


def unsearchable_languages(version: OpenVersion) -> list[str]:
    """Name the languages whose words are lost, or whose documents lexical search does not find.

    For each language with enough documents a sample of its chunks is looked for by a phrase of their own text, and by
    words that differ from theirs and should count as the same, such as "houses" for "house".
    """
    documents = version.catalog.documents("doc_id", "language")
    chunks = version.catalog.chunks("key", "doc_id").join(documents, on="doc_id").sort("key")
    problems = []
    for language, count in version.manifest["languages"].items():
        if count >= _ENOUGH and language != UNDETERMINED:
            sample = _sample(version, chunks.filter(pl.col("language") == language))
            problems += [f"Language {language!r}: {problem}" for problem in _problems(version, language, sample)]
    return problems


def _sample(version: OpenVersion, chunks: pl.DataFrame) -> list[tuple[int, str]]:
    """Return some chunks that are long enough, as (key, text)."""
    keys = _evenly(chunks["key"].to_list(), _LOOKED_AT)
    rows = version.catalog.candidates(np.array(keys, np.uint64))
    texts = [(key, rows[key]["text"]) for key in keys]
    return _evenly([(key, text) for key, text in texts if len(text) >= _SHORTEST], _PROBED)


def _evenly(all_of_them: Sequence[Any], count: int) -> list[Any]:
    return list(all_of_them[:: -(-len(all_of_them) // count) or 1])


def _problems(version: OpenVersion, language: str, sample: Sequence[tuple[int, str]]) -> Iterator[str]:
    lost = share_lost([text for _, text in sample])
    if lost > _MOST_LOST:
        yield f"{lost:.0%} of the letters, sampled, are in no word of the lexical index."
    phrases = [(key, _phrase(text)) for key, text in sample]
    yield from _too_few(
        [(" ".join(phrase), _finds(version, key, phrase)) for key, phrase in phrases if phrase],
        "by a phrase of their own text",
    )
    yield from _too_few(
        [(word, _has(version, key, word)) for key, word in _other_forms(sample, language)],
        "by another form of one of their words",
    )


def _too_few(found: Sequence[tuple[str, bool]], how: str) -> Iterator[str]:
    missed = [query for query, yes in found if not yes]
    if found and len(found) - len(missed) < _LEAST_FOUND * len(found):
        yield (
            f"lexical search finds {len(found) - len(missed)} of {len(found)} chunks, sampled, {how}; not with "
            f"{missed[0]!r}. Sync with `rag sync --full`; if that does not help, report it."
        )


def share_lost(texts: Sequence[str]) -> float:
    """Return the share of the letters that are in no word, in [0, 1]."""
    total = kept = 0
    for word in {word for text in texts for word in text.split()}:
        letters = sum(map(str.isalpha, word))
        total += letters
        kept += min(letters, sum(map(str.isalpha, "".join(words(clean(word))))))
    return 1 - kept / total if total else 0.0


def _phrase(text: str) -> list[str]:
    """Return some words in a row from the middle of a text; one that is very long is cut, and is the last."""
    found = text.split()
    found = found[max(0, len(found) // 2 - _PHRASE // 2) :][:_PHRASE]
    end = next((place for place, word in enumerate(found, start=1) if len(word) > _LONGEST), len(found))
    phrase = [word[:_LONGEST] for word in found[:end]]
    return phrase if any(map(str.isalpha, "".join(phrase))) else []


def _finds(version: OpenVersion, key: int, phrase: Sequence[str]) -> bool:
    """Return whether a phrase finds its chunk, and each of its words does when no other chunk is looked at.

    Its rank does not count alone: in a folder of logs, all of few words, many chunks rank above the one that is meant.
    """
    query, lexical, statistics = " ".join(phrase), version.lexical, version.whole_view.statistics
    known = key in lexical.search(query, _AMONG, statistics)[0] or key in lexical.holding(query, statistics)
    return known and all(_has(version, key, word) for word in phrase if any(map(str.isalpha, word)))


def _has(version: OpenVersion, key: int, word: str) -> bool:
    only = np.array([key], dtype=np.uint64)
    return bool(len(version.lexical.search(word, 1, version.whole_view.statistics, only)[0]))


def _other_forms(chunks: Sequence[tuple[int, str]], language: str) -> list[tuple[int, str]]:
    """Return chunks with words that they lack, and of which they have another form."""
    forms: dict[str, set[str]] = defaultdict(set)
    places: dict[str, int] = {}
    for key, text in chunks:
        for word in filter(str.isalpha, text.lower().split()):
            (term, *more) = terms(word, language) or [""]
            if not more:
                forms[term].add(word)
                places.setdefault(word, key)
    pairs = [sorted(forms_of_one)[:2] for _, forms_of_one in sorted(forms.items()) if len(forms_of_one) > 1]
    sample = pairs[:: -(-len(pairs) // _PROBED) or 1]
    return [(places[word], other) for one, two in sample for word, other in ((one, two), (two, one))]
