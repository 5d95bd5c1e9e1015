"""Versions that share segments: what they hold, what they answer, what they cost, and what is left of what went."""

import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.core.hits import Filters
from rag_platform.index.build import segment_plan
from rag_platform.index.build.builder import build
from rag_platform.index.build.redaction import holding, redact
from rag_platform.index.build.segment_plan import Candidate, planned
from rag_platform.index.releases import version_files
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors import hnsw
from rag_platform.index.vectors.hnsw import VectorIndex
from tests.index.corpora import WordEmbedder, chunked, document

WORDS = ["river", "flood", "gauge", "weir", "harbour", "boat", "chart", "tide", "pilot", "anchor"]
QUESTIONS = ("river flood gauge", "tide", "anchor pilot chart weir boat", '"nowhere"', "edited harbour")
KEY = 2**64 - 1


@pytest.fixture(autouse=True)
def _no_segment_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)


def _document(place: int, edit: int = 0, **columns: object) -> dict:
    drawn = random.Random(f"{place} {edit}")
    text = " ".join(drawn.choices(WORDS, k=24)) + (f" edited {edit} times" if edit else "")
    return document(f"d{place}", text, **{"principals": ["*"] if place % 4 else ["ann"]} | columns)


def _publish(versions: Versions, documents: dict[int, dict]) -> OpenVersion:
    made = build(chunked(*documents.values(), words=8), versions, partitions={})
    versions.promote(made.version, why="test")
    return versions.open(made.version)


def _answers(version: OpenVersion) -> list:
    """Return all that a reader can be told, in its order."""
    catalog, told = version.catalog, []
    for who in ((), ("ann",)):
        view, filters = version.view(who), Filters(principals=who)
        allowed = catalog.allowed(filters)
        told += [view.documents, view.chunks, catalog.facets(who), sorted(catalog.unreadable(who))]
        for question in QUESTIONS:
            keys, scores = version.lexical.search(question, 7, view.statistics, allowed)
            told += [keys.tolist(), scores.tolist()]
            near, similar = version.vectors.search(WordEmbedder().embed_query(question), 60, allowed)  # all
            told += [near.tolist(), similar.tolist()]
            told.append(version.lexical.holding("river flood", view.statistics).tolist())
            told.append([view.word_weight(word) for word in WORDS])
        told.append([*version.lexical.words("or", view.statistics)])
        told.append(version.lexical.written(["edited", "tide"], view.statistics).tolist())
        told.append(version.lexical.commonest(WORDS, view.statistics, allowed))
    told.append(dict(catalog.candidates(catalog.keys)))
    told += [frame.to_dicts() for frame in (catalog.documents(), catalog.chunks())]
    told.append(catalog.common_headings(np.ones(len(catalog.attributes.doc_ids), bool)))
    told.append([row["doc_id"] for row in catalog.headings(("ann",), 3, "seed")])
    return told


_step = st.tuples(st.sampled_from(["edit", "drop", "add", "restrict", "revert"]), st.integers(0, 15))


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(_step, min_size=1, max_size=4), min_size=1, max_size=3))
def test_any_history_answers_like_a_build_from_nothing(tmp_path_factory, history) -> None:
    folder = tmp_path_factory.mktemp("versions")
    versions, documents = Versions(folder / "grown"), {place: _document(place) for place in range(12)}
    grown = _publish(versions, documents)
    for number, steps in enumerate(history, 1):
        for action, place in steps:
            if action == "drop" and len(documents) > 4:
                documents.pop(place, None)
            elif action == "revert":
                documents[place] = _document(place)
            elif action == "restrict":
                documents[place] = _document(place, principals=["ann"])
            else:
                documents[place] = _document(place, number)
        grown = _publish(versions, documents)
    rebuilt = _publish(Versions(folder / "rebuilt"), documents)
    assert grown.verify() == rebuilt.verify() == []
    assert grown.manifest["content"] == rebuilt.manifest["content"]
    for number, (one, other) in enumerate(zip(_answers(grown), _answers(rebuilt), strict=True)):
        assert one == other, number


def test_a_version_shares_what_did_not_change_and_writes_the_rest(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(40)}
    first = _publish(versions, documents)
    second = _publish(versions, documents | {3: _document(3, 1)})
    (old, new) = second.manifest["segments"]
    assert (old["shared"], new["shared"]) == (True, False)
    assert new["chunks"] * 10 < old["chunks"]
    for path in first.segments[0].rglob("*"):
        if path.is_file() and path.suffix != ".lock":
            assert path.samefile(second.segments[0] / path.relative_to(first.segments[0]))


def test_sharing_a_segment_neither_reads_it_again_nor_disturbs_who_reads_it(tmp_path: Path, monkeypatch) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(40)}
    first = _publish(versions, documents)
    read: list[str] = []
    hashed = version_files.file_sha256
    monkeypatch.setattr(version_files, "file_sha256", lambda path: read.append(str(path)) or hashed(path))
    second = _publish(versions, documents | {3: _document(3, 1)})
    assert first.intact
    assert read and not any(second.segments[0].name in path for path in read)


def test_a_new_version_is_verified_by_what_is_new_and_again_by_what_was_changed(tmp_path: Path, monkeypatch) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(40)}
    _publish(versions, documents)
    version = _publish(versions, documents | {3: _document(3, 1)})
    read: list[str] = []
    hashed = version_files.file_sha256
    monkeypatch.setattr(version_files, "file_sha256", lambda path: read.append(path.parts) or hashed(path))
    old, new = (segment.name for segment in version.segments)
    for what, expected in (("all", {old, new}), ("new", {new}), ("changed", set())):
        read.clear()
        assert version.verify(read=what) == []
        assert {name for name in (old, new) if any(name in parts for parts in read)} == expected
    path = next(path for path in version.segments[1].rglob("*.usearch"))
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    for what in ("changed", "new", "all"):
        assert any("is not the file that was built" in problem for problem in version.verify(read=what))


