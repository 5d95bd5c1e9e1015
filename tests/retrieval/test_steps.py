"""How long a search takes tells nothing of what its asker may not read: it takes the same steps, of the same sizes.

A clock would tell of a busy machine rather than of a leak. So every line that runs is noted, and how long every array
is that a function leaves behind.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import numpy as np
import pytest

import rag_platform
from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build import segment_plan
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

_OURS = str(Path(rag_platform.__file__).parent)
WORD, OTHER, ANOTHER = "zarkovin", "bluxdyte", "jimpfsuh"
"""Of eight letters each, none of them a slip of another."""
HARBOUR = [document(f"d{n}", f"the pilot of harbour {n} waits for the tide at noon") for n in range(30)]


@contextmanager
def _steps() -> Iterator[list[object]]:
    """Note each line of ours that runs, and the length of each array that a function has at its end.

    What other tests left is not let go of meanwhile: an index that closes runs lines of ours too.
    """
    steps: list[object] = []

    def inside(frame: FrameType, event: str, _: object) -> object:
        if event == "line":
            steps.append((frame.f_code.co_filename, frame.f_lineno))
        elif event == "return":
            sizes = {name: one.size for name, one in frame.f_locals.items() if isinstance(one, np.ndarray)}
            steps.append((frame.f_code.co_qualname, sizes))
        return inside

    before = sys.gettrace()
    gc.disable()
    sys.settrace(lambda frame, *_: inside if frame.f_code.co_filename.startswith(_OURS) else None)
    try:
        yield steps
    finally:
        sys.settrace(before)
        gc.enable()


def _published(folder: Path, *syncs: list[dict]) -> Retriever:
    """Return a retriever of a version that has a segment for each of these."""
    versions, documents = Versions(folder), []
    with patch.object(segment_plan, "SMALL", 0):
        for some in syncs:
            documents += some
            versions.promote(build(corpus(*documents), versions, partitions={}).version, why="test")
    assert len(versions.live().segments) == len(syncs)
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings())


def _hidden(text: str, count: int = 1) -> list[dict]:
    return [document(f"hidden{n}", f"{text} {n}", principals=["alice"]) for n in range(count)]


def _corpora(word: str) -> dict[str, list[list[dict]]]:
    text = f"the pilot {word} waits at noon"
    return {
        "beside public ones": [[*HARBOUR, *_hidden(text)]],
        "many": [[*HARBOUR, *_hidden(text, 300)]],
        "in a fresh segment": [HARBOUR, _hidden(text, 2)],
        "without others": [_hidden(text)],
    }


@pytest.fixture(scope="module", params=_corpora(WORD))
def retrievers(request, tmp_path_factory) -> list[Retriever]:
    """Return three, which differ by a word of hidden documents."""
    words = (ANOTHER, WORD, OTHER)
    return [_published(tmp_path_factory.mktemp("versions"), *_corpora(word)[request.param]) for word in words]


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("pilot {}", {"mode": "hybrid"}),
        ("pilot {}", {}),
        ("{}", {}),
        ("pilot {}x", {}),
        ("tell me of the pilot {} and of noon", {}),
        ('pilot "noon {}"', {}),
        ('"pilot {}"', {}),
        ("pilot -{}", {}),
        ("pilot *{}*", {}),
        ("pilot *{}*?", {}),
        ("pilots but not about {} boats", {}),
        ("pilot {}", {"match": "all"}),
        ("pilot {}", {"match": "exact"}),
        ("{}", {"match": "part"}),
        ("pilot {}", {"collections": ("default",)}),
        ("pilot {}", {"principals": ("bob",)}),
    ],
)
def test_a_question_takes_the_same_steps_whatever_hidden_documents_hold(retrievers, question, filters) -> None:
    asked, taken, filters = question.format(WORD), [], dict(filters)
    mode = filters.pop("mode", "lexical")
    for retriever in retrievers:
        retriever.search(
            question.format("jimpfsuh"), mode=mode, filters=Filters(**filters)
        )  # what is made once is there
        with _steps() as steps:
            found = retriever.search(asked, mode=mode, filters=Filters(**filters), explain=True)
            retriever.facets(Filters(**filters), asked, mode=mode, known=found)
        taken.append(steps)
    for one, other in zip(*taken[1:], strict=False):  # the first found what is made once still to be made
        assert one == other
    assert len(taken[1]) == len(taken[2]) > 500


def test_a_word_that_may_be_read_is_told_from_one_that_may_not(retrievers) -> None:
    """The steps do show what there is to be seen."""
    taken = []
    for retriever in retrievers:
        with _steps() as steps:
            retriever.search(WORD, mode="lexical", filters=Filters(principals=("alice",)))
        taken.append(steps)
    assert taken[1] != taken[2]
