"""Questions changed one at a time, and what of an evaluation somebody may see."""

import json

import polars as pl
import pytest

from evals.candidate_evaluation import evaluate
from evals.gate.verdict import Verdict
from evals.measures.scoring import Scores
from evals.questions.editing import OWN, delete, export_set, import_set, missing_quotes, save, stored_questions
from evals.questions.sets import workspace_questions
from evals.report.html_report import render_html
from evals.report.markdown_report import render_markdown
from evals.report.release_report import ReleaseReport, stored_report
from evals.report.security_trimming import (
    HIDDEN,
    HIDDEN_SOURCE,
    WITHHELD,
    Restricted,
    restricted_for,
    trim_reasons,
    trim_report,
)
from rag_platform.core.errors import NotFound, QuestionSetError
from rag_platform.core.ports import SourceJudgement
from rag_platform.core.schemas import DOCUMENTS
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document

HERONS = document("birds/herons.md", "Herons wade in shallow water at dusk and eat frogs.", title="Herons")
MERGER = document("board/minutes.md", "The merger with Northwind was approved in March.", source="vault",
                  title="Secret minutes", principals=["group:board"])  # fmt: skip
KEPT = (
    '{"id":  "kept" , "question": "When do herons wade?", '
    '"relevant": [{"uri": "herons.md", "quote": "at dusk and eat frogs"}]}'
)
BOARD = {"id": "merger", "question": "What was approved?", "principal": "group:board",
         "relevant": [{"uri": "minutes.md", "quote": "merger with Northwind was approved"}]}  # fmt: skip


@pytest.fixture
def workspace(tmp_path):
    made = SmallWorkspace(tmp_path)
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "birds.jsonl").write_text(KEPT + "\n\n" + json.dumps(BOARD) + "\n")
    made.publish(HERONS, MERGER)
    return made


def stored(workspace, question_id):
    return next(one for one in stored_questions(workspace)[0] if one.question.id == question_id)


def row(**more):
    return {"question": "What do herons eat?", "relevant": [{"uri": "herons.md", "quote": "eat frogs."}]} | more


def test_a_question_is_added_changed_and_deleted_and_the_others_stay_as_they_were(workspace):
    made = save(workspace, row(), ())
    assert made == "what-do-herons-eat" and stored(workspace, made).path.name == OWN
    assert save(workspace, row(), ()) == "what-do-herons-eat-2"
    kept = stored(workspace, "kept")
    save(workspace, kept.row | {"question": "At what time do herons wade?"}, (), replacing=kept)
    lines = kept.path.read_text().split("\n")
    assert json.loads(lines[0])["question"] == "At what time do herons wade?"
    assert lines[1:] == ["", json.dumps(BOARD), ""]
    delete(workspace, stored(workspace, "kept"))
    assert kept.path.read_text() == "\n" + json.dumps(BOARD) + "\n"
    assert {one.id for one in workspace_questions(workspace)} == {"merger", made, f"{made}-2"}


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(workspace):
    mine, theirs = stored(workspace, "kept"), stored(workspace, "kept")
    save(workspace, theirs.row | {"answer": "at dusk"}, (), replacing=theirs)
    for change in (lambda: save(workspace, mine.row, (), replacing=mine), lambda: delete(workspace, mine)):
        with pytest.raises(NotFound, match="meanwhile"):
            change()
    assert stored(workspace, "kept").row["answer"] == "at dusk"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"question": " "}, "question"),
        ({"relevant": []}, "at least one quote"),
        ({"relevant": [{"uri": "herons.md", "quote": "eat snails"}]}, "does not hold the words"),
        ({"id": "kept"}, "another question has this id"),
        ({"split": "test"}, "split"),
        ({"as_of": "May"}, "as_of"),
    ],
)
def test_what_is_no_valid_question_is_refused_and_nothing_is_written(workspace, wrong, said):
    with pytest.raises(QuestionSetError, match=said):
        save(workspace, row(**wrong), ())
    assert not (workspace.settings.home / "questions" / OWN).exists()


def test_nobody_finds_out_by_trying_what_others_documents_say(workspace):
    for quote in ("merger with Northwind was approved", "merger with Southwind was approved"):
        with pytest.raises(QuestionSetError, match="no document has the uri"):
            save(workspace, row(relevant=[{"uri": "board/minutes.md", "quote": quote}]), ())
    assert save(workspace, row(relevant=BOARD["relevant"], principal="group:board"), ("group:board",))


def test_a_set_is_brought_in_whole_or_not_at_all(workspace):
    good = [json.dumps(row(id=name)) for name in ("a", "b")]
    absent = json.dumps(row(id="c", relevant=[{"uri": "herons.md", "quote": "eat only snails"}]))
    count, missing = import_set(workspace, "\n".join([*good, "", absent]).encode(), (), name="theirs.jsonl")
    assert count == 3 and len(missing) == 1 and "c#1" in missing[0]
    assert stored(workspace, "a").path.name == "theirs.jsonl"
    for content, said in (
        ("\n".join([json.dumps(row(id="d")), "{"]).encode(), "line 2"),
        (good[0].encode(), "there is one already"),
        (b"\xff\xfe", "UTF-8"),
        (b"\n", "no question"),
    ):
        with pytest.raises(QuestionSetError, match=said):
            import_set(workspace, content, (), name="theirs.jsonl")
    with pytest.raises(QuestionSetError, match="no name of a set"):
        import_set(workspace, json.dumps(row(id="e")).encode(), (), name="../e.jsonl")
    assert len(stored_questions(workspace)[0]) == 5
    again = export_set([stored(workspace, name) for name in ("a", "b")])
    assert [json.loads(line)["id"] for line in again.decode().splitlines()] == ["a", "b"]


