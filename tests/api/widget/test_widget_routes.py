"""What the widget's token opens, and what it does not."""

import pytest

from rag_platform.api.application import application
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import SettingsError
from rag_platform.people.tokens import Tokens
from tests.api.published import QUESTION, client_of, opened, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("widget"), tiny_embedder)


@pytest.fixture(scope="module")
def visitor(workspace):
    return client_of(workspace, "widget")


def asked(client, question=QUESTION, **more):
    return client.post("/widget/ask", json={"question": question, **more})


def test_a_visitor_is_answered_with_sources_and_told_nothing_else(workspace, visitor):
    answer = asked(visitor).json()
    assert answer.keys() == {"answer", "citations", "notes", "receipt"} and "[1]" in answer["answer"]
    assert answer["citations"][0].keys() == {"n", "title", "uri", "quote"}
    assert "six until dusk" in answer["citations"][0]["quote"]
    event = workspace.audit.events(limit=1)[0]
    assert event.who["interface"] == "widget" and event.who["name"].startswith("token:")


def test_a_visitor_reads_what_the_token_reads_and_no_more(workspace, visitor):
    paid = "What does the ferry warden earn?"
    assert "crowns" not in asked(visitor, paid).text
    assert "nine crowns" in asked(client_of(workspace, "widget", principals=("group:board",)), paid).text


def test_its_token_opens_no_other_route(workspace, visitor):
    described = application(workspace).openapi()["paths"]
    closed = [(method, path) for path, methods in described.items() for method in methods]
    assert len(closed) > 20 and not [path for path in described if path.startswith("/widget")]
    for method, path in closed:
        answer = visitor.request(method, path.replace("{", "").replace("}", ""))
        assert answer.status_code == 403, (method, path, answer.text)


def test_no_other_token_but_an_admin_s_is_a_widget_s(workspace):
    assert asked(client_of(workspace, "read", "ask", "edit")).status_code == 403
    assert asked(client_of(workspace, "admin")).status_code == 200
    with pytest.raises(SettingsError, match="public pages"):
        Tokens(workspace.journal).create("both", ["widget", "read"])


def test_only_answers_of_this_widget_are_judged(workspace, visitor):
    own, others = asked(visitor).json()["receipt"], asked(client_of(workspace, "widget")).json()["receipt"]
    assert visitor.post("/widget/feedback", json={"receipt": own, "good": False}).json() == {"good": False}
    judged = workspace.feedback.of(own, workspace.journal.receipt(own).principal)
    assert judged is not None and not judged.good
    refused = [visitor.post("/widget/feedback", json={"receipt": one, "good": True}) for one in (others, "none")]
    assert [one.status_code for one in refused] == [404, 404] and refused[0].text == refused[1].text


def test_each_address_has_its_own_rate(tmp_path, tiny_embedder):
    publish(tmp_path, tiny_embedder)
    toml = tmp_path / "rag.toml"
    toml.write_text(toml.read_text() + "[access]\nquestions_per_minute = 1\n")
    visitor = client_of(opened(tmp_path, tiny_embedder), "widget")
    assert [asked(visitor).status_code for _ in range(2)] == [200, 429]
    visitor._transport.client = ("192.0.2.7", 1234)
    assert asked(visitor).status_code == 200


def test_the_panel_runs_nothing_of_others_and_is_shown_where_the_settings_say(workspace, visitor):
    policy = visitor.get("/widget/panel").headers["content-security-policy"]
    assert "default-src 'none'" in policy and policy.endswith("frame-ancestors 'none'")
    kinds = {"/widget.js": "javascript", "/widget/panel.js": "javascript", "/widget/panel.css": "css"}
    for path, kind in kinds.items():
        answer = visitor.get(path, headers={"authorization": ""})  # files are no secret
        assert answer.status_code == 200 and kind in answer.headers["content-type"]


@pytest.mark.parametrize("given", ["https://a.example/path", "example.org", "*", "https://a.example; script-src *"])
def test_a_site_that_is_no_origin_is_refused(tmp_path, given):
    (tmp_path / "rag.toml").write_text(f'[http]\nwidget_on = ["{given}"]\n')
    with pytest.raises(SettingsError, match=r"https://www\.example\.org"):
        load_settings(tmp_path)
