"""Ragas' judged measures against a server on loopback that speaks OpenAI's protocol."""

import json
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evals.gate.verdict import Evidence, judge
from evals.measures.answer_judge import answered, judge_report
from evals.measures.ragas_llm_metrics import AT_ONCE, JUDGED, Judgeable, judge_answers
from evals.questions.llm_questions import QuestionWriter
from evals.questions.question import Question
from rag_platform.config.settings import GateSettings, GeneratorSettings
from rag_platform.llm import OpenAICompatible
from rag_platform.workspace import open_workspace
from tests.chat_server import END, ChatServer, chunk, serving, whole
from tests.evals.boards import board
from tests.evals.river import QUESTIONS, write_river
from tests.evals.syncing import sync
from tests.index.corpora import WordEmbedder

PASSAGE = "The ferry at Alder Lock crosses every twenty minutes from dawn until dusk."
SAMPLE = Judgeable("q1", "How often does the ferry cross?", "Every twenty minutes.", [PASSAGE], "every twenty minutes")


def _filled(body: dict) -> tuple[int, dict] | list:
    """Fill any schema: lists with one entry, texts with words, verdicts with yes."""
    if body.get("stream"):
        return [chunk("The ferry at Alder Lock crosses every twenty minutes. [1]"), *END]
    schema = body["response_format"]["json_schema"]["schema"]
    return whole(json.dumps(_fill(schema, schema)))


