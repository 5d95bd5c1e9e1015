"""`#collection` and `@document` in a question: where it is answered from, and nothing that its asker may not know."""

import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

CLOSED = {"principals": ["alice"], "collection": "minutes"}
DOCUMENTS = [
    document("weir", "the old weir holds the river back", collection="Guides", title="On weirs: a guide"),
    document("mill", "an old mill in the river", collection="Guides", title="Mills"),
    document("ferry", "the ferry crosses the river", collection="Trips", title="Mills"),
    document("plan", "the plan of the river", title="Plan", **CLOSED),
]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    versions = Versions(tmp_path_factory.mktemp("scopes"))
    versions.promote(build(corpus(*DOCUMENTS), versions, partitions={}).version, why="test")
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings())


def found(retriever: Retriever, question: str, **filters: object) -> set[str]:
    return {hit.uri for hit in retriever.search(question, filters=Filters(**filters)).hits}


@pytest.mark.parametrize(
    ("question", "uris"),
    [
        ("river #guides", {"weir", "mill"}),
        ("#Trips river", {"ferry"}),
        ("river #guides #trips", {"weir", "mill", "ferry"}),
        ('river @"on weirs: a guide"?', {"weir"}),
        ("river @Mills", {"mill", "ferry"}),
        ("river @mills #trips", {"ferry"}),
        ("river @weir", {"weir"}),
        ("river #guides " + "and what of the banks of it? " * 20, {"weir", "mill"}),
    ],
)
def test_a_sign_narrows_where_an_answer_may_come_from(retriever, question, uris):
    assert found(retriever, question) == uris


def test_a_sign_leaves_the_words_and_is_told(retriever):
    scope = retriever.scoped('what of #guides and @"Mills" is old?', Filters())
    assert (scope.text, scope.named) == ("what of and is old?", (("collection", "Guides"), ("document", "Mills")))
    assert retriever.search("river #guides").understood["filters"] == ["collection:Guides"]
    assert retriever.search("river #guides").question == "river #guides"


@pytest.mark.parametrize("sign", ["#minutes", "@Plan", "@plan", "#nothing", "@nobody", "a#guides", "me@weir", "# @"])
def test_what_names_nothing_that_may_be_read_is_only_words(retriever, sign):
    assert found(retriever, f"river {sign}") == {"weir", "mill", "ferry"}


def test_a_sign_never_widens_what_may_be_searched(retriever):
    assert found(retriever, "river #trips", collections=("Guides",)) == set()
    assert found(retriever, "river #minutes", principals=("alice",)) == {"plan"}
    weir = next(hit.doc_id for hit in retriever.search("weir #guides").hits if hit.uri == "weir")
    assert found(retriever, "river", documents=(weir,)) == {"weir"}
    assert found(retriever, "river @mills", documents=(weir,)) == set()


def test_titles_are_completed_from_what_may_be_read_alone(retriever):
    catalog = retriever.live().catalog
    titled = lambda words, *who: [row["uri"] for row in catalog.titled(words, who, 5)]  # noqa: E731
    assert titled("mil") == ["ferry", "mill"] and titled("GUIDE") == ["weir"]
    assert titled("pla") == [] and titled("pla", "alice") == ["plan"] and titled("%") == []
