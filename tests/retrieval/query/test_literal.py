"""Strings as they are written: parts of words and codes, exact wording; and all words, for whoever may read them."""

import random
import re
import unicodedata
from collections.abc import Callable

import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters, Match
from rag_platform.core.ids import document_id
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.document import explain_document
from rag_platform.retrieval.query import literal
from rag_platform.retrieval.query.literal import Literal
from rag_platform.retrieval.query.parsing import interpretation_phrases
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

DOCUMENTS = [
    document("bar", "Liquor is sold here, and liquorice too"),
    document("shop", "liquorice and Liquors of the old town"),
    document("part", "gasket KX-4471/B fits the pump", collection="parts"),
    document("other", "gasket KX-447/1B fits no pump", collection="parts"),
    document("pump", "the pumps were fitted on Monday; fitting takes an hour"),
    document("cafe", "Das Café am Fluss", language="de"),
    document("coffee", "the cafe at the river"),
    document("town", "我们的城市有一条大河", language="zh"),
    document("plan", "secret liquorland KX-4471/C", principals=["alice"], source="board"),
]
EVERY = {row["uri"] for row in DOCUMENTS} - {"plan"}


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    versions = Versions(tmp_path_factory.mktemp("literals"))
    versions.promote(build(corpus(*DOCUMENTS), versions, partitions={}).version, why="test")
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(collapse=False))


@pytest.fixture(params=["lexical", "vector", "hybrid", "rerank"])
def found(request: pytest.FixtureRequest, retriever: Retriever) -> Callable[..., set[str]]:
    """Return the addresses that a question finds, in every mode."""

    def _found(question: str, match: Match | None = None, **filters: object) -> set[str]:
        result = retriever.search(question, mode=request.param, filters=Filters(match=match, **filters))
        return {hit.uri for hit in result.hits}

    return _found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("*quor*", {"bar", "shop"}),
        ("*QUOR* town", {"bar", "shop"}),
        ("*quors*", {"shop"}),
        ("*4471*", {"part"}),
        ("*kx-44*", {"part", "other"}),
        ("*71/b*", {"part"}),
        ("gasket *447/1*", {"other"}),
        ("*t KX*", {"part", "other"}),
        ("*caf*", {"cafe", "coffee"}),
        ("*cafe*", {"cafe", "coffee"}),
        ("*café*", {"cafe"}),
        ("*一条大*", {"town"}),
        ("which shops sell *quori*?", {"bar", "shop"}),
        ("*quor* *tow*", {"shop"}),
        ("*quor* -town", {"bar"}),
    ],
)
def test_a_part_of_a_word_or_of_a_code_is_found_in_every_mode(found, question, expected) -> None:
    assert found(question) == expected


@pytest.mark.parametrize(
    "question", ["**liquor**", "2*3*4", "* liquor *", "*a*", "a* b*", "is *liquor* sold here?", "***"]
)
def test_what_only_looks_like_a_part_is_words(retriever, question) -> None:
    assert "parts" not in retriever.search(question, mode="hybrid").understood


def test_a_part_that_nothing_holds_is_said_and_its_words_are_searched_for(retriever) -> None:
    result = retriever.search("*qqq* liquor", mode="lexical")
    assert result.understood["missing"] == ["qqq"]
    assert {hit.uri for hit in result.hits} == {"bar", "shop"}


@pytest.mark.parametrize(
    ("question", "match", "expected"),
    [
        ("pump fitting hour", "all", {"pump"}),
        ("pump fits", "all", {"pump", "part", "other"}),
        ("pump fits", "exact", set()),
        ("fits the pump", "exact", {"part"}),
        ("fits the pum", "exact", set()),
        ("fits the pum", "part", {"part"}),
        ("KX-4471/B", "exact", {"part"}),
        ("X-4471", "exact", set()),
        ("X-4471", "part", {"part"}),
        ("liquor", "all", {"bar", "shop"}),
        ("liquor", "exact", {"bar"}),
        ("liquor", "part", {"bar", "shop"}),
        ("Liquor?", "exact", {"bar"}),
        ("一条大河", "exact", {"town"}),
        ("gasket fits source:docs", "all", {"part", "other"}),
        ("zzz liquor", "all", set()),
        ("*quor* sold", "all", {"bar"}),
        ("*quor* sold", "part", {"bar"}),
        ("*quor* old town", "exact", {"shop"}),
        ("quor", "part", {"bar", "shop"}),
        ("???", "all", EVERY),
    ],
)
def test_how_much_of_a_question_must_be_held_can_be_chosen(found, question, match, expected) -> None:
    got = found(question, match)
    assert got == expected or (question == "???" and got <= EVERY)


