from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from rag_platform.answering import FORGOTTEN, LONGEST, NO_QUESTION, Answerer
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.generators.registry import Generators
from rag_platform.config.settings import Settings
from rag_platform.core.answers import Answer
from rag_platform.core.errors import GenerationError, NothingPublished, SettingsError
from rag_platform.core.generation import Outcome, Reasoning, Retracted
from rag_platform.core.hits import Filters
from rag_platform.core.ids import chunk_key
from rag_platform.journal.journal import Journal
from rag_platform.retrieval.query.scope import Scoped
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import ABSTENTION
from tests.hits import BagOfWords


class Shelf:
    """A retriever over a handful of hits."""

    def __init__(self, hits):
        self.hits = hits
        self.asked = []

    def live(self):
        return self.version("v7")

    def version(self, version):
        keys = np.array([chunk_key(hit.chunk_id) for hit in self.hits], np.uint64)
        space = SimpleNamespace(model={"name": "x", "languages": ()}, cross=False, tokens=None)
        space.index = SimpleNamespace(contains=lambda asked: np.isin(asked, keys))
        return SimpleNamespace(id=version, view=lambda _: SimpleNamespace(word_weight=lambda _: 1.0, spaces=(space,)))

    def embedder_of(self, _):
        return BagOfWords()

    def scoped(self, question, filters):
        return Scoped(question, filters)

    def holdings(self, filters, now=None, version=None):
        return {("default", "en"): len(self.hits)}

    def search(self, question, *, k=10, mode=None, filters=Filters(), explain=False, version=None, now=None):  # noqa: B008
        self.asked.append((question, k, mode, filters))
        return SearchResult(question, "v7", mode or "rerank", {"total": 1.0}, tuple(self.hits[:k]))


class Says:
    """A generator that says what it was told to, and fails where it was told to."""

    name = "model"

    def __init__(self, *pieces, outcome=None):
        self.pieces = pieces
        self.outcome = outcome or Outcome(self.name)

    def stream(self, question, hits):
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece
        return self.outcome


@pytest.fixture
def answerer(tmp_path, embedder, hits):
    def make(generator=None, found=hits):
        journal = Journal(tmp_path / "app.sqlite")
        return Answerer(Shelf(found), generator or Extractive(embedder), embedder, journal, Settings(home=tmp_path))

    return make


QUESTION = "How many days of paid leave do employees get per year?"


def test_an_answer_is_cited_verified_timed_and_recorded(answerer):
    asked = answerer()
    answer = asked.ask(QUESTION, mode="hybrid", filters=Filters(principals=("ann",)))
    assert answer.answer.startswith("> Employees get **25 days** of paid leave per year.") and not answer.abstained
    assert answer.citations[0].quote == "Employees get 25 days of paid leave per year. Unused days expire on 31 March."
    assert (answer.version, answer.model, len(answer.hits)) == ("v7", "extractive", 3)
    assert set(answer.took_ms) == {"search", "generate", "verify", "total"}
    receipt = asked.journal.receipt(answer.receipt_id)
    assert (receipt.answer, receipt.mode, receipt.principal) == (answer.answer, "hybrid", "ann")


def test_without_anything_relevant_no_model_is_asked(answerer, monkeypatch):
    asked = answerer(Says(AssertionError("asked")))
    search = asked.retriever.search
    monkeypatch.setattr(asked.retriever, "search", lambda *a, **k: replace(search(*a, **k), nothing_relevant=True))
    answer = asked.ask(QUESTION)
    assert answer.abstained and answer.answer == ABSTENTION and answer.citations == ()
    assert len(answer.hits) == 3, "the closest passages are named"


def test_the_stream_is_hits_then_text_then_the_answer(answerer):
    first, *pieces, last = answerer(Says("The office opens ", "at eight in the morning [2].")).stream("When?")
    assert isinstance(first, SearchResult) and isinstance(last, Answer)
    assert "".join(pieces) == "The office opens at eight in the morning [2]." and pieces[0] == "The office opens "
    assert last.answer == "The office opens at eight in the morning. [1]" and last.model == "model"


def test_k_and_mode_reach_the_search(answerer):
    asked = answerer()
    asked.ask(QUESTION)
    asked.ask(QUESTION, k=2, mode="lexical")
    assert [(k, mode) for _, k, mode, _ in asked.retriever.asked] == [(6, None), (2, "lexical")]


def test_abstains_when_nothing_is_found_without_asking_the_generator(answerer):
    answer = answerer(Says(AssertionError("asked")), found=[]).ask(QUESTION)
    assert answer.abstained and answer.answer == ABSTENTION and answer.receipt_id


