"""What differs between two real versions: each kind of change is told from the others."""

import pytest

from rag_platform.index.build.builder import build
from rag_platform.index.releases.version_diff import Difference, difference
from tests.index.corpora import document
from tests.index.cutting import cut_corpus

WEIR = document("weir.md", "the weir holds the river back in spring")
FERRY = document("ferry.md", "the ferry crosses at noon every day")
MILL = document("mill.md", "the mill was sold to the board last year")


@pytest.fixture
def compare(versions):
    """Build two versions of documents, cut into so many words, and compare them."""

    def _compare(before, after, words=(4, 4), models=("words", "words")) -> Difference:
        made = [
            build(cut_corpus(*documents, words=size, model=model), versions, partitions={}).version
            for documents, size, model in zip((before, after), words, models, strict=True)
        ]
        return difference(*(versions.open(version) for version in made))

    return _compare


def _changes(made: Difference) -> dict[str, str]:
    return {row["uri"]: row["change"] for row in made.documents.to_dicts() if row["change"] != "unchanged"}


def test_documents_come_and_go(compare) -> None:
    made = compare([WEIR, FERRY], [WEIR, MILL])
    assert _changes(made) == {"ferry.md": "removed", "mill.md": "added"}
    assert made.document_counts == {
        "added": 1, "removed": 1, "source": 0, "extractor": 0, "description": 0, "unchanged": 1, "recut": 0
    }  # fmt: skip
    assert made.chunk_counts == {"kept": 2, "new": 3, "gone": 2, "reheaded": 0}
    assert made.sizes["documents"] == (2, 2)
    assert made.sizes["chunks"] == (4, 5)
    assert made.by_source().row(0, named=True)["added"] == 1


def test_other_bytes_are_the_source_and_other_text_of_the_same_bytes_is_the_extractor(compare) -> None:
    edited = document("weir.md", "the weir holds the river back in autumn")
    reread = document("ferry.md", "ferry crosses at noon", raw_sha256=FERRY["raw_sha256"])
    repacked = MILL | {"raw_sha256": "other bytes"}
    made = compare([WEIR, FERRY, MILL], [edited, reread, repacked])
    assert _changes(made) == {"weir.md": "source", "ferry.md": "extractor", "mill.md": "source"}
    rows = {row["uri"]: row for row in made.documents.to_dicts()}
    assert rows["weir.md"]["chunks_kept"] == 1
    assert [rows[uri]["same_text"] for uri in ("weir.md", "ferry.md", "mill.md")] == [False, False, True]


def test_a_new_title_is_a_description_and_gives_chunks_another_heading(compare) -> None:
    made = compare([WEIR, FERRY], [WEIR | {"title": "The weir", "principals": ["alice"]}, FERRY])
    assert _changes(made) == {"weir.md": "description"}
    assert made.changed("description")["fields"].to_list() == [["title", "principals"]]
    assert made.chunk_counts == {"kept": 2, "new": 0, "gone": 0, "reheaded": 2}


def test_other_sizes_cut_the_same_text_anew(compare) -> None:
    made = compare([WEIR, FERRY], [WEIR, FERRY], words=(4, 2))
    assert made.document_counts["recut"] == 2
    assert set(made.documents["recut"]) == {"chunker"}
    assert made.making == {"chunks.size": (4, 2)}
    assert made.chunker_differs
    assert not made.moved


def test_another_model_changes_no_document(compare) -> None:
    made = compare([WEIR], [WEIR], models=("words", "letters"))
    assert made.making["model.fingerprint"] == ("words", "letters")
    assert made.moved
    assert not made.empty
    assert made.document_counts["unchanged"] == 1


def test_a_version_does_not_differ_from_itself(versions, publish) -> None:
    made = versions.open(publish(WEIR, FERRY))
    same = difference(made, made)
    assert same.empty
    assert same.to_dict()["changes"] == []
