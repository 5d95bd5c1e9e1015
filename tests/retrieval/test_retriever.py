"""Legs, fusion, filters and permission, age, reranking, explanation: over a version of a few documents."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.errors import DamagedVersion, RerankError
from rag_platform.core.hits import Filters
from rag_platform.index import lexical
from rag_platform.index.question_words import highest
from rag_platform.index.releases.version_files import file_states
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors import hnsw
from rag_platform.operations.replies import search_document
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.search.fusion import surer
from tests.index.corpora import LengthReranker, WordEmbedder, document, file_of, idf

RIVERS = [
    document("weir", "the weir holds the river back", collection="guides", tags=["old", "wet"]),
    document(
        "ferry", "the ferry crosses the river at noon", tags=["wet"], published_at=datetime(2026, 5, 1, tzinfo=UTC)
    ),
    document("heron", "a heron stands in the mud", published_at=datetime(2020, 5, 1, tzinfo=UTC)),
    document("plan", "secret plan of the weir", principals=["alice", "group:board"], source="board"),
]


def _retriever(versions: Versions, **settings: object) -> Retriever:
    half_lives = settings.pop("half_lives", None)
    trust = settings.pop("trust", None)
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(**settings), half_lives, trust=trust)


def _uris(result) -> list[str]:
    return [hit.uri for hit in result.hits]


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "rerank"])
def test_every_mode_finds_the_best_document(versions, publish, mode) -> None:
    publish(*RIVERS)
    result = _retriever(versions).search("weir river", mode=mode, k=2)
    assert result.hits[0].uri == "weir"
    assert (result.mode, result.version) == (mode, versions.live_id())
    assert [hit.rank for hit in result.hits] == [1, 2]
    hit = result.hits[0]
    assert hit.text == RIVERS[0]["text"][slice(*hit.span)]


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "rerank"])
@pytest.mark.parametrize("question", ["", "   ", "!!!", "🙂", "a" * 100_000, 'c AND ((( "x', "नदी"])
def test_no_question_breaks_a_search(versions, publish, mode, question) -> None:
    publish(*RIVERS)
    assert len(_retriever(versions).search(question, mode=mode).hits) <= 3


def test_nobody_sees_what_is_not_theirs(versions, publish) -> None:
    publish(*RIVERS)
    retriever = _retriever(versions)
    for mode in ("lexical", "vector", "hybrid", "rerank"):
        for principals in ((), ("bob",), ("group:crew", "bob")):
            result = retriever.search("secret plan", mode=mode, filters=Filters(principals=principals), explain=True)
            assert "plan" not in _uris(result)
            assert all(entry["uri"] != "plan" for entry in result.explanation)
        for principals in (("alice",), ("bob", "group:board")):
            assert (
                _uris(retriever.search("secret plan", mode=mode, filters=Filters(principals=principals)))[0] == "plan"
            )
    live = versions.live()
    assert live.document(RIVERS[3]["doc_id"]) is None
    assert live.document(RIVERS[3]["doc_id"], ("alice",)).title == "plan"
    assert live.facets()["source"] == {"docs": 3}
    assert live.facets(("alice",))["source"] == {"docs": 3, "board": 1}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(collections=("guides",)), {"weir"}),
        (Filters(sources=("board",)), set()),
        (Filters(sources=("board",), principals=("alice",)), {"plan"}),
        (Filters(languages=("de",)), set()),
        (Filters(types=("text",)), {"weir", "ferry", "heron"}),
        (Filters(tags=("wet",)), {"weir", "ferry"}),
        (Filters(tags=("wet", "old")), {"weir"}),
        (Filters(since=datetime(2026, 1, 1, tzinfo=UTC)), {"ferry"}),
        (Filters(until=datetime(2026, 1, 1, tzinfo=UTC)), {"heron"}),
        (Filters(since=datetime(2026, 5, 1, tzinfo=UTC), until=datetime(2026, 5, 2, tzinfo=UTC)), {"ferry"}),
    ],
)
def test_filters_apply_before_anything_is_counted(versions, publish, filters, expected) -> None:
    publish(*RIVERS)
    assert set(_uris(_retriever(versions).search("river", mode="vector", filters=filters))) == expected


@pytest.mark.parametrize("few", [0, 5, 10_000])
def test_the_k_best_among_the_allowed_are_found_whatever_their_share(versions, publish, monkeypatch, few) -> None:
    """Both ways of filtering (asking by key, going through all) give what filtering everything gives."""
    monkeypatch.setattr(lexical, "_ONE_BY_ONE", few)
    monkeypatch.setattr(hnsw, "_PROPOSING", few)
    chance = random.Random(1)
    words = [f"w{n}" for n in range(40)]
    publish(
        *(
            document(f"d{n}", " ".join(chance.choices(words, k=12)), collection="rare" if n % 25 == 0 else "common")
            for n in range(500)
        )
    )
    live, filters = versions.live(), Filters(collections=("rare",))
    for part in live.vectors.parts:
        monkeypatch.setattr(part, "_exact", few > 5)
    allowed = live.catalog.allowed(filters)
    assert len(allowed) == 20
    vector = WordEmbedder().embed_query("w1 w2 w3")
    by_words = partial(live.lexical.search, "w1 w2 w3", statistics=live.view(()).statistics)
    for search in (by_words, partial(live.vectors.search, vector)):
        keys, scores = search(depth=500)
        mine = np.isin(keys, allowed)
        found_keys, found_scores = search(depth=8, allowed=allowed)
        assert found_scores == pytest.approx(scores[mine][:8], abs=1e-3)
        assert len(found_keys) == min(8, mine.sum())
        assert np.isin(found_keys, allowed).all()


def test_a_leg_that_is_empty_gives_its_weight_to_the_other(versions, publish) -> None:
    publish(*RIVERS)
    hits = _retriever(versions, lexical_weight=0.9).search("zzz", mode="hybrid").hits
    assert hits[0].score == 1.0
    assert hits[0].scores.lexical is None


def test_fusion_is_the_weighted_mean_of_the_scaled_legs(versions, publish) -> None:
    publish(*RIVERS)
    for hit in _retriever(versions, lexical_weight=0.25).search("weir river noon", mode="hybrid").hits:
        assert 0 <= hit.scores.fused <= 1
    retriever = _retriever(versions, lexical_weight=0.25, feedback=0)
    hits = retriever.search("weir river noon", mode="hybrid").hits
    lexical, vector = (
        np.array([getattr(hit.scores, name) for hit in hits], np.float32) for name in ("lexical", "vector")
    )
    words, meaning = np.nan_to_num(lexical) / np.nanmax(lexical), (vector - vector.min()) / np.ptp(vector)
    weight = surer(0.25, lexical, vector, highest("weir river noon", retriever.live().view(()).statistics))
    assert len(hits) > 1 and weight != 0.25
    assert [hit.scores.fused for hit in hits] == pytest.approx(weight * words + (1 - weight) * meaning, abs=1e-3)


NOW = datetime(2026, 11, 1, tzinfo=UTC)
MATTER = "the council of the town decided on the repair of the old weir below the mill"


def _dated(uri: str, text: str, days: float, **columns: object) -> dict:
    return document(uri, text, published_at=NOW - timedelta(days=days), **columns)


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "rerank"])
def test_age_never_buries_an_exact_match(versions, publish, mode) -> None:
    weaker = [
        _dated(f"new{n}", f"the council of the town met for the {n}th time and {'x' * n}", n) for n in range(1, 13)
    ]
    publish(_dated("old", MATTER, 600), *weaker)
    retriever = _retriever(versions, half_lives={"docs": 180.0})
    hits = retriever.search("council decided repair of the old weir", mode=mode, now=NOW).hits
    assert hits[0].uri == "old"
    assert hits[0].scores.recency == pytest.approx(2 ** (-600 / 180), abs=1e-4)


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "rerank"])
def test_of_about_equal_passages_the_newer_comes_first(versions, publish, mode) -> None:
    others = [document(f"other{n}", f"the town had {'a good deal of ' * n} rain") for n in range(4)]
    publish(*(_dated(f"d{days}", f"{MATTER} {days}", days) for days in (90, 0, 400, 30)), *others)
    retriever = _retriever(versions, half_lives={"docs": 30.0}, collapse=False)
    found = _uris(retriever.search("council decided repair of the old weir", mode=mode, now=NOW, k=4))
    assert found == ["d0", "d30", "d90", "d400"]


def test_age_takes_at_most_a_tenth_and_nothing_where_there_is_no_half_life_or_no_date(versions, publish) -> None:
    publish(
        _dated("new", f"{MATTER} a", 0),
        _dated("old", f"{MATTER} b", 5000),
        document("undated", f"{MATTER} c"),
        _dated("book", f"{MATTER} d", 5000, source="library"),
    )
    for weight, most in ((0.3, 0.1), (0.0, 0.0), (1.0, 1 / 3)):
        retriever = _retriever(versions, half_lives={"docs": 30.0}, collapse=False, recency_weight=weight)
        hits = {hit.uri: hit for hit in retriever.search("repair of the old weir", mode="lexical", now=NOW).hits}
        for uri, lost in (("new", 0.0), ("old", most), ("undated", 0.0), ("book", 0.0)):
            assert hits[uri].score == pytest.approx(hits[uri].scores.fused - lost, abs=1e-5)
        assert hits["undated"].scores.recency is None and hits["book"].scores.recency is None
        assert (hits["new"].scores.recency, hits["old"].scores.recency) == (1.0, 0.0)


def test_trust_weighs_by_source_and_by_collection(versions, publish) -> None:
    publish(
        document("plain", "river two"),
        document("draft", "river two too", collection="drafts"),
        document("rumour", "river two also", source="forum"),
    )
    trust = {"docs/drafts": "high", "forum": "untrusted"}
    hits = _retriever(versions, trust=trust).search("river two", mode="hybrid").hits
    by_uri = {hit.uri: hit for hit in hits}
    assert {uri: hit.trust for uri, hit in by_uri.items()} == {
        "plain": "normal",
        "draft": "high",
        "rumour": "untrusted",
    }
    assert by_uri["plain"].scores.trust is None
    for uri, factor in (("draft", 1.1), ("rumour", 0.6)):
        assert by_uri[uri].scores.trust == pytest.approx(factor)
        assert by_uri[uri].score == pytest.approx(by_uri[uri].scores.fused * factor, abs=1e-3)


def test_reranking_reorders_only_the_first_and_keeps_scores_ordered(versions, publish) -> None:
    publish(*RIVERS)
    result = _retriever(versions, rerank_depth=2, rerank_weight=1.0).search("the river", mode="rerank")
    assert [hit.scores.rerank is not None for hit in result.hits] == [True, True, False]


def test_explain_tells_of_every_candidate(versions, publish) -> None:
    publish(*RIVERS)
    result = _retriever(versions).search("weir river", mode="hybrid", k=1, explain=True)
    entries = {entry["uri"]: entry for entry in result.explanation}
    assert entries["weir"]["returned"]
    assert entries["weir"]["lexical_rank"] == 1
    assert not entries["heron"]["returned"]
    assert entries["heron"]["lexical_rank"] is None


def test_word_weights_are_bm25_idf(versions, publish) -> None:
    publish(*RIVERS)
    live = versions.live()
    assert live.whole_view.word_weight("weir") == pytest.approx(idf(4, 2))
    assert live.whole_view.word_weight("unheard") == pytest.approx(idf(4, 0))


def test_a_pinned_retriever_stays_when_the_pointer_moves(versions, publish) -> None:
    first = publish(*RIVERS)
    retriever = _retriever(versions)
    pinned = retriever.pinned(first)
    publish(*RIVERS[:1])
    assert pinned.search("heron").version == first
    assert retriever.search("heron").version != first
    assert "heron" in _uris(pinned.search("heron"))
    assert "heron" not in _uris(retriever.search("heron"))


def test_a_disk_that_gives_other_bytes_while_a_version_is_open_has_the_question_asked_once_more(
    versions, publish
) -> None:
    before, live = publish(*RIVERS), publish(*RIVERS[:3])
    retriever = _retriever(versions)
    opened, path = retriever.live(), file_of(versions.path(live), "catalog.chunks")
    sound = path.stat()
    with path.open("r+b") as file:
        file.write(b"\xff" * sound.st_size)
    opened.reader._states = file_states(opened.folder, opened.manifest["files"])  # the system says nothing
    noted = versions.path(live) / "checked.json"
    noted.write_text(noted.read_text().replace(str(sound.st_mtime_ns), str(path.stat().st_mtime_ns)))
    assert opened.intact
    result = retriever.search("heron", mode="lexical")
    assert (result.version, result.hits[0].uri) == (before, "heron")
    assert result.warnings[0].startswith(f"answering from {before}, because {live} is damaged: segments/")
    with pytest.raises(DamagedVersion, match=r"catalog\.chunks .*`rag repair` mends it"):
        retriever.pinned(live).search("heron", mode="lexical")


def test_equal_scores_have_one_order(versions, publish) -> None:
    publish(*(replace_uri(n) for n in range(20)))
    orders = {tuple(_uris(_retriever(versions).search("same words", mode=m))) for m in ("hybrid",) for _ in range(3)}
    assert len(orders) == 1


def replace_uri(number: int) -> dict:
    """Return a document whose text is that of all the others."""
    return document(f"d{number}", "same words everywhere")


class Verdicts:
    """Gives each passage the score that stands beside a word of it, and fails when it is told to."""

    name = "verdicts"
    calibrated = True
    weight = 0.8
    depth = 20
    margin = 1.0
    languages = ()

    def __init__(self, failure: str = "", **scores: float) -> None:
        self.failure, self.scores = failure, scores

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        given = [next((s for word, s in self.scores.items() if word in text), np.nan) for text in passages]
        if self.failure:
            raise RerankError(self.failure, np.array(given, np.float32))
        return np.array(given, np.float32)

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        return scores


def _judged_by(versions: Versions, reranker: Verdicts, **settings: object) -> Retriever:
    return Retriever(versions, WordEmbedder, lambda: reranker, RetrievalSettings(mode="rerank", **settings))


def test_what_the_reranker_drops_is_not_shown_nor_what_it_did_not_look_at(versions, publish) -> None:
    publish(*RIVERS)
    verdicts = Verdicts(weir=-np.inf, ferry=0.2, heron=0.9)
    result = _judged_by(versions, verdicts).search("weir river", explain=True)
    assert sorted(_uris(result)) == ["ferry", "heron"]
    assert [entry["uri"] for entry in result.explanation] == [*_uris(result), "weir"]
    assert result.explanation[-1]["ended"] == "reranked"
    assert [drop.stage for drop in result.trace.candidates.trace.dropped.values()] == ["reranked"]
    assert _uris(_judged_by(versions, verdicts, rerank_depth=2).search("weir river")) == ["ferry"]
    assert _uris(_judged_by(versions, Verdicts(weir=-np.inf, ferry=-np.inf, heron=-np.inf)).search("weir")) == []


def test_without_a_judgement_the_first_stage_s_order_stands_and_a_warning_is_given(versions, publish) -> None:
    publish(*RIVERS)
    first = _retriever(versions).search("weir river", mode="hybrid")
    result = _judged_by(versions, Verdicts("the server is gone")).search("weir river")
    assert _uris(result) == _uris(first)
    assert result.warnings == ("the server is gone",)
    assert first.warnings == () and search_document(result)["warnings"] == ("the server is gone",)
    assert all(hit.scores.rerank is None for hit in result.hits)


def test_a_judgement_of_some_leaves_the_others_where_they_were(versions, publish) -> None:
    publish(*RIVERS)
    settings = {"rerank_weight": 0.9}
    result = _judged_by(versions, Verdicts("two are missing", heron=0.1, ferry=0.9), **settings).search("weir river")
    assert _uris(result)[0] == "weir", "best of the first stage, not judged"
    assert _uris(result)[1:] == ["ferry", "heron"]
    assert result.warnings == ("two are missing",)
