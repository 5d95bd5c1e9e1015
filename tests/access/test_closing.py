"""Closing a document takes effect with the very next query of a process that runs already, and nothing opens it."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from evals.candidate_evaluation import evaluate, scores_of
from rag_platform.access.decisions import Target
from rag_platform.core.errors import AlreadyThere, RuleRefused, StorageError
from rag_platform.core.hits import Filters
from rag_platform.index.releases.document_history import document_state, revisions
from rag_platform.journal.permissions import closed, unreadable
from rag_platform.pipeline.stages import Pipeline
from tests.access.conftest import found, id_of, release, write_toml

BOTH = {"ferry.md", "weir.md"}


def _set(workspace, doc_id: str, **decided) -> None:
    workspace.access.rules.set(Target("document", doc_id), who="user:ada", why="a test", **decided)


def test_a_rule_of_another_process_closes_a_document_everywhere_at_once(workspace, opened) -> None:
    assert found(workspace) == BOTH
    weir, live = id_of(workspace, "weir.md"), workspace.versions.live()
    facets, view = live.facets()["source"], live.view(())
    assert live.document(weir) and not unreadable(workspace.versions, [weir], ())
    _set(opened(), weir, deny=["*"])
    assert found(workspace) == {"ferry.md"}
    assert live.document(weir) is None and document_state(workspace.versions, weir, ("user:ada",)) is None
    assert facets["notes"] == 2 and live.facets()["source"]["notes"] == 1
    assert (view.documents, live.view(()).documents) == (2, 1) and live.view(()).chunks < view.chunks
    assert live.view(()).statistics.frequency("weir") < view.statistics.frequency("weir")
    assert unreadable(workspace.versions, [weir], ()) == {weir} == closed(workspace.versions, [weir], ())
    assert {row["title"] for row in live.catalog.headings((), 9, "seed")} == {"Ferry"}
    opened().access.rules.remove(Target("document", weir), who="user:ada", why="a mistake")
    assert found(workspace) == BOTH


def test_whom_people_allow_takes_the_place_of_whom_the_source_names(workspace) -> None:
    weir = id_of(workspace, "weir.md")
    _set(workspace, weir, allow=["group:board"])
    assert found(workspace) == {"ferry.md"} and found(workspace, "group:board") == BOTH
    workspace.access.rules.set(Target("source", "notes"), allow=["group:crew"], who="user:ada", why="a test")
    assert found(workspace) == set() and found(workspace, "group:crew") == {"ferry.md"}
    assert found(workspace, "group:board") == {"weir.md"}, "the more particular rule counts"


def test_a_denial_counts_more_than_any_allowance(workspace) -> None:
    _set(workspace, id_of(workspace, "weir.md"), allow=["user:ada", "group:board"])
    workspace.access.rules.set(Target("address", "*we?r*", "notes"), deny=["user:ada"], who="x", why="y")
    assert found(workspace, "user:ada", "group:board") == {"ferry.md"}
    assert found(workspace, "group:board") == BOTH
    workspace.access.rules.set(Target("collection", "default"), deny=["*"], who="x", why="y")
    assert found(workspace, "group:board") == set()


def test_rag_toml_closes_a_source_at_once(workspace) -> None:
    assert found(workspace) == BOTH
    write_toml(workspace.settings.home, '["group:crew"]')
    assert found(workspace) == set() and found(workspace, "group:crew") == BOTH
    (workspace.settings.home / "rag.toml").write_text("[[sources]\n")
    assert found(workspace) == set() and found(workspace, "group:crew") == BOTH, "what cannot be read opens nothing"
    write_toml(workspace.settings.home)
    assert found(workspace) == BOTH
    (workspace.settings.home / "rag.toml").write_text("")
    assert found(workspace) == set(), "nobody says any more who may read it"


def test_readers_of_a_collection_change_at_once(workspace, opened) -> None:
    collections = workspace.collections("files")
    collections.create("Plans", id="plans")
    collections.add("plans", "plan.md", [b"# Plan\n\nThe plan of the new jetty."])
    release(workspace)
    assert "plan.md" in found(workspace)
    opened().collections("files").change("plans", principals=["group:board"])
    assert "plan.md" not in found(workspace) and "plan.md" in found(workspace, "group:board")
    opened().collections("files").change("plans", principals=[])
    assert "plan.md" in found(workspace)
    opened().collections("files").delete("plans")
    assert "plan.md" not in found(workspace, "group:board")


def test_no_collection_made_again_opens_the_files_of_the_one_that_was_deleted(workspace):
    collections = workspace.collections("files")
    collections.create("Plans", id="plans", principals=["group:board"])
    collections.add("plans", "plan.md", [b"# Plan\n\nThe secret plan of the new jetty."])
    with_plan = release(workspace)
    collections.delete("plans")
    release(workspace)
    with pytest.raises(AlreadyThere, match="versions that are kept"):
        collections.create("Plans", id="plans")
    assert collections.create("Plans", id="plans-2").principals == ("*",)
    workspace.versions.rollback(with_plan, why="a test")
    assert "plan.md" not in found(workspace) | found(workspace, "group:board")


def test_a_member_of_a_group_reads_until_they_leave_it(workspace, opened) -> None:
    _set(workspace, id_of(workspace, "weir.md"), allow=["group:board"])
    rules = opened().access.rules
    rules.join("group:board", ["group:chairs"], who="x")
    rules.join("group:chairs", ["user:ada"], who="x")
    assert found(workspace, "user:ada") == BOTH
    with pytest.raises(RuleRefused, match="within itself"):
        rules.join("group:chairs", ["group:board"], who="x")
    rules.leave("group:chairs", ["user:ada"], who="x")
    assert found(workspace, "user:ada") == {"ferry.md"}


def test_rules_end_when_the_clock_says_so(workspace) -> None:
    now = [datetime(2026, 5, 1, tzinfo=UTC)]
    workspace.access._clock = lambda: now[0]
    ends = now[0] + timedelta(days=1)
    _set(workspace, id_of(workspace, "weir.md"), allow=["user:ada"], until=ends)
    _set(workspace, id_of(workspace, "ferry.md"), deny=["*"], until=ends)
    assert found(workspace, "user:ada") == {"weir.md"}
    now[0] = ends
    assert found(workspace, "user:ada") == {"ferry.md"}, "what an allowance closed stays closed when it ends"


def test_no_rollback_opens_what_was_closed(workspace, opened) -> None:
    first, weir = workspace.versions.live_id(), id_of(workspace, "weir.md")
    _set(workspace, weir, deny=["*"])
    (workspace.settings.home / "notes" / "weir.md").unlink()
    (workspace.settings.home / "notes" / "ferry.md").write_text("# Ferry\n\nThe ferry leaves at seven.")
    sync_twice = [release(workspace) for _ in range(2)]
    assert sync_twice
    workspace.versions.rollback(first, why="a test")
    assert found(workspace) == {"ferry.md"} == found(opened())


def test_a_source_that_closed_a_document_and_lost_it_keeps_it_closed(workspace) -> None:
    first, path = workspace.versions.live_id(), workspace.settings.home / "notes" / "weir.md"
    path.write_text("---\nprivate: true\nowner: user:ada\n---\n" + path.read_text())
    release(workspace)
    path.unlink()
    release(workspace)
    workspace.versions.rollback(first, why="a test")
    assert found(workspace) == {"ferry.md"} and found(workspace, "user:ada") == BOTH


def test_opening_a_document_whose_text_has_changed_does_not_open_the_older_text(workspace, opened) -> None:
    home = workspace.settings.home
    write_toml(home, '["group:crew"]')
    release(opened())
    secret = workspace.versions.live_id()
    (home / "notes" / "weir.md").write_text("# Weir\n\nNothing about the weir is secret.")
    write_toml(home)
    assert found(workspace) == BOTH, "the same texts, which everybody may read now"
    release(opened())
    workspace.versions.rollback(secret, why="a test")
    assert found(workspace) == {"ferry.md"} and found(workspace, "group:crew") == BOTH
    doc_id = id_of(workspace, "weir.md")
    assert [len(revisions(workspace.versions, doc_id, who)) for who in ((), ("group:crew",))] == [0, 3]


def test_what_is_forgotten_is_closed_before_it_is_removed(workspace, opened) -> None:
    from rag_platform.raw.suppression import Entry

    entry = Entry("e", "uri", "t", (id_of(workspace, "weir.md"),), "2026-01-01T00:00:00+00:00", "x", "y")
    opened().suppression.add(entry)
    assert found(workspace) == {"ferry.md"}


def test_quarantine_holds_a_document_back_until_it_is_released(workspace, opened) -> None:
    weir, rules = id_of(workspace, "weir.md"), opened().access.rules
    assert rules.quarantine({weir: "r"}, who="review", why="it instructs") == 1
    assert rules.quarantine({weir: "r"}, who="review", why="again") == 0
    assert found(workspace, "user:ada") == {"ferry.md"} and [one.doc_id for one in rules.held()] == [weir]
    assert rules.release([weir], who="user:ada") == 1 == len(rules.held(released=True))
    assert found(workspace) == BOTH
    assert [one.action for one in rules.changes()] == ["release", "quarantine"]


@pytest.mark.parametrize("damaged", ["access.sqlite", "access/notes.parquet"])
@pytest.mark.parametrize("content", [None, b"nothing of the kind " * 500])
def test_nothing_is_shown_without_what_says_who_may_read(workspace, opened, damaged, content) -> None:
    assert found(workspace) == BOTH
    path = workspace.settings.data / damaged
    path.unlink()
    if content:
        path.write_bytes(content)
    for process in (workspace, opened()):
        with pytest.raises(StorageError, match=rf"(?s){path.name}.*rag repair"):
            found(process)


def test_what_makes_no_sense_is_refused(workspace) -> None:
    for given in ({}, {"allow": ["a"], "deny": ["a"]}, {"deny": [" "]}, {"deny": ["*"], "until": datetime(2026, 1, 1)}):
        with pytest.raises(RuleRefused):
            _set(workspace, "x", **given)
    with pytest.raises(RuleRefused):
        workspace.access.rules.join("group:a", ["*"], who="x")


def test_the_past_shows_what_may_be_read_now_and_might_then(workspace, opened) -> None:
    then, retriever = workspace.versions.live_id(), workspace.retriever
    write_toml(workspace.settings.home, '["group:crew"]')
    closed = release(opened())
    write_toml(workspace.settings.home)
    for version, who, seen in ((then, (), BOTH), (closed, (), set()), (closed, ("group:crew",), BOTH)):
        asked = retriever.as_of(version).search("ferry weir", mode="lexical", filters=Filters(principals=who))
        assert {hit.uri.rsplit("/", 1)[-1] for hit in asked.hits} == seen
    _set(workspace, id_of(workspace, "weir.md"), deny=["*"])
    assert len(retriever.as_of(then).search("ferry weir", mode="lexical").hits) == 1


def test_what_people_close_is_no_reason_to_refuse_a_version(workspace) -> None:
    questions = workspace.settings.home / "questions" / "set.jsonl"
    questions.parent.mkdir()
    quotes = {"ferry": "The ferry leaves at six", "weir": "opened by two wardens"}
    rows = [
        {"id": name, "question": text, "relevant": [{"uri": f"{name}.md", "quote": text}]}
        for name, text in quotes.items()
    ]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert scores_of(workspace, workspace.versions.live_id()).means["nDCG@10"] == 1
    _set(workspace, id_of(workspace, "weir.md"), deny=["*"])
    (workspace.settings.home / "notes" / "new.md").write_text("# New\n\nA new jetty is planned.")
    pipeline = Pipeline(workspace)
    pipeline.sync_source("notes")
    verdict = evaluate(workspace, pipeline.build().version).verdict
    assert verdict.passed, verdict.reasons
    assert verdict.stale == {"weir": "who asks it may not read any more what answers it"}