def test_nothing_that_may_not_be_read_is_found_by_its_parts(retriever, found) -> None:
    assert "plan" not in found("*quor*") | found("*4471*") | found("KX-4471/C", "exact") | found("liquorland", "part")
    assert found("*quorl*", principals=("alice",)) == {"plan"}
    told = retriever.search("*quorl*", mode="lexical").understood
    assert told == retriever.search("*quorx*", mode="lexical").understood | {"missing": ["quorl"], "text": "quorl"}
    assert found("*4471*", collections=("parts",)) == {"part"}


def test_what_is_required_is_said(retriever) -> None:
    said = [
        interpretation_phrases(retriever.search(question, filters=Filters(match=match), mode="lexical").understood)
        for question, match in (("*quor*", None), ("liquor sold", "all"), ("liquor", "exact"), ("quor", "part"))
    ]
    assert said == [
        ['with "quor", also within words'],
        ['with all words of "liquor sold"'],
        ['with exactly "liquor"'],
        ['with "quor", also within words'],
    ]


def test_a_document_without_what_is_required_is_told_why_it_is_not_there(retriever) -> None:
    for question, match, said in (("*quor*", None, '"quor", also within words'), ("liquor", "all", "all words")):
        result = retriever.search(question, mode="lexical", filters=Filters(match=match), explain=True)
        doc_id = document_id("docs", "pump")
        assert said in explain_document(result.trace, doc_id, result.understood).reason


def test_a_setting_says_what_must_be_held_and_a_search_may_say_otherwise(retriever) -> None:
    strict = Retriever(retriever.versions, WordEmbedder, LengthReranker, RetrievalSettings(match="exact"))
    assert {hit.uri for hit in strict.search("liquor", mode="hybrid").hits} == {"bar"}
    some = strict.search("liquor", mode="lexical", filters=Filters(match="any"))
    assert {hit.uri for hit in some.hits} == {"bar", "shop"}


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("one_by_one", [0, 10_000])
def test_what_is_held_is_what_reading_every_text_finds(tmp_path, monkeypatch, whole, one_by_one) -> None:
    monkeypatch.setattr(literal, "_ONE_BY_ONE", one_by_one)
    chance, letters = random.Random(7), "abAB1é-/ _.中文"
    texts = ["".join(chance.choices(letters, k=chance.randrange(1, 14))) + " end" for _ in range(300)]
    versions = Versions(tmp_path)
    versions.promote(
        build(corpus(*(document(f"d{n}", text) for n, text in enumerate(texts))), versions, partitions={}).version,
        why="test",
    )
    live = versions.live()
    rows = live.catalog.candidates(live.catalog.keys)
    for _ in range(150):
        text = chance.choice(texts)
        start = chance.randrange(len(text))
        sought = text[start : start + chance.randrange(1, 6)].strip()
        if not any(map(str.isalnum, sought)):
            continue
        held = Literal(sought, whole=whole).held(live, live.view(()).statistics, None).tolist()
        assert held == [key for key in live.catalog.keys.tolist() if _holds(rows[key]["text"], sought, whole)], sought


def _holds(text: str, sought: str, whole: bool) -> bool:
    """Compare letter by letter, as it is described for people."""
    if not re.search("[é]", sought):
        text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    text, sought = (" ".join(one.lower().split()) for one in (text, sought))
    edge = r"(?<![a-zA-Z0-9é])" if whole and re.match("[a-z0-9é]", sought) else ""
    after = r"(?![a-zA-Z0-9é])" if whole and re.search("[a-z0-9é]$", sought) else ""
    return re.search(edge + re.escape(sought) + after, text) is not None
