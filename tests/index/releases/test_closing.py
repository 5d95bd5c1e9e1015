"""A version closes when its last holder lets go of it: its files and its memory do not wait for Python's collector."""

import gc
from collections.abc import Iterator

import psutil
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.releases.open_versions import _OPEN
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, document


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def open_ids(versions: Versions) -> set[str]:
    """Return the versions of which this process has files open."""
    files = [file.path for file in psutil.Process().open_files()]
    return {version for version in versions.ids() if any(f"/{version}/" in file for file in files)}


def test_versions_that_were_searched_close_when_newer_ones_take_their_place(versions, publish, no_collector) -> None:
    retriever = Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(mode="hybrid"))
    held = None
    for number in range(_OPEN + 3):
        publish(document("a", f"gauge {number}"), document("b", "a note of asha", principals=["user:asha"]))
        for principals in ((), ("user:asha",)):
            filters = Filters(principals=principals, types=("text",))
            assert retriever.search("which gauge?", filters=filters).hits
            versions.live().facets(principals)
        held = held or versions.live()
    assert open_ids(versions) == {held.id, *versions.ids()[-_OPEN:]}
    del held
    assert open_ids(versions) == {*versions.ids()[-_OPEN:]}