def _fill(schema: dict, root: dict) -> object:
    if "$ref" in schema:
        return _fill(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if schema.get("type") == "object" or "properties" in schema:
        return {name: _verdict(name, part, root) for name, part in schema["properties"].items()}
    if schema.get("type") == "array":
        return [_fill(schema["items"], root)]
    return {"integer": 1, "number": 1, "boolean": True}.get(schema.get("type"), "How often does the ferry cross?")


def _verdict(name: str, schema: dict, root: dict) -> object:
    return 0 if name == "noncommittal" else _fill(schema, root)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with serving() as running:
        running.script = [_filled]
        yield running


def _settings(server: ChatServer, **more: object) -> GeneratorSettings:
    return GeneratorSettings(base_url=server.address, model="tiny", **more)


def test_an_answer_is_judged_with_enforced_schemas(server) -> None:
    made = judge_answers([SAMPLE], "tiny", _settings(server), WordEmbedder())
    assert made["missing"] == {}
    assert made["means"] == pytest.approx(dict.fromkeys(JUDGED, 1.0), abs=1e-6)
    assert made["values"]["q1"].keys() == set(JUDGED)
    assert {body["response_format"]["type"] for body in server.requests} == {"json_schema"}
    (told,) = judge_report(made)
    assert told.startswith("tiny judged 1 of its answers: faithfulness 1.00, ")


def _judging(*, verdicts: list, question: str = SAMPLE.question, precise: list = (0, 1), attributed: list = (1, 1, 0)):
    """Script the judgements of one answer, by what Ragas asks for."""
    precise = iter(precise)

    def judge(body: dict) -> tuple[int, dict]:
        schema = body["response_format"]["json_schema"]["schema"]
        asked = set(schema["properties"])
        if asked == {"question", "noncommittal"}:
            return whole(json.dumps({"question": question, "noncommittal": 0}))
        if asked == {"reason", "verdict"}:
            return whole(json.dumps({"reason": "r", "verdict": next(precise)}))
        if asked == {"classifications"}:
            return whole(json.dumps({"classifications": [_said(attributed=one) for one in attributed]}))
        if "$defs" not in schema:
            return whole(json.dumps({"statements": ["s"] * len(verdicts)}))
        return whole(json.dumps({"statements": [_said(verdict=one) for one in verdicts]}))

    return judge


def _said(**verdict: object) -> dict:
    return {"statement": "s", "reason": "r"} | verdict


TWO_PASSAGES = replace(SAMPLE, contexts=["Grey herons nest in the reeds.", PASSAGE])


def test_the_numbers_are_those_of_the_judgements(server) -> None:
    server.script = [_judging(verdicts=[1, 0, 1, 1])]
    made = judge_answers([TWO_PASSAGES], "tiny", _settings(server), WordEmbedder())
    assert made["values"]["q1"] == pytest.approx(
        {
            "faithfulness": 3 / 4,  # of four statements
            "answer_relevancy": 1.0,  # the question that the answer answers is the one that was asked
            "context_precision": 1 / 2,  # the useful passage is the second
            "context_recall": 2 / 3,  # of three statements of the reference
        },
        abs=1e-6,
    )


@pytest.mark.parametrize(
    ("script", "lost"),
    [
        (_judging(verdicts=[]), "faithfulness"),
        (_judging(verdicts=[1, math.nan]), "faithfulness"),
        (_judging(verdicts=[1, 7]), "faithfulness"),
        (_judging(verdicts=[1], question=""), "answer_relevancy"),
        (_judging(verdicts=[1], precise=[7, 7]), "context_precision"),
        (_judging(verdicts=[1], attributed=[]), "context_recall"),
        (_judging(verdicts=[1], attributed=[2]), "context_recall"),
    ],
    ids=["no statements", "NaN", "no verdict", "no question", "beyond 1", "nothing judged", "beyond 1 too"],
)
def test_a_reply_that_judges_nothing_is_missing_and_never_a_number(server, script, lost) -> None:
    server.script = [script]
    made = judge_answers([TWO_PASSAGES], "tiny", _settings(server), WordEmbedder())
    assert made["missing"] == {lost: 1}
    assert made["values"]["q1"].keys() == made["means"].keys() == set(JUDGED) - {lost}


def test_a_mean_is_of_what_was_judged_alone(server) -> None:
    judged = threading.Event()

    def script(body: dict):
        asked = body["messages"][-1]["content"]
        if "REFUSED" in asked:
            return 400, {"error": {"message": "I will not."}}
        if "SLOW" in asked and "statements" in body["response_format"]["json_schema"]["schema"]["properties"]:
            judged.wait(60)  # longer than anybody waits for it
        return _filled(body)

    server.script = [script]
    refused = replace(SAMPLE, question_id="q2", question="REFUSED?", answer="REFUSED", reference="REFUSED")
    slow = replace(SAMPLE, question_id="q3", answer="SLOW")
    made = judge_answers([SAMPLE, refused, slow], "tiny", _settings(server, timeout=10.0), WordEmbedder())
    judged.set()
    assert made["missing"] == {"faithfulness": 2} | dict.fromkeys(JUDGED[1:], 1)
    assert made["means"] == pytest.approx(dict.fromkeys(JUDGED, 1.0), abs=1e-6)
    assert made["values"]["q2"] == {}
    json.dumps(made, allow_nan=False)
    (told,) = judge_report(made)
    assert "judged 3 of its answers" in told
    assert "No number for: faithfulness 2, answer_relevancy 1, context_precision 1, context_recall 1." in told


def test_judgements_that_are_all_missing_pass_no_floor_and_are_told(server) -> None:
    server.script = [whole("I would rather not.")]
    made = judge_answers([SAMPLE], "tiny", _settings(server), WordEmbedder())
    remark = next(judge_report(made))
    verdict = judge(board({"a": 1.0}), board({"a": 1.0}), GateSettings(), Evidence(remarks=[remark]))
    assert verdict.passed
    assert any("nothing. No number for: faithfulness 1" in reason for reason in verdict.reasons)
    wished = judge(board({"a": 1.0}), None, GateSettings(floors={"faithfulness": 0.1}))
    assert not wished.passed, "what a model thinks is no floor"
    unmeasured = board({"a": 1.0}, means={"nDCG@10": 1.0, "non_llm_context_recall": math.nan})
    assert not judge(unmeasured, None, GateSettings(floors={"non_llm_context_recall": 0.1})).passed


def test_what_the_server_does_not_give_is_missing_and_counted(server) -> None:
    server.script = [whole("I would rather not.")]
    made = judge_answers([SAMPLE], "tiny", _settings(server), WordEmbedder())
    assert (made["means"], made["missing"]) == ({}, dict.fromkeys(JUDGED, 1))
    assert "No number for: faithfulness 1" in next(judge_report(made))


def test_a_server_that_is_gone_leaves_numbers_missing(server) -> None:
    settings = GeneratorSettings(base_url="http://127.0.0.1:9/v1", model="tiny", timeout=2.0)
    assert judge_answers([SAMPLE], "tiny", settings, WordEmbedder())["missing"] == dict.fromkeys(JUDGED, 1)


def test_nothing_to_judge_is_nothing() -> None:
    made = judge_answers([], "tiny", GeneratorSettings(), WordEmbedder())
    assert (made["questions"], made["means"], made["missing"]) == (0, {}, {})


@pytest.mark.parametrize(
    ("says", "taken"),
    [
        ({"question": "How frequent is it?", "quote": "crosses every twenty minutes", "answer": "20 minutes"}, True),
        ({"question": "How frequent is it?", "quote": "crosses every ten minutes", "answer": "10"}, False),
        (
            {"question": "Who crosses every twenty minutes?", "quote": "crosses every twenty minutes", "answer": ""},
            False,
        ),
        ({"question": "How frequent is it?"}, False),
        ("no JSON at all", False),
    ],
    ids=["good", "not verbatim", "gives itself away", "incomplete", "prose"],
)
def test_a_proposed_question_is_checked(server, says, taken) -> None:
    server.script = [whole(says if isinstance(says, str) else json.dumps(says))]
    ask = QuestionWriter(OpenAICompatible(_settings(server)))
    proposal = ask(PASSAGE, f"Before it. {PASSAGE}\nAfter it.")
    assert (proposal is not None) is taken
    assert ask.problem is None


def test_a_server_that_fails_is_asked_only_once() -> None:
    ask = QuestionWriter(OpenAICompatible(GeneratorSettings(base_url="http://127.0.0.1:9/v1", model="tiny"), pause=0.0))
    assert ask(PASSAGE, PASSAGE) is None
    assert "cannot be reached" in ask.problem
    assert ask(PASSAGE, PASSAGE) is None


@pytest.mark.slow
def test_a_sync_with_a_server_stores_what_it_thinks_and_decides_without_it(
    server, tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_GENERATOR__BASE_URL", server.address)
    monkeypatch.setenv("RAG_GATE__JUDGED", "2")
    home = write_river(tmp_path / "home", QUESTIONS)
    ledger = sync(open_workspace(home))
    assert ledger.exit_code == 0, ledger
    scores = open_workspace(home).versions.manifest(ledger.version)["scores"]
    assert scores["judged"]["model"] == "tiny"
    assert scores["judged"]["questions"] == 2
    assert set(scores["judged"]["means"]) == set(JUDGED)
    assert any("This decides nothing." in reason for reason in ledger.gate["reasons"])
    page = next((home / "data" / "evals" / "reports").glob("*.html")).read_text()
    assert "faithfulness" in page.lower()
    asked = len(server.requests)
    assert sync(open_workspace(home)).exit_code == 0
    assert len(server.requests) == asked, "what is stored is not asked for again"


class Counting:
    """An answerer that notes who asks it; nobody goes on before `AT_ONCE` questions are there."""

    def __init__(self) -> None:
        self.together, self.threads = threading.Barrier(AT_ONCE), set()

    def ask(self, question: str, **_: object) -> str:
        self.threads.add(threading.get_ident())
        self.together.wait()
        return question.upper()


def test_questions_are_answered_some_at_a_time_and_in_their_order() -> None:
    answerer, questions = Counting(), [Question(str(n), f"question {n}", ()) for n in range(3 * AT_ONCE)]
    found = list(answered(answerer, questions))
    assert [said for _, said in found] == [one.question.upper() for one in questions]
    assert [one for one, _ in found] == questions
    assert len(answerer.threads) == AT_ONCE
