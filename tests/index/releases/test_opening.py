"""Opening a version keeps nobody waiting who does not need it."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rag_platform.core.errors import VersionError
from rag_platform.index.build.builder import build
from rag_platform.index.releases import open_versions
from rag_platform.index.releases.embedded_version import FORMAT, EmbeddedVersion
from rag_platform.index.releases.versions import Versions
from rag_platform.storage.atomic import file_sha256
from rag_platform.storage.hashed.sealed import sealed, unsealed
from tests.index.corpora import corpus, document, file_of

PATIENCE = 30.0
"""Seconds after which a test gives up waiting."""


class Slow(EmbeddedVersion):
    """A version whose opening takes until it is let go on."""

    begun: threading.Semaphore
    go_on: threading.Event

    def __init__(self, folder: Path, *, exact_below: int) -> None:
        Slow.begun.release()
        assert Slow.go_on.wait(PATIENCE)
        super().__init__(folder, exact_below=exact_below)


def test_the_catalog_of_an_open_version_is_that_one_until_its_files_are_written_to(
    versions: Versions, publish: Callable[..., str]
) -> None:
    version = publish(document("a", "the gauge is read in spring"))
    opened = versions.open(version)
    assert versions.catalog(version) is opened.catalog
    for path in versions.path(version).rglob("*.duckdb"):
        os.utime(path, (0, 0))
    assert versions.catalog(version) is not opened.catalog


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> type[Slow]:
    Slow.begun, Slow.go_on = threading.Semaphore(0), threading.Event()
    monkeypatch.setattr(open_versions, "EmbeddedVersion", Slow)
    return Slow


def test_searches_of_an_open_version_do_not_wait_for_the_opening_of_another(
    versions: Versions, publish, slow: type[Slow]
) -> None:
    slow.go_on.set()
    old, live = publish(document("a", "first")), publish(document("a", "second"))
    reader = Versions(versions.folder)
    assert reader.live().id == live
    slow.go_on.clear()
    slow.begun = threading.Semaphore(0)
    with ThreadPoolExecutor(2) as pool:
        opening = pool.submit(reader.open, old)
        assert slow.begun.acquire(timeout=PATIENCE)
        try:
            assert pool.submit(reader.live).result(timeout=PATIENCE / 3).id == live
            assert not opening.done()
        finally:
            slow.go_on.set()
        assert opening.result(timeout=PATIENCE).id == old


def test_a_version_is_opened_once_for_all_who_ask_at_once(versions: Versions, publish, slow: type[Slow]) -> None:
    slow.go_on.set()
    version = publish(document("a", "text"))
    slow.go_on.clear()
    slow.begun = threading.Semaphore(0)
    reader = Versions(versions.folder)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(reader.open, version) for _ in range(4)]
        assert slow.begun.acquire(timeout=PATIENCE)
        slow.go_on.set()
        opened = {id(future.result(timeout=PATIENCE)) for future in asked}
    assert len(opened) == 1
    assert not slow.begun.acquire(blocking=False)


def test_a_version_that_could_not_be_opened_is_tried_again(versions: Versions, publish) -> None:
    version = publish(document("a", "text"))
    path = file_of(versions.path(version), "vectors.usearch")
    content = path.read_bytes()
    path.write_bytes(content[:-1] + b"!")
    for _ in range(2):
        with pytest.raises(VersionError, match="damaged"):
            versions.open(version)
    path.write_bytes(content)
    assert versions.open(version).id == version


def test_a_version_of_another_format_is_refused_and_the_next_is_built_from_nothing(versions: Versions, publish) -> None:
    rows = [document(name, f"text {name}") for name in "abcdef"]
    folder = versions.path(publish(*rows))
    path, build_path = folder / "manifest.json", folder / "build.json"
    path.write_text(path.read_text().replace(f'"format": "{FORMAT}"', '"format": "2"'))
    built = unsealed(build_path.read_bytes())
    built["files"]["manifest.json"] = file_sha256(path)
    build_path.write_bytes(sealed(built))
    fresh = Versions(versions.folder)
    with pytest.raises(VersionError, match=rf"has the format '2'; this release reads '{FORMAT}'\. Sync"):
        fresh.live()
    made = build(corpus(*rows, document("g", "text g")), fresh, partitions={})
    assert [segment["shared"] for segment in fresh.manifest(made.version)["segments"]] == [False]
    assert fresh.open(made.version).verify() == []