@pytest.mark.parametrize("said", [ABSTENTION, f"  {ABSTENTION}\n", f"**{ABSTENTION}** [1]"])
def test_a_generator_may_abstain(answerer, said):
    answer = answerer(Says(said)).ask(QUESTION)
    assert answer.abstained and answer.answer == ABSTENTION and not answer.citations


@pytest.mark.parametrize("question", ["", "  \n\t"])
def test_no_question_is_no_search_and_no_receipt(answerer, question):
    asked = answerer()
    answer = asked.ask(question)
    assert answer.abstained and answer.answer == NO_QUESTION and not answer.receipt_id
    assert not asked.retriever.asked


def test_a_very_long_question_keeps_its_beginning_and_its_end(answerer):
    asked = answerer()
    answer = asked.ask("first " + "word " * 2000 + "last?")
    assert answer.question.startswith("first ") and answer.question.endswith(" last?")
    assert len(answer.question) <= LONGEST + 3 and "10011 characters" in answer.warnings[0]
    assert asked.ask("x" * 10_000).question
    assert asked.ask("lone \ud800 surrogate \0").receipt_id


@pytest.mark.parametrize("before", [[], ["half an ans"]])
def test_a_generator_that_fails_is_replaced_by_the_sources(answerer, before):
    answer = answerer(Says(*before, GenerationError("the server is on fire"))).ask(QUESTION)
    assert answer.model == "extractive" and answer.answer.startswith("> Employees get **25 days**")
    assert "the server is on fire" in answer.warnings[0]


@pytest.mark.parametrize("pieces", [("\n\n\n", "…"), ("> ", "--"), ("<br>\n", "<br/>\n<img src=x>")])
def test_an_answer_without_a_word_is_replaced_by_the_sources(answerer, pieces):
    answer = answerer(Says(*pieces)).ask(QUESTION)
    assert answer.model == "extractive" and answer.answer.startswith("> Employees get **25 days**")
    assert "wrote no word" in answer.warnings[0]


def test_what_the_generator_noticed_is_told_and_its_thoughts_are_cut(answerer):
    outcome = Outcome("big", "hash", "hm", ("cut off",))
    asked = answerer(
        Says("hm ", Retracted(), Reasoning("so"), "The office opens at eight in the morning [2].", outcome=outcome)
    )
    answer = asked.ask("When?")
    assert answer.answer == "The office opens at eight in the morning. [1]" and answer.warnings == ("cut off",)
    assert asked.journal.receipt(answer.receipt_id).prompt_hash == "hash" and answer.model == "big"
    assert answer.reasoning == "hm"


def test_a_question_may_ask_for_another_generator(answerer, embedder):
    asked = answerer()
    big = Says("Employees get 25 days of paid leave per year [1].", outcome=Outcome("big-8b"))
    big.parameters = {"model": "big-8b", "temperature": 0.5}
    asked.generators = Generators({"big": big}, asked.generator)
    assert asked.ask(QUESTION, generator="big").model == "big-8b" and asked.ask(QUESTION).model == "extractive"
    own, chosen = [receipt.settings["generator"] for receipt in asked.journal.receipts()]
    assert own is None and chosen == {"name": "big", "model": "big-8b", "temperature": 0.5}
    with pytest.raises(SettingsError, match="expected one of: extractive, big"):
        asked.ask(QUESTION, generator="bug")


def test_a_listener_who_leaves_ends_the_generators_work(answerer):
    ended = []

    class Endless(Says):
        def stream(self, question, hits):
            try:
                while True:
                    yield "and "
            finally:
                ended.append(True)

    parts = answerer(Endless()).stream(QUESTION)
    assert isinstance(next(parts), SearchResult) and next(parts) == "and "
    parts.close()
    assert ended


def test_an_answer_survives_a_journal_that_cannot_be_written(answerer, tmp_path):
    asked = answerer()
    (tmp_path / "app.sqlite").write_bytes(b"damaged" * 1000)
    answer = asked.ask(QUESTION)
    assert not answer.abstained and not answer.receipt_id and "no receipt" in answer.warnings[-1]


def test_errors_of_the_search_are_the_callers(answerer):
    asked = answerer()
    asked.retriever.search = lambda *_, **__: (_ for _ in ()).throw(NothingPublished("publish first"))
    with pytest.raises(NothingPublished):
        asked.ask(QUESTION)


def test_an_answer_whose_document_is_forgotten_meanwhile_is_withdrawn(answerer):
    asked = answerer()
    with asked.journal.writing() as connection:
        connection.execute("insert into forgotten_documents values ('doc-1')")
    answer = asked.ask(QUESTION)
    assert (answer.answer, answer.abstained, answer.citations, answer.hits) == (FORGOTTEN, True, (), ())
    assert answer.receipt_id == "" and asked.journal.receipts() == []
