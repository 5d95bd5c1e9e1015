"""Nothing that an asker gets depends on what they may not read: neither on its words nor on its being there."""

import random
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from rag_platform.answering import Answerer
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.suggestions.question_suggestions import Suggestions
from rag_platform.config.settings import AnswerSettings, RetrievalSettings, Settings
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.document import explain_document
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

PUBLIC = [
    document("weir", "the weir holds the river back"),
    document("ferry", "the ferry crosses the river at noon"),
    document("heron", "a heron stands in the mud"),
]
NOW = datetime(2026, 11, 1, tzinfo=UTC)
WORDS = [f"{first}{second}er" for first in "bdfgk" for second in ("ank", "ill", "ond", "urn")]


class PlainEmbedder(WordEmbedder):
    """Reads every word in pieces, so that any may be misspelled."""

    def count_tokens(self, texts):
        return [len(text) for text in texts]


def _retriever(folder: Path, *documents: dict, **settings: object) -> Retriever:
    versions = Versions(folder)
    versions.promote(build(corpus(*documents), versions, partitions={}).version, why="test")
    return Retriever(versions, PlainEmbedder, LengthReranker, RetrievalSettings(**settings))


def _private(text: str, name: str = "private", **columns: object) -> dict:
    return document(name, text, principals=["alice"], **columns)


def test_a_guessed_word_of_a_hidden_document_changes_no_relevance(tmp_path) -> None:
    """The attack: ask for a public word beside a guess; where a hidden document has the guess, its weight is less."""
    retriever = _retriever(tmp_path, *PUBLIC, _private("the salary of the miller is 48210 crowns"))
    right, wrong = (retriever.search(f"weir {guess}", mode="lexical").hits[0] for guess in ("48210", "48211"))
    assert (right.relevance, right.score, right.scores) == (wrong.relevance, wrong.score, wrong.scores)


def test_a_word_weighs_for_the_reranker_and_for_answers_what_it_weighs_among_the_readable(tmp_path) -> None:
    live = _retriever(tmp_path, *PUBLIC, *(_private("the river rises", f"p{n}") for n in range(9))).live()
    without = _retriever(tmp_path / "without", *PUBLIC).live()
    assert live.view(()).word_weight("river") == without.view(()).word_weight("river")
    assert live.view(["alice"]).word_weight("river") < live.view(()).word_weight("river")


@pytest.mark.parametrize("hidden", [["the herom is late"], ["the herom is late"] * 9, ["hekon hekon"] * 600])
def test_spelling_knows_and_proposes_only_words_that_may_be_read(tmp_path, hidden) -> None:
    rows = [document(f"heron{n}", f"the heron of pier {n}") for n in range(3)]
    rows += [_private(text, f"p{n}") for n, text in enumerate(hidden)]
    retriever = _retriever(tmp_path, *PUBLIC, *rows)
    for misspelled in ("herom", "hekon"):
        assert retriever.search(misspelled, mode="lexical").understood["corrections"] == {misspelled: "heron"}


def test_two_documents_that_only_a_hidden_one_links_are_no_near_duplicates(tmp_path) -> None:
    words, others = [f"w{n}" for n in range(60)], [f"x{n}" for n in range(17)]
    first, between, last = words, [*words[:52], *others[9:]], [*words[:43], *others]
    rows = [document("first", " ".join(first)), document("last", " ".join(last))]
    linked = _retriever(tmp_path, *rows, _private(" ".join(between)), *PUBLIC)
    plain = _retriever(tmp_path / "plain", *rows, *PUBLIC)
    one, other = (retriever.search("w1 w2 w3", mode="lexical").hits for retriever in (linked, plain))
    assert [asdict(hit) for hit in one] == [asdict(hit) for hit in other] and len(one) == 2
    assert len(linked.search("w1 w2 w3", mode="lexical", filters=Filters(principals=("alice",))).hits) == 1


def test_whoever_may_read_everything_has_the_postings_as_they_are_stored(tmp_path) -> None:
    live = _retriever(tmp_path, *PUBLIC, _private("the river rises")).live()
    for view, whole in ((live.whole_view, True), (live.view(["alice"]), True), (live.view(()), False)):
        assert (view.statistics.postings is live.lexical.postings) == whole
        assert (view.statistics.written is live.lexical.written_postings) == whole


def test_the_languages_of_hidden_documents_say_nothing_of_a_question(tmp_path) -> None:
    german = [_private("die Häuser der Räte am Fluss", f"p{n}", language="de") for n in range(5)]
    live = _retriever(tmp_path, *PUBLIC, *german).live()
    assert live.view(()).statistics.languages == ("en",)
    assert live.view(["alice"]).statistics.languages == ("de", "en")


def test_headings_are_common_by_what_may_be_read(tmp_path) -> None:
    hidden = [_private("# Tides\n\nthe tide", f"p{n}") for n in range(5)]
    live = _retriever(tmp_path, document("tide", "# Tides\n\nof the moon"), *hidden).live()
    assert live.view(()).common_headings == frozenset()
    assert live.view(["alice"]).common_headings == {"tides"}


