"""The page of a report: it says what decides, stands alone, and shows foreign text as text."""

import re

import pytest

from evals.candidate_evaluation import report_again, report_path
from evals.gate.verdict import judge
from evals.report.html_report import render_html
from evals.report.release_report import ReleaseReport
from rag_platform.config.settings import GateSettings
from rag_platform.core.errors import VersionError
from tests.evals.boards import board
from tests.evals.refusals import PAGES, QUESTIONS, html_of, refused_version
from tests.evals.workspaces import SmallWorkspace


@pytest.fixture(scope="module")
def refused(tmp_path_factory) -> tuple[SmallWorkspace, str]:
    return refused_version(tmp_path_factory.mktemp("report"))


def _text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html.split("<body>")[1]).split())


def test_a_refusal_says_why_and_which_questions_lost_what(refused) -> None:
    text = _text(html_of(refused).read_text(encoding="utf-8"))
    assert "The gate did not let this version go live: v000002-" in text
    assert "nDCG@10 fell from 1.000 to" in text
    assert "topic5 river synthetic rank 1 → not found nDCG@10 1.000 → 0.000 extractor q5" in text
    assert "Page 5 page5.md rank 1 → not found: the same bytes gave another text" in text
    assert "Page 1 page1.md rank 1 → not found: the document was edited" in text
    assert "مستوى النهر ar.html rank 1 → not found: the document is no longer there" in text
    assert "3 of 8 questions are synthetic" in text
    assert "Documents: 1 came, 2 went, 3 changed." in text
    assert "Quotes that are not in the documents" in text
    assert "All 4 evaluations" in text


def test_nothing_leaves_the_page_and_nothing_runs_in_it(refused) -> None:
    html = html_of(refused).read_text(encoding="utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;document.title" in html
    assert not re.findall(r"(?:src|href)=\"(?!data:)", html)
    assert "@import" not in html
    assert "url(" not in html


def test_a_first_version_has_a_good_report(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    workspace.questions(*QUESTIONS[:6])
    version = workspace.publish(*PAGES)
    text = _text(report_path(workspace, version).with_suffix(".html").read_text(encoding="utf-8"))
    assert text.startswith("Release report Passed v000001-")
    assert "This is the first version" in text
    assert "nDCG@10 is 1.000 over 6 questions." in text
    assert "Against live" not in text


def test_a_workspace_without_questions_has_one_too(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    version = workspace.publish(*PAGES)
    text = _text(report_path(workspace, version).with_suffix(".html").read_text(encoding="utf-8"))
    assert "No questions yet" in text
    assert "questions/mine.jsonl" in text
    assert "Documents 6" in text


def test_costs_and_what_a_model_judged_are_shown_when_they_are_there() -> None:
    judged = {"model": "tiny", "questions": 9, "means": {"faithfulness": 0.5}, "missing": {"context_recall": 9}}
    scores = board({"a": 1.0, "b": 0.0}, judged=judged)
    ledger = {
        "seconds": {"fetch": 1.0, "embed": 9.5},
        "chunks": {"total": 1_500, "embedded": 40, "reused": 1_460},
        "bytes_written": 2_500_000,
    }
    text = _text(render_html(ReleaseReport(scores, None, judge(scores, None, GateSettings()), ledger=ledger)))
    assert "among 1,500 passages, 40 were embedded and 1,460 had a vector already." in text
    assert "embed 9.5" in text
    assert "in all 10.5" in text
    assert "bytes written: 2 MB" in text
    assert "9 answers of tiny" in text
    assert "faithfulness 0.500 0" in text
    assert "context_recall – 9" in text


def test_a_lost_report_is_made_again_from_what_is_stored(refused) -> None:
    workspace, version = refused
    path = report_path(workspace, version)
    before = path.read_text(encoding="utf-8"), path.with_suffix(".html").read_text(encoding="utf-8")
    path.unlink()
    path.with_suffix(".html").unlink()
    report_again(workspace, version)
    assert (path.read_text(encoding="utf-8"), path.with_suffix(".html").read_text(encoding="utf-8")) == before


def test_a_version_that_was_never_evaluated_has_no_report(tmp_path) -> None:
    workspace = SmallWorkspace(tmp_path)
    version = workspace.build(PAGES[0])
    with pytest.raises(VersionError, match=r"was never evaluated.*run `rag sync`"):
        report_again(workspace, version)
