"""A version is built whole, proven, published by one move, and made alike from its parent or from nothing."""

import json
import random
from pathlib import Path

import pytest

from rag_platform.core.errors import NothingPublished, StorageError, VersionError
from rag_platform.index.build import writing
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import corpus, document, file_of

WORDS = ["river", "bridge", "gauge", "flood", "boat", "ferry", "heron", "lock", "weir", "mud"]


def _documents(count: int, seed: int = 0) -> list[dict]:
    chance = random.Random(seed)
    return [document(f"d{n}", " ".join([f"doc{n}", *chance.choices(WORDS, k=8)])) for n in range(count)]


def test_nothing_is_live_before_the_first_publication(versions: Versions) -> None:
    with pytest.raises(NothingPublished, match="rag sync"):
        versions.live()


def test_a_version_is_sound_and_says_what_it_holds(versions: Versions) -> None:
    made = build(corpus(*_documents(12)), versions, partitions={"docs": {"documents": 12}}, run_id="r1")
    assert made.new
    manifest = versions.manifest(made.version)
    assert manifest["counts"] == {"documents": 12, "chunks": 12}
    assert manifest["languages"] == {"en": 12}
    assert versions.open(made.version).verify() == []
    assert versions.candidate_id() == made.version
    assert versions.live_id() is None


def test_equal_content_is_the_same_version(versions: Versions) -> None:
    first = build(corpus(*_documents(5)), versions, partitions={})
    again = build(corpus(*reversed(_documents(5))), versions, partitions={}, run_id="another")
    assert (again.version, again.new) == (first.version, False)
    assert versions.ids() == [first.version]


def test_equal_inputs_give_equal_manifests(tmp_path: Path) -> None:
    ways = [Versions(tmp_path / name) for name in ("one", "two")]
    manifests = [v.manifest(build(corpus(*_documents(9)), v, partitions={}).version) for v in ways]
    assert manifests[0]["content"] == manifests[1]["content"]
    assert manifests[0]["id"] == manifests[1]["id"]


def test_publication_is_logged_and_followed_by_open_readers(versions: Versions, publish) -> None:
    first = publish(document("a", "first text"))
    reader = versions.live()
    second = publish(document("a", "second text"))
    assert reader.id == first  # pinned by its holder
    assert versions.live().id == second
    assert [(move["version"], move["before"]) for move in versions.moves()] == [(first, None), (second, first)]
    assert reader.documents()["text"].to_list() == ["first text"]


def test_a_crash_while_building_leaves_no_version(versions: Versions, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "build_lexical", crash)
    with pytest.raises(StorageError, match="no space left"):
        build(corpus(document("a", "text")), versions, partitions={})
    assert versions.ids() == []
    assert list((versions.folder / "versions").iterdir()) == []


def test_what_killed_processes_left_is_cleared_away_and_is_no_damage(versions: Versions, publish) -> None:
    version = publish(document("a", "text"))
    left = [
        versions.folder / ".CANDIDATE.123.new",
        versions.path(version) / ".evaluation.json.123.new",
        versions.path(".v000009-00000000.123.new") / "catalog.duckdb",
        versions.path(".v000008-00000000.gone") / "manifest.json",
    ]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_text("half")
    assert versions.open(version).verify() == []
    build(corpus(document("a", "text")), versions, partitions={})
    assert not any(path.exists() for path in left)
    assert versions.live().verify() == []


@pytest.mark.parametrize("name", ["vectors.usearch", "catalog.duckdb", "lexical/meta.json"])
def test_verify_finds_a_changed_file(versions: Versions, publish, name: str) -> None:
    version = publish(*_documents(5))
    opened = versions.live()
    path = file_of(versions.path(version), name)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.unlink()  # a view holds the old file
    path.write_bytes(content)
    assert any(f"{name} is not the file that was built" in problem for problem in opened.verify())


def test_damaged_vectors_are_refused_before_they_are_opened(versions: Versions, publish) -> None:
    version = publish(*_documents(5))
    path = file_of(versions.path(version), "vectors.usearch")
    content = path.read_bytes()
    path.unlink()  # a view holds the old file
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 0xFF]))
    fresh = Versions(versions.folder)
    with pytest.raises(VersionError, match=r"is damaged: .*vectors\.usearch is not the file that was built"):
        fresh.live()


def test_an_unknown_version_is_told(versions: Versions) -> None:
    with pytest.raises(VersionError, match="no version 'v9'"):
        versions.promote("v9", why="test")
    with pytest.raises(VersionError, match="rag index list"):
        versions.open("v9")


def test_evaluation_stands_beside_the_manifest_and_leaves_its_checksums(versions: Versions, publish) -> None:
    version = publish(*_documents(3))
    versions.record_evaluation(version, {"nDCG@10": 0.5}, {"passed": True, "reasons": []})
    assert versions.manifest(version)["verdict"]["passed"] is True
    assert versions.open(version).verify() == []


def test_old_versions_go_but_never_the_live_one_or_the_candidate(versions: Versions, publish) -> None:
    made = [publish(document("a", f"text {n}")) for n in range(4)]
    versions.promote(made[0], why="back")
    assert versions.gc(keep=1) == made[1:3]
    assert versions.ids() == [made[0], made[3]]


def test_the_log_is_one_json_document_a_line(versions: Versions, publish) -> None:
    publish(document("a", "text"))
    (line,) = (versions.folder / "log.jsonl").read_text().splitlines()
    assert set(json.loads(line)) == {"at", "who", "kind", "version", "before", "why", "run_id", "sha256"}
