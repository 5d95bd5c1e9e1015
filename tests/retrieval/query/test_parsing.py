"""Questions as people write them: phrases, fields, exclusions, slips of the hand; and texts that look like it."""

import time
import timeit
from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.query.exclusions import split
from rag_platform.retrieval.query.parsing import interpretation_phrases
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

BOARD = {"principals": ["alice"], "source": "board", "collection": "minutes", "tags": ["hush"]}
DOCUMENTS = [
    document("weir", "the old weir holds the river back", collection="Guides", tags=["old", "wet"]),
    document("mill", "an old mill beside the weir grinds corn", collection="Guides", tags=["old"]),
    document("ferry", "the ferry crosses the river at noon", published_at=datetime(2024, 5, 1, tzinfo=UTC)),
    document("heron", "a heron stands in the river mud", source="birds", published_at=datetime(2020, 5, 1, tzinfo=UTC)),
    document("egret", "an egret stands in the river", source="birds", type="markdown"),
    document("town", "我们的城市有一条大河", language="zh"),
    document("plan", "secret zeppelin plan of the weir", **BOARD),
    document("memo", "secret zeppelin memo of the weir", **BOARD),
]


class PiecesEmbedder(WordEmbedder):
    """Reads words that it does not know in pieces."""

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        return [1 if text in ("a", "liver") else 2 for text in texts]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    versions = Versions(tmp_path_factory.mktemp("queries"))
    versions.promote(build(corpus(*DOCUMENTS), versions, partitions={}).version, why="test")
    return Retriever(versions, PiecesEmbedder, LengthReranker, RetrievalSettings())


def _of(versions: Versions, **settings: object) -> Retriever:
    return Retriever(versions, PiecesEmbedder, LengthReranker, RetrievalSettings(**settings))


@pytest.fixture(params=["lexical", "vector", "hybrid", "rerank"])
def found(request: pytest.FixtureRequest, retriever: Retriever):
    """Return the addresses that a question finds, in every mode."""

    def _found(question: str, **filters: object) -> list[str]:
        result = retriever.search(question, mode=request.param, filters=Filters(**filters))
        return [hit.uri for hit in result.hits]

    return _found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ('river "old weir"', {"weir"}),
        ('"weir old" river', {"weir", "mill", "ferry", "heron", "egret"}),  # nothing holds it
        ("“crosses the rivers” noon", {"ferry"}),  # other quotes, another form of the word
        ("「一条大河」 城市", {"town"}),
        ('river -"old weir"', {"mill", "ferry", "heron", "egret"}),
        ("river -weir", {"ferry", "heron", "egret"}),
        ("river source:birds", {"heron", "egret"}),
        ("river SOURCE:Birds -heron", {"egret"}),
        ("river -source:birds", {"weir", "mill", "ferry"}),
        ('old collection:"guides"', {"weir", "mill"}),
        ("old tag:old tag:wet", {"weir"}),
        ("river type:markdown", {"egret"}),
        ("lang:zh 城市 river", {"town"}),
        ("river after:2024", {"ferry"}),
        ("river before:2024-05-01", {"heron"}),
    ],
)
def test_signs_are_obeyed_in_every_mode(found, question, expected) -> None:
    # the smallest vectors are somewhat near to everything, so a leg may find what the words do not
    assert set(found(question, languages=("en", "zh"))) <= expected | {"town"}
    assert set(found(question)) & expected


@pytest.mark.parametrize(
    "question",
    [
        "Error: foo:bar",
        "source:nowhere river",
        "source: birds",
        "principals:alice river",
        "type:canary river",
        'the "old river',
        'a 5" pipe and a 7" pipe',
        "-5 degrees at the river",
        "river - weir -- mill",
        "E2f-1, -2, -3",
        "a:b:c",
        "before:yesterday after:2024-13-40",
        "http://river.example/weir",
        '"" «» 「」',
    ],
)
def test_what_only_looks_like_a_sign_is_words(retriever, question) -> None:
    told = retriever.search(question, mode="hybrid").understood
    assert not set(told) - {"text", "corrections"}


@pytest.mark.parametrize(
    "question",
    ["-", "--", '"', '"""', "-\"", "(.*)+[a-z]{2,", "\\", "source:", ':"x"', "-:", "\u202eשלום -עולם \u0645",
     "a" * 2_000, '"a" ' * 500, "-x " * 700, "but not", ", except ?", "other than " * 150, "\0 \ud7ff",
     "река" * 9 + " ријека"],
)  # fmt: skip
def test_hostile_questions_are_answered(retriever, question) -> None:
    assert len(retriever.search(question, mode="rerank").hits) <= 10


