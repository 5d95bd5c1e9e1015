"""Scores over time as a line: a changed question set breaks it, a refusal is marked, nothing falls outside."""

import re

from evals.report.svg import line, short, whisker


def _entry(number: int, value: float, *, questions: str = "set", outcome: str = "passed") -> dict:
    interval = {"nDCG@10": [max(0.0, value - 0.1), min(1.0, value + 0.1)]}
    version = f"v{number:06d}-abcd"
    return {"version": version, "fingerprint": questions, "means": {"nDCG@10": value}, "intervals": interval,
            "outcome": outcome}  # fmt: skip


def test_a_line_has_a_point_for_each_evaluation() -> None:
    drawn = line([_entry(1, 0.5), _entry(2, 0.7), _entry(3, 0.4, outcome="refused")], "nDCG@10")
    assert drawn.count("<circle") == 3
    assert drawn.count('class="refused"') == 1
    assert re.findall(r'class="version"[^>]*>(v\d)<', drawn) == ["v1", "v2", "v3"]
    assert "nDCG@10 over 3 evaluations: v1 0.500, v2 0.700, v3 0.400" in drawn


def test_other_questions_break_the_line() -> None:
    new = [_entry(number, 0.6, questions="new") for number in (2, 3)]
    drawn = line([_entry(1, 0.5), _entry(2, 0.7), *new], "nDCG@10")
    assert drawn.count('class="break"') == 1
    (path,) = re.findall(r'class="run" d="([^"]+)"', drawn)
    assert [step[0] for step in re.findall(r"[ML][\d.]+ [\d.]+", path)] == ["M", "L", "M", "L"]


def test_every_mark_lies_within_the_picture() -> None:
    drawn = line([_entry(number, value) for number, value in enumerate((0.0, 1.0, 0.03, 0.97), 1)], "nDCG@10")
    heights = [float(value) for value in re.findall(r'(?:cy|y)="([\d.-]+)"', drawn)]
    assert min(heights) >= 0
    assert max(heights) <= 230


def test_a_long_history_keeps_its_labels_apart() -> None:
    drawn = line([_entry(number, 0.5) for number in range(1, 60)], "nDCG@10")
    labels = re.findall(r'class="version"[^>]*>(v\d+)<', drawn)
    assert labels[-1] == "v59"
    assert len(labels) <= 9


def test_one_point_is_no_line() -> None:
    assert line([_entry(1, 0.5)], "nDCG@10") is None
    assert line([_entry(1, 0.5), _entry(2, 0.5)], "AP") is None


def test_a_whisker_says_which_way_only_when_chance_does_not_explain_it() -> None:
    assert 'class="whisker up"' in whisker(0.1, (0.05, 0.2), 0.2)
    assert 'class="whisker down"' in whisker(-0.1, (-0.2, -0.05), 0.2)
    assert 'class="whisker even"' in whisker(0.1, (-0.05, 0.2), 0.2)


def test_versions_are_named_as_people_do() -> None:
    assert short("v000012-6bb0c1d2") == "v12"
    assert short("other") == "other"
