"""Which recorded answers go with a document that is forgotten."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rag_platform.core.answers import Answer, Citation, Disagreement, JudgedClaim
from rag_platform.core.hits import Hit
from rag_platform.erasure.recorded_answers import erase_answers
from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.journal.answer_preferences import AnswerPreferences
from rag_platform.journal.journal import Journal
from rag_platform.people.arranging.folders import ChatFolders
from rag_platform.people.chats import Chats
from rag_platform.people.grids.grid import Cell
from rag_platform.people.grids.grid_cells import GridCells
from rag_platform.people.grids.grids import Grids
from rag_platform.people.repeated_requests import KeptAnswer, RepeatedRequests
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.shelf import Shelf
from rag_platform.people.watches import Watches
from rag_platform.storage.relational.app_database import Database

TAKEN_AWAY = JudgedClaim("It closes at nine.", None, "contradicted", None, "words", ())

SECRET = "the ferry warden keeps the ledger of the lock below the third stone of the northern bank"


def _quote(hit: Hit) -> Citation:
    return Citation(0, hit.doc_id, hit.chunk_id, hit.uri, hit.title, hit.text, hit.span, hit.raw_sha256, None)


@pytest.mark.parametrize(
    ("abstained", "claims", "disagrees", "goes"),
    [(True, (TAKEN_AWAY,), False, True), (True, (), False, False), (False, (), True, True)],
    ids=["a model wrote what was taken away", "a model wrote nothing", "quoted as what disagrees"],
)
def test_what_was_taken_away_and_what_disagrees_goes_too(
    database: Database,
    hits: list[Hit],
    *,
    abstained: bool,
    claims: tuple[JudgedClaim, ...],
    disagrees: bool,
    goes: bool,
) -> None:
    journal = Journal(database)
    against = (Disagreement(_quote(hits[1]), _quote(hits[0])),) if disagrees else ()
    model = "extractive" if disagrees else "tiny"
    answer = Answer("When?", "…", abstained, (), "v1", model, "", tuple(hits), claims=claims, disagreements=against)
    receipt_id = journal.record(replace(answer, searched=3), mode="hybrid")
    erase_answers(journal, Remains(frozenset([hits[0].doc_id]), (), (), None), Fingerprints((), iter(())))
    assert (journal.receipt(receipt_id) is None) is goes


def test_answers_that_are_kept_for_repeated_requests_go(database: Database) -> None:
    journal = Journal(database)
    requests = RepeatedRequests(journal)
    for key in ("answered", "underway"):
        assert requests.begin("ann", key, "hash") == "new"
    requests.keep("ann", "answered", KeptAnswer(200, {}, b"The ferry runs from six."))
    erase_answers(journal, Remains(frozenset(["d1"]), (), (), None), Fingerprints((), iter(())))
    requests.keep("ann", "underway", KeptAnswer(200, {}, b"The ferry runs from six."))  # which was read before
    assert [requests.begin("ann", key, "hash") for key in ("answered", "underway")] == ["gone", "gone"]


def test_what_somebody_asked_in_a_place_of_several_goes_with_its_thread(database: Database) -> None:
    journal = Journal(database)
    chats = Chats(journal)
    threads = {who: chats.begin("When?", "slack:T1:C1") for who in ("user:ann", "user:bo")}
    for who, chat in threads.items():
        answer = Answer("When?", "At six.", False, (), "v1", "extractive", "", ())
        receipt = journal.record(answer, mode="hybrid", principal=who)
        chats.say(chat, "user", "When?")
        chats.say(chat, "assistant", "At six.", receipt)
    erase_answers(journal, Remains(frozenset(), (), (), "user:ann"), Fingerprints((), iter(())))
    assert [one.id for one in chats.of("slack:T1:C1")] == [threads["user:bo"]]
    assert chats.count(threads["user:ann"], "slack:T1:C1") == 0


def test_watches_of_a_person_and_findings_of_a_document_go(database: Database, hits: list[Hit]) -> None:
    journal, now = Journal(database), datetime(2026, 11, 2, tzinfo=UTC)
    watches, gone = Watches(journal), hits[0].doc_id
    answer = Answer("When?", "…", False, (_quote(hits[0]),), "v1", "extractive", "", tuple(hits))
    receipt = journal.record(answer, mode="hybrid")
    ann, bo = [watches.find(watches.begin(one, "When?", now), one) for one in ("user:ann", "user:bo")]
    assert ann and bo
    watches.add(bo, "v1", now, documents={gone: "a", "other": "b"})
    watches.add(bo, "v2", now, receipt_id=receipt)
    quoting = watches.begin("user:bo", f"Is it true that {SECRET}", now)
    removed = Remains(frozenset([gone]), (), (SECRET,), "user:ann")
    counted = erase_answers(journal, removed, Fingerprints(removed.texts, iter(())))
    assert counted["watches"] == 2 and watches.of("user:ann") == [] and watches.find(quoting, "user:bo") is None
    last, first = watches.findings(bo.id)
    assert last.receipt_id is None and dict(first.documents) == {"other": "b"}


def test_grids_of_a_person_and_rows_of_a_document_go(database: Database, hits: list[Hit]) -> None:
    journal = Journal(database)
    grids, cells, gone = Grids(journal), GridCells(journal), hits[0].doc_id
    grids.begin("user:ann", "Of Ann")
    grid_id = grids.begin("user:bo", "Of Bo", readers=["user:ann", "group:crew"])
    grids.add_rows(grid_id, "user:bo", [gone, "other"])
    for question in ("When?", f"Is it true that {SECRET}?"):
        grids.add_column(grid_id, "user:bo", question)
    asked, grid = grids.columns(grid_id)[0], grids.find(grid_id, {"user:bo"})
    assert grid is not None
    for doc_id, hit in ((gone, hits[0]), ("other", hits[1])):
        answer = Answer("When?", "…", False, (_quote(hit),), "v1", "extractive", "", (hit,))
        receipt = journal.record(answer, mode="hybrid", principal="user:bo")
        cells.keep(grid, asked, doc_id, Cell("mark", receipt, failed=False, seconds=1.0))
    quoting = grids.begin("user:bo", SECRET[:70])
    removed = Remains(frozenset([gone]), (), (SECRET,), "user:ann")
    counted = erase_answers(journal, removed, Fingerprints(removed.texts, iter(())))
    left = {one.id: one for one in grids.of({"user:ann", "user:bo"})}
    assert left.keys() == {grid_id, quoting} and left[grid_id].readers == ("group:crew",)
    assert SECRET[:70] not in left[quoting].name and counted["grids"] == 2
    assert grids.rows(grid_id) == ["other"] and [one.question for one in grids.columns(grid_id)] == ["When?"]
    assert list(cells.of(grid_id)) == [(asked.id, "other")]


def test_a_chat_that_was_shared_with_a_forgotten_person_is_opened_to_nobody_else(database: Database) -> None:
    chats = Chats(journal := Journal(database))
    alone, both = chats.begin("Alone", "user:bo"), chats.begin("Both", "user:bo")
    token = chats.share(alone, "user:bo", ["user:ann"])
    chats.share(both, "user:bo", ["user:ann", "group:crew"])
    erase_answers(journal, Remains(frozenset(), (), (), "user:ann"), Fingerprints((), iter(())))
    assert chats.opened(token, {"user:otto"}) is None and chats.shared_as(alone, "user:bo") is None
    assert chats.shared_with(both, "user:bo") == ["group:crew"]


def test_what_somebody_shared_goes_with_them_and_what_quotes_a_document_with_it(database: Database) -> None:
    journal = Journal(database)
    shelf, chats, folders = Shelf(journal, "assistant", Assistant), Chats(journal), ChatFolders(journal)
    shelf.put("user:ann", "Of Ann", Assistant(), ["*"])
    quoting = shelf.put("user:bo", "Of Bo", Assistant(starters=(f"Is it true that {SECRET}?",)))
    kept = shelf.put("user:bo", "Kept", Assistant(), ["user:ann", "group:a"])
    folders.move(chats.begin("When?", "user:bo"), SECRET[:60], "user:bo")
    prints = Fingerprints((SECRET,), iter(()))
    gone = erase_answers(journal, Remains(frozenset(["d1"]), (), (), "user:ann"), prints)
    left = shelf.of({"user:ann", "user:bo", "*"})
    assert [(one.id, one.readers) for one in left] == [(kept, ("group:a",))] and quoting != kept
    assert gone["shared"] == 2 and folders.of("user:bo") == []


def test_whose_answer_a_person_found_better_goes_with_the_person_and_with_the_answers(database: Database) -> None:
    journal = Journal(database)
    preferred = AnswerPreferences(journal)
    whose = ("user:ann", "user:bo", "user:bo")
    answer = Answer("When?", "At six.", False, (), "v1", "extractive", "", ())
    of_ann, one, other = (journal.record(answer, mode="hybrid", principal=who) for who in whose)
    for better, worse, who in ((one, other, "user:ann"), (other, one, "user:bo"), (of_ann, one, "user:bo")):
        preferred.prefer(better, worse, who)
    assert len(preferred.since(datetime(2026, 1, 1, tzinfo=UTC), 10)) == 3
    erase_answers(journal, Remains(frozenset(), (), (), "user:ann"), Fingerprints((), iter(())))
    [(better, worse)] = preferred.since(datetime(2026, 1, 1, tzinfo=UTC), 10)
    assert (better.id, worse.id) == (other, one) and preferred.better(one, other, "user:ann") is None
