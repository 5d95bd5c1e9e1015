"""How a server is, for those who run it: it lives, it is ready, and what its metrics say."""

import json
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from rag_platform.api.application import application
from rag_platform.operations.serving.readiness import LOADING, UNPUBLISHED
from rag_platform.workspace import open_workspace
from tests.api.published import QUESTION, client_of, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("health"), tiny_embedder)


@pytest.fixture(scope="module")
def asker(workspace):
    return client_of(workspace)


@pytest.fixture(scope="module")
def scraper(workspace):
    return client_of(workspace, "metrics")


def values(client):
    """Return what a scrape has, by name and labels, these in the order of their names."""
    families = text_string_to_metric_families(client.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples]
    return {(one.name, *(one.labels[label] for label in sorted(one.labels))): one.value for one in samples}


def test_a_server_is_ready_once_the_model_is_loaded_and_the_version_open(workspace, asker):
    readiness = asker.app.state.readiness
    first = asker.get("/readyz", headers={"authorization": ""})
    assert (first.status_code, first.json()) == (503, {"ready": False, "waits_for": LOADING})
    assert first.headers["retry-after"] == "5"
    readiness.wait()
    assert asker.get("/readyz").json() == {"ready": True, "waits_for": None}


def test_a_server_that_has_nothing_published_lives_and_is_not_ready(tmp_path):
    (tmp_path / "rag.toml").write_text("")
    client = TestClient(application(open_workspace(tmp_path)))
    assert client.get("/healthz").json()["ok"]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["waits_for"]) == (503, UNPUBLISHED)


def test_a_model_that_cannot_be_loaded_is_no_reason_to_be_told_why(workspace, caplog):
    other = open_workspace(workspace.settings.home)
    other.__dict__["embedder"] = None  # what a failure leaves
    client = TestClient(application(other))
    client.get("/readyz")
    client.app.state.readiness.wait()
    assert client.get("/readyz").json()["waits_for"] == LOADING
    assert "what answers need cannot be loaded" in caplog.text


def test_metrics_are_for_who_has_the_scope_and_that_opens_nothing_else(workspace, asker, scraper):
    assert TestClient(application(workspace)).get("/metrics").status_code == 401
    assert asker.get("/metrics").status_code == 403
    assert scraper.get("/metrics").headers["content-type"].startswith("text/plain; version=")
    assert client_of(workspace, "admin").get("/metrics").status_code == 200
    assert scraper.get("/v1/search", params={"q": "ferry"}).status_code == 403
    assert scraper.get("/v1/collections").status_code == 403


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ("metrics_local = true", {}, 200),
        ("metrics_local = true", {"x-forwarded-for": "203.0.113.7"}, 401),
        ("metrics_local = true", {"host": "evil.example"}, 401),
        ('metrics_local = true\n[http]\nproxies = ["127.0.0.1"]', {}, 401),
        ("", {}, 401),
    ],
)
def test_this_machine_needs_no_token_where_the_settings_say_so(tmp_path, settings, headers, status):
    (tmp_path / "rag.toml").write_text(f"[telemetry]\n{settings}\n")
    app = application(open_workspace(tmp_path))
    client = TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 50_000))
    assert client.get("/metrics", headers=headers).status_code == status


def test_metrics_count_requests_by_route_stages_and_answers(workspace, asker, scraper):
    before = values(scraper)
    asker.post("/v1/ask", json={"question": QUESTION})
    asker.get("/v1/search", params={"q": ""})
    asker.get("/v1/nothing/secret-name")
    after = values(scraper)

    def more(*key):
        return after[key] - before.get(key, 0)

    assert more("rag_http_requests_total", "POST", "/v1/ask", "200") == 1
    assert more("rag_http_requests_total", "GET", "/v1/search", "400") == 1
    assert more("rag_http_requests_total", "GET", "none", "404") == 1
    assert more("rag_http_request_duration_seconds_count", "POST", "/v1/ask") == 1
    for stage in ("answer", "answer.search", "answer.generate", "answer.verify", "search", "search.lexical"):
        assert more("rag_stage_duration_seconds_count", stage) == 1, stage
    recorded = sum(more("rag_answers_recorded", outcome) for outcome in ("answered", "abstained"))
    assert recorded == 1
    assert after["rag_http_requests_in_progress",] == 1  # the scrape itself


def test_methods_that_strangers_invent_are_counted_as_one(asker, scraper):
    before = values(scraper)
    for number in range(3):
        asker.request(f"X{number}", "/v1/ask")
    methods = {key[1] for key in values(scraper).keys() - before.keys() if key[0] == "rag_http_requests_total"}
    assert methods - {"GET"} == {"_OTHER"}  # the first look is a GET itself


def test_metrics_tell_how_index_gate_and_sources_are(workspace, scraper):
    found = values(scraper)
    assert found["rag_index_published",] == found["rag_gate_passed", "live"] == 1
    assert found["rag_index_published_timestamp_seconds",] >= found["rag_index_built_timestamp_seconds",] > 1.7e9
    for source in workspace.settings.sources:
        assert found["rag_source_documents", source.id] >= 1
        assert found["rag_source_read_timestamp_seconds", source.id] > 1.7e9
        assert found["rag_source_held", source.id] == found["rag_source_late", source.id] == 0
    assert found["rag_sync_seconds_total", "embed"] > 0
    assert found["rag_metrics_unreadable",] == 0


def test_what_is_asked_is_in_no_metric(asker, scraper):
    asker.get("/v1/search", params={"q": "canarybird"})
    asker.get("/v1/why", params={"q": "x", "uri": "canarybird"})
    asker.get("/canarybird", headers={"x-request-id": "canarybird"})
    assert "canarybird" not in scraper.get("/metrics").text


@pytest.mark.parametrize(
    ("given", "kept"), [("trace-7.a", True), ("a b", False), ("x" * 65, False), ('"}{', False), (None, False)]
)
def test_every_answer_names_its_request(asker, given, kept):
    named = asker.get("/healthz", headers={"x-request-id": given} if given else {}).headers["x-request-id"]
    assert named == given if kept else re.fullmatch(r"[0-9a-f]{32}", named)


def test_the_receipt_names_the_request(workspace, asker):
    answer = asker.post("/v1/ask", json={"question": QUESTION}, headers={"x-request-id": "from-the-proxy"})
    assert answer.headers["x-request-id"] == "from-the-proxy"
    assert workspace.journal.receipt(answer.json()["receipt_id"]).request_id == "from-the-proxy"


def test_a_crash_is_answered_under_its_id_too(workspace, monkeypatch):
    monkeypatch.setattr(type(workspace.versions), "live_is_known_damaged", lambda _: 1 / 0)
    client = TestClient(application(workspace), raise_server_exceptions=False)
    answer = client.get("/healthz", headers={"x-request-id": "boom"})
    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "boom")
    assert json.loads(answer.text)["detail"] == "the server failed"
