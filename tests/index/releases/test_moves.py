"""The pointer moves in one step, every move is known, and one can go back, also to what was live on a day."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from rag_platform.core.errors import VersionError
from rag_platform.core.ids import document_id
from rag_platform.index.build.builder import build
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases import pointers
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import corpus, document, file_of


@pytest.fixture
def three(versions: Versions, publish) -> list[str]:
    return [publish(document("a", f"text {number}")) for number in range(3)]


def test_a_rollback_goes_back_and_twice_goes_further_back(versions: Versions, three: list[str]) -> None:
    assert versions.previous() == three[1]
    assert versions.rollback(why="bad dates") == three[1] == versions.live_id()
    assert versions.rollback(why="still bad") == three[0] == versions.live_id()
    with pytest.raises(VersionError, match="nothing to go back to"):
        versions.rollback(why="once more")
    assert versions.live_id() == three[0]


def test_a_rollback_holds_publication_until_a_promotion(versions: Versions, three: list[str]) -> None:
    assert versions.held() is None
    versions.rollback(three[0], why="the prices are wrong")
    held = versions.held()
    assert (held["version"], held["why"], held["kind"]) == (three[0], "the prices are wrong", "rollback")
    versions.promote(three[0], why="it is right after all")  # the pointer stays, the hold goes
    assert versions.held() is None
    assert versions.live_id() == three[0]


def test_going_forward_again_after_a_rollback(versions: Versions, three: list[str]) -> None:
    versions.rollback(why="test")
    versions.promote(three[2], why="it was not the index")
    assert versions.previous() == three[1]
    assert [(move["kind"], move["version"], move["before"]) for move in versions.moves()[-2:]] == [
        ("rollback", three[1], three[2]),
        ("promote", three[2], three[1]),
    ]


def test_a_move_that_was_only_intended_is_not_told(
    versions: Versions, three: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    made = versions.moves()
    with monkeypatch.context() as patched:
        patched.setattr(pointers, "write_bytes", killed)
        with pytest.raises(KeyboardInterrupt):
            versions.promote(three[0], why="never came")
    assert versions.live_id() == three[2]
    assert versions.moves() == made
    versions.promote(three[1], why="this did")
    assert [move["why"] for move in versions.moves()] == ["test", "test", "test", "this did"]


def test_a_torn_line_of_the_log_spoils_nothing(versions: Versions, three: list[str]) -> None:
    with (versions.folder / "log.jsonl").open("a") as file:
        file.write('{"at": "2026-01-')  # a kill in the middle of a write
    versions.promote(three[0], why="after")
    assert [move["version"] for move in versions.moves()] == [*three, three[0]]


def test_what_was_live_at_a_moment(versions: Versions, three: list[str]) -> None:
    moves = versions.moves()
    for move in moves:
        assert versions.at(datetime.fromisoformat(move["at"])) == move["version"]
    assert versions.at(datetime.now(UTC)) == three[2]
    with pytest.raises(VersionError, match="the first was published at"):
        versions.at(datetime.fromisoformat(moves[0]["at"]) - timedelta(microseconds=1))
    versions.remove(three[1])
    with pytest.raises(VersionError, match="has been removed since"):
        versions.at(datetime.fromisoformat(moves[1]["at"]))


def test_a_name_may_be_short(versions: Versions, three: list[str]) -> None:
    for name in (three[1], three[1][:9], "v000002", "v2", "2"):
        assert versions.resolve(name) == three[1]
    assert versions.resolve("live") == versions.resolve("candidate") == three[2]
    with pytest.raises(VersionError, match="more than one"):
        versions.resolve("v0000")
    for name in ("9", "v9", "", "old"):
        with pytest.raises(VersionError, match=f"no version '{name}'"):
            versions.resolve(name)


def test_pinned_versions_and_the_one_before_stay(versions: Versions, publish) -> None:
    made = [publish(document("a", f"text {number}")) for number in range(6)]
    versions.pin(made[1], why="the audit")
    assert versions.pins()[made[1]]["why"] == "the audit"
    assert versions.gc(keep=1) == [made[0], made[2], made[3]]
    versions.unpin(made[1])
    assert versions.gc(keep=1) == [made[1]]
    assert versions.ids() == made[4:]
    assert [path.name for path in (versions.folder / "versions").iterdir() if path.name.startswith(".")] == []
    with pytest.raises(VersionError, match="no version"):
        versions.pin(made[0], why="too late")


def test_a_damaged_version_is_not_gone_back_to(versions: Versions, three: list[str]) -> None:
    path = file_of(versions.path(three[1]), "vectors.usearch")
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    fresh = Versions(versions.folder)
    with pytest.raises(VersionError, match="damaged"):
        fresh.rollback(why="test")
    with pytest.raises(VersionError, match="damaged"):
        fresh.refuse_unfit(three[1], force=True)
    assert versions.live_id() == three[2]


def test_refused_versions_do_not_push_out_published_ones(versions: Versions, publish) -> None:
    published = [publish(document("a", f"text {number}")) for number in range(3)]
    refused = [
        build(corpus(document("a", f"refused {number}")), versions, partitions={}).version for number in range(5)
    ]
    assert versions.gc(keep=2) == [published[0], *refused[:3]]
    assert versions.ids() == [*published[1:], *refused[3:]]


def test_a_removed_version_is_not_read_from_memory(versions: Versions, three: list[str]) -> None:
    assert versions.open(three[0]).id == three[0]
    versions.remove(three[0])
    with pytest.raises(VersionError, match="no version"):
        versions.open(three[0])


def test_a_reader_that_was_overtaken_follows(versions: Versions, three: list[str]) -> None:
    """Between reading the pointer and opening, the version was replaced and removed."""
    reader = Versions(versions.folder)
    answers = iter([three[2], three[1], three[1]])
    reader.live_id = lambda: next(answers)  # type: ignore[method-assign]
    versions.rollback(why="test")
    versions.remove(three[2])
    assert reader.live().id == three[1]


def test_a_version_is_published_only_against_the_one_that_it_was_judged_against(
    versions: Versions, three: list[str]
) -> None:
    versions.rollback(three[1], why="test")
    versions.promote(three[1], why="it goes on")
    with pytest.raises(VersionError, match=f"{three[0]} was judged against {three[2]}.*{three[1]} is live"):
        versions.promote(three[0], why="the gate passed", judged_against=three[2])
    with pytest.raises(VersionError, match=f"{three[0]} was judged against no live version.*{three[1]} is live"):
        versions.promote(three[0], why="the gate passed", judged_against=None)
    assert versions.live_id() == three[1]
    assert versions.promote(three[0], why="the gate passed", judged_against=three[1]) == three[1]
    assert versions.live_id() == three[0]


def test_the_first_version_is_judged_against_none(versions: Versions) -> None:
    made = build(corpus(document("a", "text")), versions, partitions={}).version
    with pytest.raises(VersionError, match=r"v000009-gone.*nothing is live"):
        versions.promote(made, why="the gate passed", judged_against="v000009-gone")
    assert versions.promote(made, why="the gate passed", judged_against=None) is None
    assert versions.live_id() == made


def test_a_judgement_does_not_end_a_rollback(versions: Versions, three: list[str]) -> None:
    versions.rollback(why="the prices are wrong")
    for version in (three[1], three[2]):
        with pytest.raises(VersionError, match=r"held since .*the prices are wrong.*rag index promote"):
            versions.promote(version, why="the gate passed", judged_against=three[1])
    assert versions.live_id() == three[1] and versions.held()
    versions.promote(three[2], why="a person says so")
    assert versions.live_id() == three[2] and not versions.held()


def test_a_judgement_against_what_was_redacted_since_counts(versions: Versions, publish: Callable[..., str]) -> None:
    judged_against = publish(document("a", "first"), document("b", "second"))
    candidate = build(corpus(document("a", "third")), versions, partitions={}).version
    redact(versions, [document_id("docs", "b")], why="forgotten", scrub=dict)
    assert versions.live_id() not in (judged_against, None)
    versions.promote(candidate, why="the gate passed", judged_against=judged_against)
    assert versions.live_id() == candidate


def test_of_many_publishers_that_judged_against_one_version_one_publishes(versions: Versions, three: list[str]) -> None:
    candidates = [
        build(corpus(document("a", f"candidate {number}")), versions, partitions={}).version for number in range(4)
    ]

    def publish(candidate: str) -> bool:
        try:
            Versions(versions.folder).promote(candidate, why="the gate passed", judged_against=three[2])
        except VersionError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(publish, candidates)) == [False, False, False, True]


def test_a_rollback_goes_back_from_what_is_live_when_the_pointer_moves(versions: Versions, three: list[str]) -> None:
    class Overtaken(Versions):
        """Somebody publishes after the target was chosen, while it is opened."""

        def open(self, version: str) -> OpenVersion:
            if versions.live_id() == three[2]:
                versions.promote(three[0], why="meanwhile")
            return super().open(version)

    assert Overtaken(versions.folder).rollback(why="test") == three[2]
    assert versions.live_id() == three[2]


def test_moves_of_many_writers_are_all_told(versions: Versions, three: list[str]) -> None:
    def move(number: int) -> None:
        mine = Versions(versions.folder)
        for _ in range(10):
            mine.promote(three[number], why=f"writer {number}")

    threads = [threading.Thread(target=move, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    moves = versions.moves()
    assert moves[-1]["version"] == versions.live_id()
    assert all(after["before"] == before["version"] for before, after in pairwise(moves))
    written = [json.loads(line) for line in (versions.folder / "log.jsonl").read_text().splitlines()]
    assert len(written) == len(moves)


def test_equal_inputs_give_manifests_equal_to_the_last_byte(tmp_path: Path) -> None:
    texts = []
    for name, run in (("one", "r1"), ("two", "r2")):
        versions = Versions(tmp_path / name)
        documents = [document(f"d{number}", f"text number {number}") for number in range(9)]
        made = build(corpus(*documents[:: 1 if run == "r1" else -1]), versions, partitions={}, run_id=run)
        texts.append((versions.path(made.version) / "manifest.json").read_bytes())
        assert versions.manifest(made.version)["run_id"] == run
    assert texts[0] == texts[1]