def test_recall_of_a_new_version_compares_no_shared_segment_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(hnsw, "_NOTED", 0)
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(40)}
    first = _publish(versions, documents)
    assert first.verify() == [] and list(first.segments[0].glob("*.nearest"))
    compared, compare = [], VectorIndex._all_nearest
    monkeypatch.setattr(
        VectorIndex, "_all_nearest", lambda self, *asked: compared.append(len(self)) or compare(self, *asked)
    )
    second = _publish(versions, documents | {40: _document(40)})
    assert second.verify() == []
    old, new = map(len, second.vectors.parts)
    assert compared.count(new) == 50 and compared.count(old) <= new, "the old one for new vectors alone"
    assert first.intact and Versions(tmp_path).is_sound(second.id)


def test_what_was_near_to_what_is_forgotten_is_forgotten_too(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(hnsw, "_NOTED", 0)
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(40)}
    _publish(versions, documents)
    secret = document("secret", "zebra quartz owl")
    held = _publish(versions, documents | {99: secret})
    assert held.verify() == [] and all([*segment.glob("*.nearest")] for segment in held.segments)
    form = redact(versions, [secret["doc_id"]], why="test", scrub=lambda told: told)[held.id]
    assert versions.open(form).manifest["segments"][0]["shared"] and not [*versions.path(form).rglob("*.nearest")]


def test_what_a_version_has_no_more_is_forgotten_in_the_files_that_it_shares(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(20)}
    secret = document("secret", "zebra quartz owl")
    first = _publish(versions, documents | {99: secret}).id
    second = _publish(versions, documents).id
    assert [segment["shared"] for segment in versions.open(second).manifest["segments"]] == [True]
    forms = redact(versions, [secret["doc_id"]], why="test", scrub=lambda told: told)
    assert forms.keys() == {first, second} and None not in forms.values()
    assert holding(versions, [secret["doc_id"]]) == []
    assert versions.live_id() == forms[second] != second
    assert versions.live().verify() == []
    vector = WordEmbedder().embed_query(secret["text"]).astype(np.float16).tobytes()
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        assert vector not in path.read_bytes() and b"quartz" not in path.read_bytes(), path
    assert redact(versions, [secret["doc_id"]], why="test", scrub=lambda told: told) == {}


def test_a_damaged_segment_is_not_shared(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(20)}
    first = _publish(versions, documents)
    path = first.segments[0] / "postings" / "chunks.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    later = _publish(Versions(tmp_path), documents | {1: _document(1, 1)})
    assert [segment["shared"] for segment in later.manifest["segments"]] == [False]
    assert later.verify() == []


def test_damage_that_is_found_in_one_version_is_found_in_those_that_share_it(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(20)}
    first = _publish(versions, documents)
    second = _publish(versions, documents | {1: _document(1, 1)})
    path = first.segments[0] / "postings" / "chunks.npy"
    before = path.stat()
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # as a disk does that gives other bytes
    assert Versions(tmp_path).is_sound(first.id)
    assert any("chunks.npy is not the file that was built" in said for said in second.verify())
    assert not Versions(tmp_path).is_sound(first.id)


def test_removing_a_version_leaves_the_segments_that_others_share(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(20)}
    first = _publish(versions, documents)
    second = _publish(versions, documents | {1: _document(1, 1)})
    versions.remove(first.id)
    assert Versions(tmp_path).open(second.id).verify() == []


def _members(*sizes: int) -> tuple[list[Candidate], np.ndarray]:
    """Return candidates of so many documents of a chunk each, and all their members."""
    names = np.split(np.arange(sum(sizes), dtype=np.uint64), np.cumsum(sizes)[:-1])
    found = [Candidate(Path(str(place)), own, np.ones(len(own), np.int64)) for place, own in enumerate(names)]
    return found, np.concatenate(names)


@pytest.mark.parametrize(
    ("sizes", "new", "shared"),
    [
        ((100,), 1, [100]),
        ((100, 1), 1, [100]),  # as many as are new are taken in
        ((100, 2, 1), 1, [100]),  # and then as many as these are
        ((100, 3, 1), 1, [100, 3]),
        ((1000, 60, 30), 50, [1000]),
        ((100, 60, 30), 50, []),
        ((100,), 100, []),
    ],
)
def test_new_rows_take_in_segments_no_larger_than_they_are(sizes, new, shared) -> None:
    candidates, members = _members(*sizes)
    members = np.concatenate([members, np.arange(new, dtype=np.uint64) + KEY // 2])
    plan = planned(members, np.ones(len(members), np.int64), candidates)
    assert [len(candidate.members) for candidate, _ in plan.shared] == shared
    assert plan.new.sum() == len(members) - sum(shared)


def test_a_segment_of_which_a_third_is_dead_is_written_anew() -> None:
    (candidate,), members = _members(99)
    few, many = (planned(members[gone:], np.ones(99 - gone, np.int64), [candidate]) for gone in (33, 34))
    assert [gone.tolist() for _, gone in few.shared] == [[*range(33)]]
    assert not many.shared and many.new.all()


def test_so_many_versions_that_each_edit_a_little_have_few_segments(tmp_path: Path) -> None:
    versions, documents = Versions(tmp_path), {place: _document(place) for place in range(30)}
    for number in range(6):
        documents[number] = _document(number, 1)
        last = _publish(versions, documents)
    assert len(last.segments) <= 3
    assert last.verify() == []
