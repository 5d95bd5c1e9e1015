"""Question sets: what is read, what is refused and how it is named, and what the fingerprint depends on."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.questions.question import Question, Relevant, fingerprint, load_questions
from rag_platform.core.errors import QuestionSetError

GOOD = {
    "id": "keep",
    "question": "How many versions are kept?",
    "relevant": [{"uri": "settings.md", "quote": "the last ten versions"}],
    "answer": "ten",
}


def _write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_question_is_read_with_all_it_holds(tmp_path) -> None:
    row = GOOD | {"answer": ["ten", "10"], "tags": ["gc"], "language": "en", "principal": "alice"}
    (question,) = load_questions([_write(tmp_path / "set.jsonl", row)])
    assert question == Question(
        id="keep",
        question="How many versions are kept?",
        relevant=(Relevant("settings.md", "the last ten versions"),),
        answers=("ten", "10"),
        tags=("gc",),
        language="en",
        principal="alice",
    )


def test_several_files_are_one_set_and_separators_inside_strings_end_no_line(tmp_path) -> None:
    odd = GOOD | {"id": "odd", "question": "What\u2028does\u0085this mean?"}
    first = tmp_path / "first.jsonl"
    first.write_bytes(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n\n")
    questions = load_questions([first, _write(tmp_path / "second.jsonl", odd)])
    assert [question.id for question in questions] == ["keep", "odd"]
    assert questions[1].question == "What\u2028does\u0085this mean?"


def test_an_unanswerable_question_needs_no_label(tmp_path) -> None:
    (question,) = load_questions([_write(tmp_path / "s.jsonl", {"id": "x", "question": "Why?", "answerable": False})])
    assert not question.answerable


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GOOD | {"id": " "}, "id = ' ': expected text that is not empty"),
        (GOOD | {"id": 7}, "id = 7: expected text"),
        (GOOD | {"question": ""}, "question = '': expected text that is not empty"),
        (GOOD | {"anwser": "ten"}, "anwser: there is no such key; expected answer, answerable"),
        (GOOD | {"relevant": []}, "relevant: empty; an answerable question needs at least one quote"),
        (GOOD | {"relevant": "settings.md"}, "relevant = 'settings.md': expected a list such as"),
        (GOOD | {"relevant": [{"uri": "a"}]}, "relevant[0] = {'uri': 'a'}: expected a list such as"),
        (GOOD | {"relevant": [{"uri": "", "quote": "long enough"}]}, "relevant[0].uri = '': expected the uri"),
        (GOOD | {"relevant": [{"uri": "a", "quote": "i t  i s"}]}, "relevant[0].quote = 'i t  i s': too short"),
        (GOOD | {"answerable": "no"}, "answerable = 'no': expected true or false"),
        (GOOD | {"answerable": False}, "relevant: expected none, because answerable is false"),
        (GOOD | {"answer": 10}, "answer = 10: expected text or a list of texts"),
        (GOOD | {"tags": "gc"}, "tags = 'gc': expected a list of texts"),
        (GOOD | {"principal": ["a"]}, "principal = ['a']: expected text or nothing"),
        (["keep"], "'[\"keep\"]': expected an object"),
    ],
)
def test_what_is_wrong_is_named_by_file_line_key_and_value(tmp_path, row, message) -> None:
    path = _write(tmp_path / "set.jsonl", GOOD | {"id": "fine"}, row)
    with pytest.raises(QuestionSetError) as caught:
        load_questions([path])
    assert f"{path}:2: {message}" in str(caught.value)


def test_all_problems_of_all_files_are_told_at_once(tmp_path) -> None:
    first = _write(tmp_path / "first.jsonl", GOOD, GOOD | {"question": ""})
    second = tmp_path / "second.jsonl"
    second.write_text(json.dumps(GOOD) + "\n{not json\n")
    with pytest.raises(QuestionSetError) as caught:
        load_questions([first, second])
    lines = str(caught.value).split("\n")
    assert [line.split(": ")[0] for line in lines] == [f"{first}:2", f"{second}:1", f"{second}:2"]
    assert "id = 'keep': another question has this id" in lines[1]
    assert "not valid JSON" in lines[2]


def test_a_missing_or_undecodable_file_is_named(tmp_path) -> None:
    with pytest.raises(QuestionSetError, match=r"absent\.jsonl: there is no such question set"):
        load_questions([tmp_path / "absent.jsonl"])
    (tmp_path / "latin.jsonl").write_bytes(b'{"id": "\xe9"}\n')
    with pytest.raises(QuestionSetError, match=r"latin\.jsonl: cannot be read as UTF-8"):
        load_questions([tmp_path / "latin.jsonl"])


QUESTION = Question("a", "Why?", (Relevant("u", "a quote"), Relevant("v", "another")), ("yes", "no"))


@given(st.permutations([replace(QUESTION, id=str(number)) for number in range(5)]))
def test_the_fingerprint_does_not_depend_on_the_order(questions) -> None:
    assert fingerprint(questions) == fingerprint(sorted(questions, key=lambda question: question.id))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "b"},
        {"question": "How?"},
        {"relevant": (Relevant("u", "a quote"),)},
        {"relevant": (Relevant("u", "another"), Relevant("v", "a quote"))},
        {"answers": ("yes",)},
        {"answerable": False},
        {"language": "en"},
        {"principal": "alice"},
    ],
    ids=str,
)
def test_the_fingerprint_changes_with_all_that_scores_depend_on(change) -> None:
    assert fingerprint([QUESTION]) != fingerprint([replace(QUESTION, **change)])
    assert fingerprint([QUESTION]) == fingerprint([replace(QUESTION, tags=("retagged",))])
