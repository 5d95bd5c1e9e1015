"""Ragas' judged measures against a server on loopback that speaks OpenAI's protocol."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assets.sync import sync
from evals.asking import Asker
from evals.judges import JUDGED, Judgeable, judge_answers
from evals.judging import opinion
from rag_platform.completions import OpenAICompatible
from rag_platform.parts import open_workspace
from rag_platform.settings import GeneratorSettings
from tests.evals.river import QUESTIONS, write_river
from tests.index.corpora import WordEmbedder

PASSAGE = "The ferry at Alder Lock crosses every twenty minutes from dawn until dusk."
SAMPLE = Judgeable("q1", "How often does the ferry cross?", "Every twenty minutes.", [PASSAGE], "every twenty minutes")


class _Judge(BaseHTTPRequestHandler):
    """Fills any schema: lists with one entry, texts with words, verdicts with yes."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._reply({"object": "list", "data": [{"id": "tiny", "object": "model", "max_model_len": 4096}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        if body.get("stream"):
            self._stream("The ferry at Alder Lock crosses every twenty minutes. [1]")
            return
        if self.server.says is None:
            schema = body["response_format"]["json_schema"]["schema"]
            said = json.dumps(_fill(schema, schema))
        else:
            said = self.server.says
        message = {"role": "assistant", "content": said}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        self._reply(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice], "usage": usage}
        )

    def _stream(self, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for delta, reason in (({"content": text}, None), ({}, "stop")):
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            event = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def _reply(self, body: dict) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


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
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Judge) as running:
        running.asked, running.says = [], None
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def _settings(server: ThreadingHTTPServer, **more: object) -> GeneratorSettings:
    return GeneratorSettings(base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", model="tiny", **more)


def test_an_answer_is_judged_with_enforced_schemas(server) -> None:
    made = judge_answers([SAMPLE], "tiny", _settings(server), WordEmbedder())
    assert made["missing"] == {}
    assert made["means"] == pytest.approx(dict.fromkeys(JUDGED, 1.0), abs=1e-6)
    assert made["values"]["q1"].keys() == set(JUDGED)
    assert {body["response_format"]["type"] for body in server.asked} == {"json_schema"}
    (told,) = opinion(made)
    assert told.startswith("tiny judged 1 of its answers: faithfulness 1.00, ")


def test_what_the_server_does_not_give_is_missing_and_counted(server) -> None:
    server.says = "I would rather not."
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
    server.says = says if isinstance(says, str) else json.dumps(says)
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
    monkeypatch.setenv("RAG_GENERATOR__BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
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
    asked = len(server.asked)
    assert sync(open_workspace(home)).exit_code == 0
    assert len(server.asked) == asked, "what is stored is not asked for again"
