"""What was written so far: heard piece by piece, and kept when somebody stops it."""

from contextlib import closing

from rag_platform.answering import Answerer
from rag_platform.answering.answerer import STOPPED
from rag_platform.config.settings import Settings
from rag_platform.core.generation import PartialAnswer, Reasoning, Retracted
from rag_platform.core.hits import Filters
from rag_platform.erasure.recorded_answers import REMOVED, erase_answers
from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.journal.journal import Journal
from rag_platform.retrieval.results import SearchResult
from tests.answering.test_answering import Says, Shelf


def test_text_that_was_thought_after_all_moves_to_the_thoughts():
    draft = PartialAnswer()
    for piece in ("Let me ", "see.", Retracted(), Reasoning(""), "25 ", Reasoning("sure"), "days"):
        draft.add(piece)
    assert (draft.text, draft.reasoning) == ("25 days", "Let me see.sure")


def test_a_stopped_answer_is_kept_with_what_it_was_written_from_and_goes_with_that(embedder, hits, tmp_path):
    journal = Journal(tmp_path / "app.sqlite")
    says = Says("Employees get ", "a paraphrase of leave", "never read")
    answerer = Answerer(Shelf(hits), says, embedder, journal, Settings(home=tmp_path))
    who = {"filters": Filters(principals=("user:ilse", "group:staff")), "asker": "visitor:1"}
    draft, found = PartialAnswer(), []
    with closing(answerer.stream("How many days?", **who)) as parts:
        for part in parts:
            found.append(part) if isinstance(part, SearchResult) else draft.add(part)
            if "paraphrase" in draft.text:
                break
    kept = answerer.stopped("How many days?", found, draft, **who)
    receipt = journal.receipt(kept.receipt_id)
    assert receipt.answer.startswith("Employees get a paraphrase") and "never" not in receipt.answer
    assert receipt.warnings == (STOPPED,) and receipt.citations == () and receipt.principal == "visitor:1"
    assert receipt.documents == {hit.doc_id for hit in found[0].hits} and receipt.queries == ("How many days?",)
    with journal.writing() as connection:
        connection.execute("update receipts set model = 'tiny'")
    first = found[0].hits[0].doc_id
    erase_answers(journal, Remains(frozenset([first]), (), (), None), Fingerprints((), iter(())))
    assert journal.receipt(kept.receipt_id) is None and REMOVED
