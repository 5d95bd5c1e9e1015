"""What the widget's token opens, and what it does not."""

import json

import pytest

from rag_platform.api.application import application
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import SettingsError
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.tokens import Tokens
from tests.api.published import QUESTION, client_of, opened, publish


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    return publish(tmp_path_factory.mktemp("widget"), tiny_embedder)


@pytest.fixture(scope="module")
def visitor(workspace):
    return client_of(workspace, "widget")


EVENTS = {"accept": "text/event-stream"}


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


def test_an_assistant_for_everybody_answers_and_no_other(workspace, visitor):
    public = workspace.assistants.put("user:boss", "Of waves", Assistant(collections=("physics",)), ["*"])
    inner = workspace.assistants.put("user:boss", "Of wages", Assistant(collections=("wages",)), ["group:board"])
    receipt = workspace.journal.receipt(asked(visitor, assistant=public).json()["receipt"])
    assert (receipt.settings["assistant"], receipt.filters["collections"]) == (public, ["physics"])
    refused = asked(visitor, assistant=inner)
    assert refused.status_code == 404 and public in refused.text
    workspace.assistants.remove(public, "user:boss")
    assert asked(visitor, assistant=public).status_code == 404


def test_its_token_opens_no_other_route(workspace, visitor):
    described = application(workspace).openapi()["paths"]
    closed = [(method, path) for path, methods in described.items() for method in methods]
    assert len(closed) > 20 and not [path for path in described if path.startswith("/widget")]
    for method, path in closed:
        answer = visitor.request(method, path.replace("{", "").replace("}", ""))
        refused = 404 if path == "/v1/feeds/{token}" else 403  # which asks for no token but the one in its address
        assert answer.status_code == refused, (method, path, answer.text)


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


@pytest.fixture
def rated(tmp_path, tiny_embedder):
    """A workspace that allows one address a question and all visitors four, in a minute; and who asks from where."""
    publish(tmp_path, tiny_embedder)
    toml = tmp_path / "rag.toml"
    rates = "questions_per_minute = 1\nwidget_questions_per_minute = 4"
    toml.write_text(f'{toml.read_text()}[http]\nwidget_on = ["https://*.a.example"]\n[access]\n{rates}\n')
    workspace = opened(tmp_path, tiny_embedder)

    def status(client, address, site=""):
        client._transport.client = (address, 1234)
        return asked(client, site=site).status_code

    return lambda: client_of(workspace, "widget"), status


def test_each_address_has_its_own_rate(rated):
    client_of_token, status = rated
    visitor = client_of_token()
    assert [status(visitor, "192.0.2.6") for _ in range(2)] == [200, 429]
    assert status(visitor, "192.0.2.7") == 200
    assert [status(visitor, f"2001:db8::{last}") for last in (1, 2)] == [200, 429], "one customer's network"


def test_all_visitors_have_a_rate_together_with_a_token_and_on_a_site(rated):
    client_of_token, status = rated
    first, second, shop = client_of_token(), client_of_token(), "https://shop.a.example"
    told = [status(first, f"192.0.2.{last}", site) for last, site in enumerate([shop, shop, "", "https://b.example"])]
    assert told == [200] * 4 and status(first, "192.0.2.9") == 429, "the token's"
    assert [status(second, f"192.0.2.{last}", shop) for last in range(10, 13)] == [200, 200, 429], "the site's"
    assert [status(second, f"192.0.2.{last}") for last in range(20, 23)] == [200, 200, 429]


def test_an_answer_comes_as_it_is_written_and_visitors_are_told_no_more_of_it(workspace, visitor):
    with visitor.stream("POST", "/widget/ask", json={"question": QUESTION}, headers=EVENTS) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        blocks = [block for block in answer.read().decode().split("\n\n") if block.startswith("event: ")]
    told = [(block.split("\n")[0].removeprefix("event: "), json.loads(block.split("data: ")[1])) for block in blocks]
    assert [name for name, _ in told[:-1]] == ["token"] * (len(told) - 1) and len(told) > 1
    name, whole = told[-1]
    assert name == "answer" and whole.keys() == asked(visitor).json().keys() and "six until dusk" in whole["answer"]
    assert workspace.journal.receipt(whole["receipt"]).question == QUESTION
    refused = visitor.post("/widget/ask", json={"question": " "}, headers=EVENTS)
    assert refused.status_code == 400 and refused.json()["do"]


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