def test_a_filter_alone_is_a_question(retriever) -> None:
    assert {hit.uri for hit in retriever.search("source:birds", mode="hybrid").hits} == {"heron", "egret"}


def test_a_long_text_is_not_typed(retriever) -> None:
    pasted = "the river " * 40
    assert retriever.search(pasted + '"old weir" -mill source:birds', mode="hybrid").understood == {}


def test_fields_narrow_the_filters_of_the_asker(found) -> None:
    assert found("river source:birds", sources=("docs",)) == []
    assert set(found("river source:birds source:docs", sources=("birds",))) <= {"heron", "egret"}
    assert found("river before:2021", since=datetime(2022, 1, 1, tzinfo=UTC)) == []
    assert "plan" in found("secret weir", principals=("alice",))
    assert not {"plan", "memo"} & set(found("secret weir source:board tag:hush principals:alice"))


def test_nothing_is_told_of_what_the_asker_may_not_read(retriever) -> None:
    for question in ("zepelin", "source:board weir", "tag:hush weir", "collection:minutes weir"):
        stranger = retriever.search(question, mode="hybrid", filters=Filters(principals=("bob",)))
        assert stranger.understood == {}
        assert retriever.search(question, mode="hybrid", filters=Filters(principals=("alice",))).understood
    hidden = retriever.search('weir "secret zeppelin"', mode="hybrid")
    assert hidden.understood["missing"] == ["secret zeppelin"]


def test_a_misspelled_word_finds_what_was_meant(retriever) -> None:
    result = retriever.search("hreon in the rivver", mode="lexical")
    assert result.hits[0].uri != "heron"  # one chunk alone holds it, which may be misspelled itself
    assert result.understood["corrections"] == {"rivver": "river"}
    assert {hit.uri for hit in result.hits} >= {"heron", "egret", "ferry", "weir"}
    assert "corrections" not in retriever.search("river weir", mode="lexical").understood


def test_a_word_is_proposed_only_if_it_stands_there_itself(versions, publish) -> None:
    publish(*(document(f"d{n}", f"the universities of town {n}") for n in range(3)), document("e", "a town"))
    told = [_of(versions).search(word, mode="lexical").understood for word in ("universitie", "universiti", "townn")]
    assert [one.get("corrections") for one in told] == [None, None, {"townn": "town"}]
    publish(*(document(f"d{n}", f"the rivers of town {n}") for n in range(3)))
    assert _of(versions).search("riverz", mode="lexical").understood["corrections"] == {"riverz": "rivers"}
    assert _of(versions).search("rivet", mode="lexical").understood == {}  # "river" stands nowhere, only "rivers"


@pytest.mark.parametrize("question", ["liver", "rivER2", "rivver2", "dRiver", "RIVERR plan", "riv"])
def test_a_word_or_a_name_is_not_corrected(retriever, question) -> None:
    assert "corrections" not in retriever.search(question, mode="hybrid").understood


def test_a_question_in_capitals_is_corrected(retriever) -> None:
    assert retriever.search("OLD RIVVER", mode="hybrid").understood["corrections"] == {"rivver": "river"}


def test_a_single_word_in_quotes_is_only_marked_in_a_sentence(retriever) -> None:
    assert retriever.search('what is a "heron"?', mode="hybrid").understood == {}
    for end in ('(as "heron").', '(a "heron.")', "the “heron.”", "the «heron»?)"):
        assert retriever.search(f"what stands there {end}", mode="hybrid").understood == {}
    assert retriever.search('river "heron"', mode="hybrid").understood["phrases"] == ["heron"]
    assert retriever.search('what is an "old mill"?', mode="hybrid").understood["phrases"] == ["old mill"]


def test_what_is_not_wanted_comes_later(retriever) -> None:
    for mode in ("lexical", "vector", "hybrid", "rerank"):
        plain, told = (
            retriever.search(question, mode=mode)
            for question in ("what stands in the river", "what stands in the river, other than a heron in mud?")
        )
        order = [hit.uri for hit in told.hits]
        assert order.index("egret") < order.index("heron")
        assert told.understood["unwanted"] == ["a heron in mud"]
        assert plain.understood == {}


def test_what_is_near_to_the_unwanted_half_is_lowered(versions, publish) -> None:
    publish(*DOCUMENTS)
    plain, told = (
        {hit.uri: hit.score for hit in _of(versions, feedback=0).search(question, mode="hybrid").hits}
        for question in ("an old mill or the old weir", "an old mill or the old weir, other than a mill that grinds?")
    )
    lost = {uri: plain[uri] - told[uri] for uri in plain}
    assert 0.25 < lost["mill"] < 0.35
    assert lost["weir"] < 0.15


