"""Ragas' judged measures against a server on loopback that speaks OpenAI's protocol."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assets.sync import sync
from evals.asking import Asker
from evals.judges import JUDGED, Judgeable, judge_answers
from evals.judging import opinion
from rag_platform.completions import OpenAICompatible
from rag_platform.parts import open_workspace
from rag_platform.settings import GeneratorSettings
from tests.chat_server import END, ChatServer, chunk, serving, whole
from tests.evals.river import QUESTIONS, write_river
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
    (told,) = opinion(made)
    assert told.startswith("tiny judged 1 of its answers: faithfulness 1.00, ")


def test_what_the_server_does_not_give_is_missing_and_counted(server) -> None:
    server.script = [whole("I would rather not.")]
    made = judge_answers([SAMPLE], "tiny", _settings(server), WordEmbedder())
    assert (made["means"], made["missing"]) == ({}, dict.fromkeys(JUDGED, 1))
    assert "No number for: faithfulness 1" in next(opinion(made))


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
    ask = Asker(OpenAICompatible(_settings(server)))
    proposal = ask(PASSAGE, f"Before it. {PASSAGE}\nAfter it.")
    assert (proposal is not None) is taken
    assert ask.problem is None


def test_a_server_that_fails_is_asked_only_once() -> None:
    ask = Asker(OpenAICompatible(GeneratorSettings(base_url="http://127.0.0.1:9/v1", model="tiny"), pause=0.0))
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