def test_what_a_page_has_in_common_with_pages_of_other_readers_is_no_flag() -> None:
    from rag_platform.text.boilerplate import mark_boilerplate

    rows = [
        {
            "uri": f"https://a.example/{n}",
            "format": "html",
            "status": "ok",
            "flags": [],
            "collection": "c",
            "principals": principals,
        }
        | {"text": f"The plan of the new weir\nstory {n}"}
        for n, principals in enumerate([["*"], *[["alice"]] * 6])
    ]
    mark_boilerplate(rows)
    assert rows[0]["flags"] == [] and rows[1]["flags"]


# --- whatever the corpus, whoever asks ------------------------------------------------------------------------


def _text(chance: random.Random) -> str:
    lead = chance.choice(["", "", f"# {chance.choice(WORDS).title()} of the {chance.choice(WORDS)}\n\n"])
    return lead + " ".join([*chance.choices(WORDS, k=chance.randrange(4, 30)), "."])


def _corpora(chance: random.Random) -> tuple[list[dict], list[list[dict]]]:
    """Return what bob may read, and three choices of what else there is: nothing among them."""
    names = [f"d{n}" for n in range(14)]
    readers = {name: chance.choice([["*"], ["*"], ["bob"], ["bob", "alice"]]) for name in names}
    texts = {name: _text(chance) for name in names}
    for copy, original in (("d1", "d0"), ("d3", "d2"), ("d5", "d0")):  # near-duplicates
        texts[copy] = f"{texts[original]} {chance.choice(WORDS)}"
    mine = [document(name, texts[name], principals=readers[name], tags=["wet"]) for name in names]

    def others() -> list[dict]:
        made = [_text(chance) for _ in range(6)]
        made += [f"{chance.choice(WORDS)} {texts[name]}" for name in ("d0", "d2", "d6")]  # twins of what bob reads
        return [
            document(f"hidden{n}", text, principals=["alice"], language=chance.choice(["en", "de"]), tags=["secret"])
            for n, text in enumerate(made)
        ]

    return mine, [others(), others(), []]


def _everything(retriever: Retriever, asker: Filters, chance: random.Random) -> Iterator[object]:
    """Yield all that somebody gets to see."""
    index, embedder = retriever.live(), PlainEmbedder()
    view = index.view(asker.principals)
    yield view.documents, view.chunks, view.common_headings, index.catalog.facets(asker.principals)
    yield [view.word_weight(word) for word in WORDS]
    suggested = Suggestions(retriever, embedder, AnswerSettings(threshold=0.0))
    yield suggested.examples(asker.principals)
    answerer = Answerer(retriever, Extractive(embedder, threshold=0.0), embedder, None, Settings(home=Path("/none")))
    for _ in range(4):
        words = " ".join(chance.choices([*WORDS, "bankre", "ditler", "gonder"], k=chance.randrange(1, 4)))
        question = chance.choice([words, words, f'"{words}"', f"{words} -{chance.choice(WORDS)}", f"not {words}"])
        for mode in ("lexical", "vector", "hybrid", "rerank"):
            found = retriever.search(question, k=4, mode=mode, filters=asker, explain=True, now=NOW)
            yield [asdict(hit) for hit in found.hits], found.understood, found.warnings, found.nothing_relevant
            yield found.explanation
            yield [explain_document(found.trace, hit.doc_id, found.understood) for hit in found.hits]
            yield retriever.facets(asker, question, mode=mode, known=found, now=NOW)
        yield [hit.uri for hit in retriever.search(question, filters=asker, order="date", now=NOW).hits]
        answer = answerer.ask(question, filters=asker, now=NOW)
        yield answer.answer, answer.abstained, answer.citations, answer.claims, answer.warnings


@pytest.mark.parametrize("seed", range(2))
def test_all_that_an_asker_gets_is_the_same_whatever_else_there_is(tmp_path, seed) -> None:
    chance = random.Random(seed)
    mine, choices = _corpora(chance)
    asker = Filters(principals=("bob",), collections=chance.choice([(), ("default",)]))
    given = [
        list(_everything(_retriever(tmp_path / str(n), *mine, *others, depth=chance_depth), asker, random.Random(seed)))
        for chance_depth in [chance.choice([4, 100])]
        for n, others in enumerate(choices)
    ]
    for one, other, absent in zip(*given, strict=True):
        assert _plain(one) == _plain(other) == _plain(absent)


def _plain(value: object) -> str:
    return repr(value).replace("nan", "NaN")


def test_public_texts_alone_set_the_scale_between_models(tmp_path) -> None:
    from rag_platform.index.build.corpus import Corpus
    from rag_platform.index.vectors.spaces import NEUTRAL, reference_of

    whole: Corpus = corpus(*PUBLIC, _private("the salary of the miller"))
    spaces = [
        SimpleNamespace(model={"fingerprint": name, "dimension": 64}, keys=space.keys, vectors=space.vectors)
        for name in ("one", "two")
        for space in whole.spaces
    ]
    reference = reference_of(whole.public, spaces, lambda _: PlainEmbedder())
    public = set(whole.public["text_hash"])
    assert len(public) == 3 and set(reference["text_hash"]) == public | NEUTRAL.keys()
    assert np.isfinite(reference["one"].to_numpy()).all()