@pytest.mark.parametrize(
    ("question", "wanted", "unwanted"),
    [
        ("Works of Kantor, excluding his theatre?", "Works of Kantor?", ["his theatre"]),
        ("papers about ferries but not about rivers", "papers about ferries", ["rivers"]),
        ("Apart from the 2012 film, which films did he make?", "which films did he make?", ["the 2012 film"]),
        ("Tell me about jazz, but I don't want to hear about Miles.", "Tell me about jazz.", ["Miles"]),
        ("Which U.S. states other than the U.S. Virgin Islands are big?", "Which U.S. states are big?",
         ["the U.S. Virgin Islands"]),
        ("ríos grandes, excepto el Ebro", "ríos grandes", ["el Ebro"]),
        ("Which rivers (excluding the Elbe) flow north (not including canals)?", "Which rivers flow north?",
         ["the Elbe", "canals"]),
        ("Which ferries (large ones, other than car ferries) cross the old river?",
         "Which ferries (large ones) cross the old river?", ["car ferries"]),
        ("Which boats, excluding rafts (and canoes) of reed, can float?", "Which boats, can float?",
         ["rafts (and canoes) of reed"]),
        ("Apart from Miles, which players of jazz (excluding drummers) are known?",
         "which players of jazz are known?", ["Miles", "drummers"]),
        ("List wading birds, excluding herons and not including egrets.", "List wading birds.", ["herons", "egrets"]),
        ("Which birds are here except herons? And which fish, except eels?", "Which birds are here? And which fish?",
         ["herons", "eels"]),
    ],
)  # fmt: skip
def test_a_question_is_split_at_the_words_that_exclude(question, wanted, unwanted) -> None:
    assert split(question) == (wanted, tuple(unwanted))


@pytest.mark.parametrize(
    "question",
    [
        "What is a vector without units?",
        "Cells give rise to the outer layer, but not the other two layers.",
        "all of the following except",
        "Vitamin D deficiency is unrelated to birth weight.",
        "Can bedside assessment reliably exclude aspiration?",
        "What did he call the mass instead of sacrifice?",
        "Cells give rise to the outer layer (but not the other two layers).",
        'He called it "a layer, but not the other one."',
        "Which birds live mostly, but not exclusively, at rivers?",
        "Which taxes are due, including but not limited to customs?",
        "Which birds often but not necessarily wade in rivers?",
        "Vögel, die vor allem, aber nicht nur am Fluss leben",
        "aves que viven en el río, pero no solo en el río",
        "Which costs are counted, not excluding repairs of the boat?",
        "Which birds live here other than that?",
        "besides",
        "",
    ],
)
def test_an_ordinary_question_is_not_split(question) -> None:
    assert split(question) == (question, ())


@pytest.mark.parametrize(
    ("beginning", "repeated"),
    [
        ("what", " "),
        ("what", "\n"),
        ("what", ", "),
        ("but not", " "),
        ("works, but not", " about"),
        ("except", " what, "),
        ("", "!"),
        ("works other than x", " "),
        ("but do not want to ", "a"),
        ("works, excluding", " a."),
        ("works", " (excluding x) y"),
        ("works, excluding x", " (y"),
        ("works, excluding x", " and not y"),
    ],
)
def test_the_work_of_splitting_grows_with_the_length_of_a_question(beginning, repeated) -> None:
    def seconds(length: int) -> float:
        question = (beginning + repeated * length)[:length] + "?"
        return min(timeit.repeat(lambda: split(question), number=1, repeat=3, timer=time.process_time))

    assert seconds(2_000) < 6 * seconds(500) + 0.005  # linear: 4 times; quadratic: 16


def test_blanks_of_a_split_question_count_once() -> None:
    assert split("works   of\tKantor , \n excluding   his   theatre?") == ("works of Kantor?", ("his theatre",))


def test_each_way_of_understanding_can_be_turned_off(retriever) -> None:
    off = RetrievalSettings(syntax=False, exclusions=False, spelling=False)
    plain = Retriever(retriever.versions, WordEmbedder, LengthReranker, off)
    for question in ("river source:birds", "rivver", "what stands in the river, other than a heron?"):
        assert retriever.search(question, mode="lexical").understood
        assert plain.search(question, mode="lexical").understood == {}


def test_what_was_understood_can_be_read(retriever) -> None:
    told = retriever.search('rivver "old weir" "new weir" -noon source:docs -tag:wet', mode="lexical").understood
    assert interpretation_phrases(told) == [
        'with the words "old weir"',
        'no document has the words "new weir"',
        "only source:docs",
        "without noon",
        "without tag:wet",
        "rivver: did you mean river?",
    ]