def test_a_malformed_line_is_named_and_none_of_it_is_told(workspace):
    path = workspace.settings.home / "questions" / "birds.jsonl"
    wrong = ['{"id": "x", "question": "Secret?", "split": "secret"}', "not json", '"secret"', KEPT]
    path.write_text(path.read_text() + "\n".join(wrong) + "\n")
    found, problems = stored_questions(workspace)
    assert [one.question.id for one in found] == ["kept", "merger"]
    assert problems == [f"birds.jsonl:{one}" for one in ("4: split", "5: not valid JSON", "6: line", "7: id")]


def test_lost_quotes_are_looked_for_only_where_one_may_read(workspace):
    questions = workspace_questions(workspace)
    assert (
        len(missing_quotes(workspace, questions, ())) == 1
        and missing_quotes(workspace, questions, ("group:board",)) == []
    )


def test_questions_about_documents_of_others_are_hidden(workspace):
    questions = workspace_questions(workspace)
    hidden = restricted_for(workspace, questions, ())
    assert hidden.questions == {"merger"} and hidden.documents == {MERGER["doc_id"]}
    assert hidden.sources == {"vault"} and not restricted_for(workspace, questions, ("group:board",)).sources
    assert not restricted_for(workspace, questions, ("group:board",)).questions
    assert restricted_for(workspace, questions, ("group:audit",)).questions == {"merger"}


def test_a_document_that_no_version_has_is_known_by_the_tables(workspace):
    gone = {"doc_id": "d" * 16, "uri": "board/old.md", "status": "ok", "principals": ["group:board"]}
    workspace.store.write("documents", "board", pl.DataFrame([gone], schema=DOCUMENTS))
    about = [{"uri": "old.md", "quote": "the old merger failed"}]
    path = workspace.settings.home / "questions" / "old.jsonl"
    path.write_text(json.dumps({"id": "old", "question": "What failed?", "relevant": about}) + "\n")
    questions = workspace_questions(workspace)
    assert restricted_for(workspace, questions, ()).questions == {"merger", "old"}
    assert not restricted_for(workspace, questions, ("group:board",)).questions


def test_a_report_tells_nothing_of_documents_that_one_may_not_read(workspace):
    changed = document("board/minutes.md", "Nothing was approved.", source="vault", title="Secret minutes",
                       principals=["group:board"])  # fmt: skip
    version = workspace.build(HERONS, changed)
    evaluate(workspace, version)
    questions = workspace_questions(workspace)
    found = stored_report(workspace, version, questions)
    assert "Secret minutes" in render_html(found) and "merger" in render_markdown(found)
    closed = trim_report(found, restricted_for(workspace, questions, ()))
    for text in (render_html(closed), render_markdown(closed), json.dumps(closed.verdict.to_dict())):
        assert not [word for word in ("merger", "Northwind", "minutes", "vault") if word in text]
    assert HIDDEN in render_html(closed) and HIDDEN_SOURCE in render_html(closed)
    assert closed.candidate.means == found.candidate.means, "the gate's own numbers stay"


def test_a_source_that_one_reads_in_part_is_judged_without_what_one_may_not_read():
    judged = SourceJudgement("board", False, ("1 question got worse, by board/minutes.md.", "All else is well."),
                             questions=2, lost=("merger", "kept"))  # fmt: skip
    lost = {"merger": ["birds/herons.md"], "kept": ["board/minutes.md", "board/open.md"]}
    verdict = Verdict("refused", (), "v2", "v1", "f", sources={"board": judged, "vault": judged}, lost=lost)
    report = ReleaseReport(Scores("v2", "f", pl.DataFrame(), {}), None, verdict)
    hidden = Restricted(frozenset({"merger"}), words=("merger", "board/minutes.md"), sources=frozenset({"vault"}))
    told = trim_report(report, hidden).verdict
    assert told.lost == {"kept": (HIDDEN, "board/open.md")}
    assert set(told.sources) == {"board"}
    assert told.sources["board"].lost == ("kept",)
    assert told.sources["board"].reasons == (WITHHELD, "All else is well.")


def test_reasons_are_cut_where_they_begin_to_tell():
    hidden = Restricted(frozenset({"merger"}), frozenset(), ("merger", "board/minutes.md"))
    reasons = ["2 quotes are lost, first: merger#1: gone.", "merger rests on other text.", "All is well."]
    assert trim_reasons(reasons, hidden) == ["2 quotes are lost.", WITHHELD, "All is well."]
