"""A page's own name goes from the file to the citation."""

from dataclasses import replace

import pytest

from rag_platform.answering.attached.attached_index import AttachedDocument, AttachedIndex
from rag_platform.answering.citations.citing import cite
from rag_platform.chunks.chunker import Chunker
from rag_platform.core.hits import page_name, page_starts
from rag_platform.pipeline.stages import Pipeline
from rag_platform.text.snippets import snippet
from rag_platform.workspace import open_workspace
from tests.documents.formats.pdf.test_annotations import pdf_of
from tests.hits import make_hit  # noqa: F401

TOML = '[[sources]]\nid = "books"\nkind = "folder"\npath = "books"\ninclude = ["*.pdf"]'


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    home = tmp_path_factory.mktemp("library")
    (home / "books").mkdir()
    labels = "/PageLabels << /Nums [0 << /S /r /St 4 >>] >>"
    (home / "books" / "preface.pdf").write_bytes(pdf_of("The herons nest in the reeds.", labels, pages=2))
    (home / "books" / "plain.pdf").write_bytes(pdf_of("The gauge is calibrated every spring.", pages=3))
    (home / "rag.toml").write_text(TOML)
    workspace = open_workspace(home)
    workspace.embedder = tiny_embedder
    pipeline = Pipeline(workspace)
    pipeline.sync_source("books")
    workspace.versions.promote(pipeline.build().version, why="test")
    return workspace


@pytest.mark.parametrize(
    ("question", "pages"),
    [("herons in the reeds", [(1, "iv"), (2, "v")]), ("the gauge", [(1, None), (2, None), (3, None)])],
)
def test_a_citation_names_its_own_page_as_its_book_does(workspace, question, pages):
    [hit] = workspace.retriever.search(question, mode="lexical").hits
    assert (hit.page, hit.page_label) == pages[0]
    sentences = [place for place in range(len(hit.text)) if hit.text.startswith("The ", place)]
    cited = [cite(hit, (place, place + 9)) for place in sentences]
    assert [(one.page, one.page_label) for one in cited] == pages


def test_a_file_of_a_chat_is_cited_by_its_pages_too(tiny_embedder):
    text = "The herons nest.\n\nThe gauge stands."
    file = AttachedDocument("1", "a.pdf", "A", text, "en", "pdf", (0, 18), ("iv", "v"), "ab", "cd")
    [hit] = AttachedIndex([file], Chunker(tiny_embedder.tokenizer), tiny_embedder).search(
        "Where is the gauge?", 3, lambda *_: 1.0
    )
    assert [cite(hit, (place, place + 9)).page_label for place in (0, 18)] == ["iv", "v"]


@pytest.mark.parametrize(("question", "called"), [("herons", "iv"), ("sluices", "v"), ("", "iv")])
def test_a_hit_that_goes_over_pages_is_shown_with_the_page_of_its_snippet(make_hit, question, called):  # noqa: F811
    text = "The herons nest in the reeds. " * 20 + "The sluices close at dusk. " * 20
    further = page_starts(4, [100 + 600], [None, None, None, "iv", "v"])
    hit = replace(make_hit(1, text), page=4, page_label="iv", further_pages=further, snippet=snippet(text, question))
    assert hit.snippet_page == called and hit.page_label == "iv"


def test_a_page_without_a_name_is_called_by_its_number():
    assert [page_name(*of) for of in ((1, "iv"), (3, None), (None, None))] == ["iv", "3", ""]
