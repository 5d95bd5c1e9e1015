"""The report: what decides comes first, foreign text stays text, long lists are cut."""

from evals.gate.verdict import judge
from evals.report.attribution import QuestionChange
from evals.report.markdown_report import render_markdown
from evals.report.release_report import ReleaseReport
from rag_platform.config.settings import GateSettings
from tests.evals.boards import board


def _report(candidate, live, *changes: QuestionChange) -> str:
    return render_markdown(ReleaseReport(candidate, live, judge(candidate, live, GateSettings()), changes=changes))


def _change(key: str, before: float, after: float, ranks: tuple[int | None, int | None]) -> QuestionChange:
    return QuestionChange(key, f"{key}?", before, after, *ranks, 1, "chunker", competition=False, evidence=())


def test_a_refusal_shows_measures_side_by_side_and_the_questions_that_changed() -> None:
    candidate = board({"a": 0.0, "b": 0.75}, means={"nDCG@10": 0.375, "ms_p50": 12.25}, missing={"nDCG@10": 3})
    live = board({"a": 1.0, "b": 0.5}, version="v1", means={"nDCG@10": 0.75, "AP": 0.5})
    text = _report(candidate, live, _change("a", 1.0, 0.0, (1, None)), _change("b", 0.5, 0.75, (3, 2)))
    assert text.startswith("## Refused: the live version stays\n\n- nDCG@10 fell from 0.750 to 0.375")
    assert "| measure | v2 | v1 | change | missing |\n| --- | ---: | ---: | ---: | ---: |\n" in text
    assert "| nDCG@10 | 0.375 | 0.750 | -0.375 | 3 |\n| ms\\_p50 | 12.2 |  |  |  |" in text
    assert "### Got worse in nDCG@10: 1\n\n- a (1.00 → 0.00, rank 1 → none; chunker): a?" in text
    assert "### Got better in nDCG@10: 1\n\n- b (0.50 → 0.75, rank 3 → 2; chunker): b?" in text


def test_scores_that_are_not_comparable_are_not_put_side_by_side() -> None:
    text = _report(board({"a": 1.0}, fingerprint="new"), board({"a": 0.0}, version="v1"))
    assert text.startswith("## Not compared")
    assert "| measure | v2 | missing |" in text
    assert "Got better" not in text


def test_foreign_text_is_neither_markup_nor_a_new_line() -> None:
    candidate = board({"a": 1.0}, unlocated=("a#1: no\n# Title <script> | [x](y) `z`",))
    line = next(line for line in _report(candidate, None).split("\n") if "script" in line and line.startswith("- a"))
    assert line == r"- a\#1: no \# Title \<script\> \| \[x\](y) \`z\`"


def test_long_lists_are_cut_and_counted() -> None:
    text = _report(board({"a": 1.0}, failed=tuple(f"q{number}: boom" for number in range(12))), None)
    assert "### Questions that could not be asked: 12" in text
    assert "- q9: boom\n- … and 2 more" in text
    assert "q10: boom" not in text


def test_nothing_scored_makes_a_short_report() -> None:
    assert "|" not in _report(board({}), None)
