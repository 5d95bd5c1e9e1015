"""What a receiver of OpenTelemetry is sent of a question: a tree of spans, the log in it, and no text unless wanted."""

import json
import logging

import pytest
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.config.settings import TelemetrySettings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import MissingExtra
from rag_platform.monitoring.tracing import span
from rag_platform.operations.observability import otlp_export
from rag_platform.operations.observability.otlp_export import OtlpExport, export_telemetry
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace
from tests.api.published import QUESTION, publish
from tests.chat_server import END, ROLE, chunk, serving
from tests.operations.observability.otlp_receiver import attributes_of, receiving

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
WRITTEN = [ROLE, chunk("The ferry runs from six until dusk [1]."), *END]


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("otlp"), tiny_embedder).settings.home


@pytest.fixture(scope="module")
def asked(home, tiny_embedder):
    """A question over HTTP, in a trace that another service began, answered by a model: what came of it."""
    with receiving() as receiver, serving() as model:
        model.script = [WRITTEN]
        (home / "rag.toml").write_text(
            (home / "rag.toml").read_text()
            + f'[generator]\nbase_url = "{model.address}"\ninput_price = 3.0\noutput_price = 10.0\n'
            + '[answer]\nsearch = "once"\n'
        )
        workspace = Workspace(load_settings(home))
        workspace.embedder = tiny_embedder
        token = Tokens(workspace.journal).create("asker")
        export = OtlpExport(TelemetrySettings(endpoint=receiver.address, headers={"X-Team": "ferry"}))
        client = TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})
        headers = {"traceparent": PARENT, "x-request-id": "r-1"}
        receiver.answer = client.post("/v1/ask", json={"question": QUESTION}, headers=headers).json()
        export.close()
        yield receiver


def named(receiver, name):
    (found,) = [one for one in receiver.spans if one.name == name]
    return found


def test_a_question_is_a_tree_of_spans_in_the_trace_of_who_asked(asked):
    assert {one.trace_id.hex() for one in asked.spans} == {TRACE}
    paths = {asked.path_of(one) for one in asked.spans}
    root = ("POST /v1/ask", "invoke_agent rag-platform")
    assert root in paths
    assert {(*root, step) for step in ("understand", "search", "generate", "verify")} <= paths
    assert (*root, "generate", "chat tiny") in paths
    assert (*root, "search", "retrieval", "lexical") in paths
    assert named(asked, "POST /v1/ask").parent_span_id.hex() == PARENT.split("-")[2]


def test_spans_follow_the_semantic_conventions(asked):
    agent = attributes_of(named(asked, "invoke_agent rag-platform"))
    assert agent["gen_ai.operation.name"] == "invoke_agent" and agent["gen_ai.response.model"] == "tiny"
    assert agent["rag.receipt.id"] == asked.answer["receipt_id"]
    chat = attributes_of(named(asked, "chat tiny"))
    expected = {"operation.name": "chat", "provider.name": "openai", "request.model": "tiny", "response.model": "tiny"}
    expected |= {"usage.input_tokens": 7, "usage.output_tokens": 5, "response.finish_reasons": ["stop"]}
    assert {f"gen_ai.{name}": value for name, value in expected.items()}.items() <= chat.items()
    assert chat["rag.cost"] == pytest.approx((7 * 3 + 5 * 10) / 1e6)
    retrieval = attributes_of(named(asked, "retrieval"))
    assert retrieval["gen_ai.operation.name"] == "retrieval"
    assert retrieval["gen_ai.data_source.id"] == asked.answer["version"]
    request = attributes_of(named(asked, "POST /v1/ask"))
    assert (request["http.response.status_code"], request["rag.request.id"]) == (200, "r-1")
    assert asked.resource["service.name"] == "rag-platform" and asked.headers["X-Team"] == "ferry"


def test_nothing_that_was_asked_or_answered_is_exported_unless_wanted(asked):
    told = str([attributes_of(one) for one in asked.spans]) + str(asked.lines)
    assert "ferry" not in told.lower() and "dusk" not in told


def test_the_log_is_exported_within_its_trace(asked):
    (line,) = [one for one in asked.lines if "POST /v1/ask 200" in one.body.string_value]
    assert line.trace_id.hex() == TRACE
    assert attributes_of(line)["rag.request.id"] == "r-1"


def test_texts_are_exported_where_the_settings_say_so():
    with receiving() as receiver:
        export = OtlpExport(TelemetrySettings(endpoint=receiver.address, content=True))
        with span("chat", {"gen_ai.input.messages": lambda: json.dumps(["the question"])}):
            logging.getLogger("rag_platform.test").warning("told")
        with pytest.raises(ZeroDivisionError), span("failing", {}):
            _ = 1 / 0
        export.close()
        with span("after it was closed", {}):
            pass
    chat, failing = receiver.spans
    assert attributes_of(chat)["gen_ai.input.messages"] == '["the question"]'
    assert attributes_of(failing)["error.type"] == "ZeroDivisionError" and failing.status.code == 2
    assert [one.body.string_value for one in receiver.lines] == ["told"]


def test_a_receiver_that_is_down_stops_nothing():
    export = OtlpExport(TelemetrySettings(endpoint="http://127.0.0.1:9"))
    with span("work", {}):
        pass
    export.close()


def test_without_its_packages_the_command_that_installs_them_is_named(monkeypatch):
    export_telemetry(TelemetrySettings())  # nothing is to be exported
    monkeypatch.setattr(otlp_export, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="telemetry"):
        export_telemetry(TelemetrySettings(endpoint="http://127.0.0.1:4318"))
