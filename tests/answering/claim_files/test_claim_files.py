"""Files of claims: read, judged and measured."""

import json

import pytest

from rag_platform.answering.checks.check import Judgement
from rag_platform.answering.claim_files.claim_judging import JudgedRow, judge_rows
from rag_platform.answering.claim_files.claim_measures import balanced_accuracy, measure_labels, wilson_interval
from rag_platform.answering.claim_files.claim_rows import ClaimRow, read_claims
from rag_platform.answering.coverage import uniform_weight
from rag_platform.core.errors import ClaimFileError

SOURCE = "Employees get 25 days of paid leave per year. Unused days expire on 31 March."


def written(folder, *lines):
    path = folder / "claims.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_a_line_holds_a_claim_and_bad_lines_are_told(tmp_path):
    rows, problems = read_claims(
        written(
            tmp_path,
            {"claim": "A.", "source": "A.", "label": "partial", "id": "kept out"},
            "",
            {"claim": "B.", "question": "B?", "label": True},
            {"claim": "C.", "label": 0},
            "not JSON",
            {"source": "no claim"},
            {"claim": ["D."]},
            {"claim": "E.", "label": "perhaps"},
            "7",
        )
    )
    assert rows == [ClaimRow(1, "A.", "A.", label="partial"), ClaimRow(3, "B.", question="B?", label="supported"),
                    ClaimRow(4, "C.", label="unsupported")]  # fmt: skip
    assert [problem.split(":")[0] for problem in problems] == [f"claims.jsonl, line {n}" for n in (5, 6, 7, 8, 9)]
    assert "expected one of supported, partial" in problems[3]


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "One.\u2028Two.\x85Three."
    rows, problems = read_claims(written(tmp_path, json.dumps({"claim": text}, ensure_ascii=False)))
    assert [row.claim for row in rows] == [text] and problems == []


def test_a_file_without_any_claim_is_refused(tmp_path):
    with pytest.raises(ClaimFileError, match=r"holds no claim; claims.jsonl, line 1: .*Expected a JSON object a line"):
        read_claims(written(tmp_path, "[]"))
    with pytest.raises(ClaimFileError, match="cannot be read"):
        read_claims(tmp_path / "absent.jsonl")


def test_claims_are_judged_by_their_source_or_by_what_is_found(embedder, hits):
    rows = [
        ClaimRow(1, "Unused days expire on 31 March.", SOURCE),
        ClaimRow(2, "Lunch is free.", SOURCE),
        ClaimRow(3, "The office opens at eight in the morning.", question="When does the office open?"),
        ClaimRow(4, "Unused days expire on 31 March. Lunch is free.", SOURCE),
    ]
    asked = []

    def search(question):
        asked.append(question)
        return hits, uniform_weight

    judged = judge_rows(rows, embedder, None, search)
    assert [one.state for one in judged] == ["quoted", "unverified", "quoted", "unverified"]
    assert asked == ["When does the office open?"] and judged[0].quotes == ("Unused days expire on 31 March.",)


def test_a_check_judges_them_too(embedder):
    class Denying:
        name = "denying 1"

        def __call__(self, pairs):
            return [Judgement(0.1, 0.9)] * len(pairs)

    (judged,) = judge_rows([ClaimRow(1, "Lunch is free.", SOURCE)], embedder, Denying(), None)
    assert (judged.state, judged.check, judged.probability) == ("contradicted", "denying 1", 0.1)


def of(label, state):
    return JudgedRow(ClaimRow(1, "claim", label=label), state, None, "words", ())


def test_measures_are_those_of_the_labels():
    judged = [of("supported", "quoted"), of("supported", "supported"), of("supported", "unverified")]
    judged += [of("unsupported", "supported"), of("contradicted", "contradicted"), of("partial", "supported")]
    accuracy = balanced_accuracy(judged)
    assert (
        accuracy.value == pytest.approx((2 / 3 + 1 / 2) / 2) and 0 < accuracy.low < accuracy.value < accuracy.high < 1
    )
    assert [(one.label, one.claims) for one in measure_labels(judged)] == [
        ("supported", 3), ("partial", 1), ("unsupported", 1), ("contradicted", 1)]  # fmt: skip
    assert measure_labels(judged)[0].states["quoted"] == pytest.approx(1 / 3)
    assert balanced_accuracy(judged[:3]) is None and measure_labels([of(None, "quoted")])[0].label == ""


def test_a_share_has_wilson_s_interval():
    assert wilson_interval(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson_interval(10, 20, 3.3) == pytest.approx((0.2031, 0.7969), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)
