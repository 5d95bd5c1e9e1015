"""Filters and permission: for any filter the k results are the true first k among the allowed, and nothing else."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import CANARY
from rag_platform.index import lexical
from rag_platform.index.build.builder import build
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors import hnsw
from rag_platform.retrieval import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

WORDS = [f"w{number}" for number in range(40)]
PEOPLE = [f"user:{number}" for number in range(40)] + [f"group:{number}" for number in range(10)]
START = datetime(2026, 1, 1, tzinfo=UTC)
CHOICES = {
    "collection": ["guides", "news", "plans"],
    "source": ["docs", "board", "feed"],
    "language": ["en", "de"],
    "type": ["text", "row"],
}


def _documents(count: int = 400) -> list[dict]:
    chance = random.Random(3)
    made = []
    for number in range(count):
        columns = {name: chance.choice(values) for name, values in CHOICES.items()}
        dates = {name: START + timedelta(days=chance.randrange(100)) for name in ("published_at", "updated_at")}
        columns |= {name: date for name, date in dates.items() if chance.random() < 0.6}
        columns["tags"] = chance.choice([None, [], ["wet"], ["wet", "old"], ["old", "cold"]])
        columns["principals"] = [PUBLIC] if chance.random() < 0.5 else chance.sample(PEOPLE, chance.randrange(4))
        made.append(document(f"d{number}", " ".join([f"n{number}", *chance.choices(WORDS, k=9)]), **columns))
    made.append(document("planted", "w1 w2", type=CANARY, source=CANARY, principals=[PEOPLE[0]]))
    return made


DOCUMENTS = {row["doc_id"]: row for row in _documents()}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> OpenVersion:
    return _built(tmp_path_factory.mktemp("filters")).live()


def _built(folder: Path) -> Versions:
    versions = Versions(folder)
    versions.promote(build(corpus(*DOCUMENTS.values()), versions, partitions={}).version, why="test")
    return versions


def _passes(row: dict, filters: Filters) -> bool:
    """Say in plain words what a filter means."""
    dated = row.get("published_at") or row.get("updated_at")
    return (
        not {PUBLIC, *filters.principals}.isdisjoint(row["principals"])
        and (row["type"] != CANARY or CANARY in filters.types)
        and (not filters.collections or row["collection"] in filters.collections)
        and (not filters.sources or row["source"] in filters.sources)
        and (not filters.languages or row["language"] in filters.languages)
        and (not filters.types or row["type"] in filters.types)
        and set(filters.tags) <= set(row.get("tags") or ())
        and (not filters.since or (dated is not None and dated >= filters.since))
        and (not filters.until or (dated is not None and dated < filters.until))
    )


def _some(values: list[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from([*values, "unheard"]), max_size=2, unique=True).map(tuple)


MOMENTS = st.none() | st.integers(0, 100).map(lambda days: START + timedelta(days=days))
FILTERS = st.builds(
    Filters,
    collections=_some(CHOICES["collection"]),
    sources=_some(CHOICES["source"]),
    languages=st.just(()) | _some(CHOICES["language"]),
    types=st.just(()) | _some([*CHOICES["type"], CANARY]),
    tags=_some(["wet", "old", "cold"]),
    since=MOMENTS,
    until=MOMENTS,
    principals=_some(PEOPLE),
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filters=FILTERS)
def test_what_passes_is_what_a_plain_reading_of_the_filter_lets_pass(live: OpenVersion, filters: Filters) -> None:
    allowed = live.catalog.allowed(filters)
    rows = live.catalog.candidates(allowed)
    expected = {doc_id for doc_id, row in DOCUMENTS.items() if _passes(row, filters)}
    assert {rows[key]["doc_id"] for key in rows} == expected
    assert (np.diff(allowed.astype(object)) > 0).all()


WAYS = {"all compared": (10**6, 10**6, 10**6), "gone through": (0, 0, 10**6), "contenders alone": (0, 0, 0)}


@pytest.fixture(params=WAYS, ids=str)
def way(request: pytest.FixtureRequest, live: OpenVersion) -> Iterator[str]:
    compared, looked_up, many = WAYS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hnsw, "_PROPOSING", compared)
        for part in live.vectors.parts:
            patch.setattr(part, "_exact", compared > 0)
        patch.setattr(lexical, "_ONE_BY_ONE", looked_up)
        patch.setattr(lexical, "_MANY", many)
        yield request.param


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(filters=FILTERS, words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), k=st.integers(1, 30))
def test_the_first_k_are_those_of_filtering_everything(
    live: OpenVersion, way: str, filters: Filters, words: list[str], k: int
) -> None:
    question = " ".join(words)
    allowed = live.catalog.allowed(filters)
    by_words = partial(live.lexical.search, question, statistics=live.view(filters.principals).statistics)
    by_meaning = partial(live.vectors.search, WordEmbedder().embed_query(question))
    for search in (by_words, by_meaning):
        keys, scores = search(depth=len(DOCUMENTS))
        mine = np.isin(keys, allowed)
        found_keys, found_scores = search(depth=k, allowed=allowed)
        expected = scores[mine][:k]
        if search is by_meaning and way != "all compared":  # the graph may pass over one
            assert len(found_scores) == len(expected) and (found_scores <= expected + 1e-5).all()
            missed = (found_scores < expected[-1:] - 1e-5).sum() if len(expected) else 0
            assert missed <= 1 + len(expected) // 10
        else:
            assert found_scores == pytest.approx(expected, abs=1e-5), way
            assert search is by_meaning or found_keys.tolist() == keys[mine][:k].tolist()
        assert set(found_keys.tolist()) <= set(allowed.tolist())


def test_nothing_leaks_to_anybody(live: OpenVersion) -> None:
    """The same as benchmarks/attack/leaks.py does at length."""
    retriever = Retriever(
        Versions(live.folder.parent.parent), WordEmbedder, LengthReranker, RetrievalSettings(depth=20)
    )
    chance = random.Random(5)
    found = 0
    for _ in range(150):
        filters = Filters(
            principals=tuple(chance.sample(PEOPLE, chance.randrange(3))),
            tags=tuple(chance.sample(["wet", "old"], chance.randrange(2))),
            sources=tuple(chance.sample([*CHOICES["source"], CANARY], chance.randrange(3))),
        )
        mode = chance.choice(["lexical", "vector", "hybrid", "rerank"])
        result = retriever.search(" ".join(chance.choices(WORDS, k=3)), mode=mode, filters=filters, explain=True)
        shown = [*(hit.doc_id for hit in result.hits), *(one.doc_id for hit in result.hits for one in hit.duplicates)]
        uris = {entry["uri"] for entry in result.explanation}
        assert all(_passes(DOCUMENTS[doc_id], filters) for doc_id in shown)
        assert all(_passes(row, filters) for row in DOCUMENTS.values() if row["uri"] in uris)
        found += len(shown)
    assert found > 500


def test_what_is_looked_at_elsewhere_narrows_nothing_here(tmp_path: Path) -> None:
    everybody = [document(f"d{number}", f"w{number} w1", principals=[PUBLIC]) for number in range(3)]
    versions = Versions(tmp_path)
    versions.promote(build(corpus(*everybody), versions, partitions={}).version, why="test")
    catalog = versions.live().catalog
    for filters in (Filters(), Filters(match="any"), Filters(match="all", archived=True, principals=("user:1",))):
        assert catalog.allowed(filters) is None
    assert len(catalog.allowed(Filters(match="any", sources=("elsewhere",)))) == 0
