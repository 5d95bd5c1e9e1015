"""Versions in an empty folder, and a way to publish some documents."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from tests.index.corpora import corpus


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    return Versions(tmp_path / "index")


@pytest.fixture
def publish(versions: Versions) -> Callable[..., str]:
    """Build a version of these documents and make it live."""

    def _publish(*documents: dict) -> str:
        made = build(corpus(*documents), versions, partitions={})
        versions.promote(made.version, why="test")
        return made.version

    return _publish
