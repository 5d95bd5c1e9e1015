"""A damaged version is noticed whichever of its files it is, and the newest sound one answers in its place."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rag_platform.core.errors import DamagedVersion, VersionError
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import corpus, document, file_of

ROWS = [document(name, f"the gauge of {name} is read in spring") for name in "abcdef"]


def put(path: Path, content: bytes) -> None:
    """Put another file in its place: what is cut while it is mapped into memory ends the process."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x04
    put(path, content)


def truncate(path: Path) -> None:
    content = path.read_bytes()
    put(path, content[: len(content) // 2])


def empty(path: Path) -> None:
    put(path, b"")


DAMAGES: list[Callable[[Path], None]] = [flip, truncate, empty, Path.unlink]


def files(versions: Versions, version: str) -> list[str]:
    folder = versions.path(version)
    named = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file())
    return [name for name in named if name != "checked.json" and not name.endswith(".lock")]


@pytest.fixture
def two(publish: Callable[..., str]) -> tuple[str, str]:
    return publish(*ROWS), publish(*ROWS, document("g", "a seventh"))


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_file_of_the_live_version_is_noticed_and_the_one_before_answers(
    versions: Versions, two: tuple[str, str], damage: Callable[[Path], None]
) -> None:
    before, live = two
    names = files(versions, live)
    assert len(names) > 12
    for name in names:
        path = versions.path(live) / name
        content = path.read_bytes()
        damage(path)
        reader = Versions(versions.folder)
        assert reader.live().id == before, name
        said = reader.notice(before)
        assert said is not None and said.startswith(f"answering from {before}, because {live} is damaged: {name}")
        assert said.endswith("; run `rag repair`")
        put(path, content)
        assert (reader.live().id, reader.notice(live), reader.live_notice()) == (live, None, None), name


def test_a_reader_that_has_the_version_open_notices_too(versions: Versions, two: tuple[str, str]) -> None:
    before, live = two
    assert versions.live().id == live
    flip(file_of(versions.path(live), "catalog.chunks"))
    assert versions.live().id == before
    assert "catalog.chunks is not the file that was built" in str(versions.live_notice())


def test_a_damaged_version_is_not_read_again_for_each_query(
    versions: Versions, two: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, live = two
    path = file_of(versions.path(live), "catalog.chunks")
    content = path.read_bytes()
    flip(path)
    reader = Versions(versions.folder)
    assert not reader.live_is_known_damaged()
    assert reader.live().id == before and reader.live_is_known_damaged()
    with monkeypatch.context() as patched:
        patched.setattr("rag_platform.index.releases.version_files.file_sha256", lambda _: pytest.fail("read again"))
        assert reader.live().id == before
    put(path, content)
    assert reader.live().id == live and not reader.live_is_known_damaged()


def test_with_nothing_sound_the_error_names_what_mends_it(versions: Versions, publish: Callable[..., str]) -> None:
    live = publish(*ROWS)
    flip(file_of(versions.path(live), "catalog.duckdb"))
    with pytest.raises(DamagedVersion, match=f"{live} is damaged: .*catalog.duckdb .* `rag repair` mends it"):
        Versions(versions.folder).live()


def test_sound_files_are_not_read_again(
    versions: Versions, publish: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    live = publish(*ROWS)
    monkeypatch.setattr("rag_platform.index.releases.version_files.file_sha256", lambda _: pytest.fail("read again"))
    assert Versions(versions.folder).live().id == live


def test_a_damaged_note_of_what_was_checked_means_checking_again(
    versions: Versions, publish: Callable[..., str]
) -> None:
    path = versions.path(publish(*ROWS)) / "checked.json"
    sound = path.read_bytes()
    for content in (b"", b"[1]", sound[:-7], sound.replace(b"1", b"2")):
        path.write_bytes(content)
        Versions(versions.folder).live()
        assert path.read_bytes() == sound


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"v000009-00000000", b"nonsense", None])
def test_the_log_tells_what_a_damaged_pointer_named(
    versions: Versions, two: tuple[str, str], content: bytes | None
) -> None:
    pointer = versions.folder / "CURRENT"
    pointer.unlink() if content is None else pointer.write_bytes(content)
    assert Versions(versions.folder).live().id == two[1]


def test_what_does_not_verify_is_not_made_live(versions: Versions, two: tuple[str, str]) -> None:
    before, live = two
    path = file_of(versions.path(before), "catalog.documents")
    stat = path.stat()
    flip(path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    for move in (lambda: versions.promote(before, why="x"), lambda: versions.rollback(why="x")):
        with pytest.raises(VersionError, match=r"catalog\.documents is not the file that was built"):
            move()
    assert versions.live_id() == live


def test_a_version_is_built_anew_beside_a_damaged_one_of_equal_content(
    versions: Versions, two: tuple[str, str]
) -> None:
    live = two[1]
    for name in ("catalog.duckdb", "build.json"):
        flip(file_of(versions.path(live), name))
        made = build(corpus(*ROWS, document("g", "a seventh")), Versions(versions.folder), partitions={})
        assert made.new and made.version not in two
        assert versions.open(made.version).verify() == []
        versions.remove(made.version)


def test_a_damaged_evaluation_counts_as_none(versions: Versions, publish: Callable[..., str]) -> None:
    live = publish(*ROWS)
    versions.record_evaluation(live, {"means": {}}, {"passed": True, "reasons": []})
    versions.refuse_unfit(live)
    flip(versions.path(live) / "evaluation.json")
    with pytest.raises(VersionError, match="has not been judged"):
        versions.refuse_unfit(live)
    assert "evaluation.json is damaged" in versions.manifest(live)["unreadable"]
    assert versions.live().id == live


def test_pins_outlast_damage_to_either_of_their_files(versions: Versions, publish: Callable[..., str]) -> None:
    live = publish(*ROWS)
    versions.pin(live, "kept")
    for name in ("pins.json", "pins.copy.json"):
        path = versions.folder / name
        content = path.read_bytes()
        for damage in DAMAGES:
            damage(path)
            assert versions.pins()[live]["why"] == "kept"
            path.write_bytes(content)


def test_a_damaged_line_of_the_log_is_left_out_and_counted(versions: Versions, two: tuple[str, str]) -> None:
    path = versions.folder / "log.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"test"', b'"tesu"', 1))
    assert [move["version"] for move in versions.moves()] == [two[1]]
