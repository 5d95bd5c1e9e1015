"""What can be said of a candidate without any question: is it whole, of its texts, fresh, and fast?"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from evals.measures.queries import run_query
from evals.measures.rank_metrics import latency
from evals.questions.question import Question
from rag_platform.config.settings import Settings
from rag_platform.core.errors import ModelError
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder
from rag_platform.index.keys import among
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval import Retriever

_PROBED = 16
_SHARED = 4
"""Probed of what a version shares with its parent: it was probed when it was new, and a model that is another one since
gives none of it again."""
_ALIKE = 0.9
"""Least cosine of a stored vector and its text embedded again; two batches of int8 differ by less than 0.01."""
_TIMED = 8


def mismatched_vectors(version: OpenVersion, embedder_of: Callable[[Mapping[str, Any]], Embedder]) -> Iterator[str]:
    """Embed a sample of each space's chunks again with its model: a vector must be that of its text."""
    for space in version.spaces:
        try:
            embedder = embedder_of(space.model)
        except ModelError:
            if space is version.spaces[0]:
                raise
            continue  # without its model nothing is found by these vectors either
        sample = version.catalog.candidates(_probed(version, space.index.keys))
        again = embedder.embed_passages([embedding_text(row["header"] or "", row["text"]) for row in sample.values()])
        strange = 0
        for key, vector in zip(sample, again, strict=True):
            stored = space.index.vector(key)
            strange += stored is None or float(stored @ vector) < _ALIKE * float(np.linalg.norm(stored))
        if strange * 10 > len(sample):
            yield (
                f"{strange} of {len(sample)} vectors, sampled, are not those of their texts: the model "
                f"{space.model['name']} does not give what it gave when they were made. Embed them again: remove "
                "data/embeddings and sync."
            )


def _probed(version: OpenVersion, keys: np.ndarray) -> np.ndarray:
    """Return some of these keys (uint64, ascending), most of them of what is new in the version."""
    segments = version.manifest["segments"]
    new = among(keys, version.catalog.keys_in([at for at, one in enumerate(segments) if not one["shared"]]))
    probed = _spread(keys[new], _PROBED if new.all() else _PROBED // 2)
    return np.concatenate([probed, _spread(keys[~new], _SHARED)])


def _spread(keys: np.ndarray, most: int) -> np.ndarray:
    return keys[:: -(-len(keys) // most) or 1]


def outdated_sources(candidate: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name the sources of which a candidate built after the live version has an older state, with what is wrong."""
    if candidate["created_at"] <= live["created_at"]:
        return  # what came back to an earlier state finds the version that was built then
    for source, now in candidate["sources"].items():
        before, seen = live["sources"].get(source, {}).get("last_seen"), now.get("last_seen")
        if before and seen and seen < before:
            yield (
                source,
                f"It holds source {source!r} as of {seen[:16]}, older than the live version's state of "
                f"{before[:16]}: its data were brought back from somewhere. Sync the source.",
            )


def emptied_sources(candidate: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name the sources that lost all of their documents and are still among the sources, with what is wrong."""
    for source, now in candidate["sources"].items():
        before = live["sources"].get(source, {}).get("documents", 0)
        if before and not now["documents"] and not now.get("emptied"):  # a person removed them on purpose
            yield (
                source,
                f"Source {source!r} is empty: the live version has {before} documents of it. Mend it or, if they are "
                "meant to go, take the source out of rag.toml.",
            )


def overdue_sources(manifest: Mapping[str, Any], settings: Settings, now: datetime | None = None) -> Iterator[str]:
    """Name the sources whose last sync is older than they allow."""
    now = now or datetime.now(UTC)
    for source in settings.sources:
        seen = manifest["sources"].get(source.id, {}).get("last_seen")
        if source.fresh_within_hours and seen and not source.paused:
            hours = (now - datetime.fromisoformat(seen)).total_seconds() / 3600
            if hours > source.fresh_within_hours:
                yield f"Source {source.id!r} is late: {hours:.0f} hours old, {source.fresh_within_hours:g} allowed."


def paired_latency(candidate: Retriever, live: Retriever, questions: Sequence[Question]) -> dict[str, float] | None:
    """Time both versions in turn on a sample of the questions; None without any.

    Each question is asked once to warm up and then twice, of which the faster counts, so that what else the machine
    does weighs on neither.

    Returns:
        `candidate_p95` and `live_p95` in milliseconds, and their `ratio`.
    """
    sample = questions[:: -(-len(questions) // _TIMED)] if questions else ()
    times: dict[str, list[float]] = {"candidate": [], "live": []}
    for question in sample:
        rounds: dict[str, list[float]] = {name: [] for name in times}
        for _ in range(3):
            for name, retriever in (("candidate", candidate), ("live", live)):
                start = time.perf_counter()
                run_query(retriever, question)
                rounds[name].append((time.perf_counter() - start) * 1000)
        for name, measured in rounds.items():
            times[name].append(min(measured[1:]))
    if not sample:
        return None
    p95 = {name: latency(values)["ms_p95"] for name, values in times.items()}
    ratio = p95["candidate"] / p95["live"] if p95["live"] else 1.0
    return {"candidate_p95": p95["candidate"], "live_p95": p95["live"], "ratio": round(ratio, 3)}
