"""Asking in Slack: the real Bolt against a server that speaks Slack's protocols."""

import queue

import pytest

from rag_platform.chat_apps.slack.slack_app import slack_app
from rag_platform.core.errors import SettingsError
from rag_platform.people.chats import turns_of
from tests.api.published import QUESTION, publish
from tests.chat_apps.slack.slack_server import APP_TOKEN, BOT, BOT_TOKEN, member, slack_server

PAY = "What does the ferry warden earn?"
SETTINGS = """
[access]
readers = ["user:ann@example.org", "group:board"]
[slack]
bot_token = "${BOT}"
app_token = "${APP}"
url = "%s"
groups = { S1 = "group:board" }
channels = { CBOARD = ["group:board"] }
"""


@pytest.fixture(scope="module")
def slack():
    with slack_server() as running:
        running.users = {
            "UANN": member("UANN", "Ann@example.org"),
            "UBO": member("UBO", "bo@example.org"),
            "UEVE": member("UEVE", "eve@example.org"),
            "UFOREIGN": member("UFOREIGN", "ann@example.org", team_id="T2"),
            "UNEW": member("UNEW", "ann@example.org", is_email_confirmed=False),
            "UPROGRAM": member("UPROGRAM", "ann@example.org", is_bot=True),
        }
        running.groups = {"S1": ["UBO"]}
        yield running


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, slack):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOT", BOT_TOKEN)
        patch.setenv("APP", APP_TOKEN)
        yield publish(tmp_path_factory.mktemp("slack"), tiny_embedder, SETTINGS % slack.url)


@pytest.fixture(scope="module")
def app(workspace, slack):
    running = slack_app(workspace)
    running.connect()
    assert slack.connected.wait(60)
    yield running
    running.close()


def write(slack, user, text, ts, *, channel="D1", **more):
    kind = {"type": "message", "channel_type": "im"} if channel.startswith("D") else {"type": "app_mention"}
    slack.event(**kind, user=user, text=text, ts=ts, channel=channel, **more)
    return slack.calls.get(timeout=60)


def shown(call):
    return str(call[1]["blocks"])


def test_a_message_is_answered_in_its_thread_with_sources_and_thumbs(app, slack, workspace):
    method, said = write(slack, "UANN", QUESTION, "1.1")
    assert method == "chat.postMessage" and (said["channel"], said["thread_ts"]) == ("D1", "1.1")
    assert "six until dusk" in said["text"] and "*[1]* Of notes" in shown((method, said))
    assert [one["action_id"] for one in said["blocks"][-1]["elements"]] == ["good", "bad"]
    event = workspace.audit.events(limit=1)[0]
    assert event.who["interface"] == "slack" and event.who["name"] == "user:ann@example.org"


def test_a_thread_is_a_chat_and_another_message_begins_another(app, slack, workspace):
    write(slack, "UANN", QUESTION, "2.1")
    write(slack, "UANN", "And until when?", "2.2", thread_ts="2.1")
    write(slack, "UANN", "Does the ferry make waves?", "2.3")
    ann = "user:ann@example.org"
    newest, before = workspace.chats.of(ann)[:2]
    assert newest.title == "Does the ferry make waves?"
    assert [turn.question for turn in turns_of(workspace.chats.messages(before.id, ann))] == [
        QUESTION,
        "And until when?",
    ]


def test_everybody_is_told_what_they_may_read_and_in_channels_what_all_there_may(app, slack):
    assert "nine crowns" in shown(write(slack, "UBO", PAY, "3.1"))
    assert "crowns" not in str(write(slack, "UANN", PAY, "3.2"))
    assert "crowns" not in str(write(slack, "UBO", f"<@{BOT}> {PAY}", "3.3", channel="CALL"))
    assert "nine crowns" in shown(write(slack, "UBO", f"<@{BOT}> {PAY}", "3.4", channel="CBOARD"))
    assert "crowns" not in str(write(slack, "UANN", f"<@{BOT}> {PAY}", "3.5", channel="CBOARD"))


def test_what_was_said_in_a_channel_opens_nothing_for_the_next_who_asks(app, slack, workspace):
    write(slack, "UBO", f"<@{BOT}> {PAY}", "3.6", channel="CBOARD")
    call = write(slack, "UANN", f"<@{BOT}> And the warden?", "3.7", thread_ts="3.6", channel="CBOARD")
    assert "crowns" not in str(call)


@pytest.mark.parametrize("user", ["UEVE", "UFOREIGN", "UNEW", "UPROGRAM"])
def test_whoever_may_not_ask_is_told_so_alone(app, slack, user):
    method, said = write(slack, user, QUESTION, f"4.{user}")
    assert method == "chat.postEphemeral" and said["user"] == user
    assert said["text"] == "You may not ask here. Whoever runs this can let you in."


def test_the_same_message_is_answered_once_and_programs_and_edits_never(app, slack):
    write(slack, "UANN", QUESTION, "5.1")
    for more in ({"ts": "5.1"}, {"ts": "5.2", "bot_id": "B2"}, {"ts": "5.3", "subtype": "message_changed"}):
        event = {"type": "message", "channel_type": "im", "user": "UANN", "text": QUESTION, "channel": "D1"}
        slack.event(**(event | more))
    slack.event(type="message", channel_type="channel", user="UANN", text=QUESTION, ts="5.4", channel="CALL")
    write(slack, "UANN", "The last one?", "5.5")
    with pytest.raises(queue.Empty):
        slack.calls.get(timeout=0.3)


def test_thumbs_are_the_feedback_of_whoever_presses_them(app, slack, workspace):
    asked = write(slack, "UANN", f"<@{BOT}> {QUESTION}", "6.1", channel="CALL")
    receipt = asked[1]["blocks"][-1]["elements"][0]["value"]
    for user, action in (("UANN", "good"), ("UBO", "bad"), ("UEVE", "bad")):
        slack.press(user, action, receipt, "CALL", "99.1")
        slack.calls.get(timeout=60)
    judged = {who: workspace.feedback.of(receipt, f"user:{who}@example.org") for who in ("ann", "bo", "eve")}
    assert judged["ann"].good and not judged["bo"].good and judged["eve"] is None


def test_thumbs_count_only_where_the_answer_was_given_and_alone_of_its_asker(app, slack, workspace):
    alone = write(slack, "UBO", QUESTION, "6.2")[1]["blocks"][-1]["elements"][0]["value"]
    board = write(slack, "UBO", f"<@{BOT}> {PAY}", "6.3", channel="CBOARD")[1]["blocks"][-1]["elements"][0]["value"]
    for user, receipt, channel in (("UANN", alone, "D1"), ("UBO", alone, "CALL"), ("UANN", board, "CALL")):
        slack.press(user, "bad", receipt, channel, "99.2")
        assert slack.calls.get(timeout=60)[1]["text"].startswith("You may not")
    people = [f"user:{who}@example.org" for who in ("ann", "bo")]
    assert not any(workspace.feedback.of(receipt, who) for receipt in (alone, board) for who in people)
    slack.press("UBO", "good", alone, "D1", "99.3")
    assert slack.calls.get(timeout=60)[1]["text"] == "Thank you."


@pytest.mark.parametrize("method", ["users.info", "chat.postMessage"])
def test_where_slack_fails_the_asker_is_told(app, slack, method):
    slack.users["UNEXT"] = member("UNEXT", "ann@example.org")
    slack.failing.add(method)
    try:
        called, said = write(slack, "UNEXT" if method == "users.info" else "UANN", QUESTION, f"7.{method}")
    finally:
        slack.failing.clear()
    assert called == "chat.postEphemeral" and said["text"].startswith("This could not be answered")


def test_a_token_that_slack_does_not_take_is_told_without_it(workspace, monkeypatch):
    monkeypatch.setenv("BOT", "xoxb-hush")
    with pytest.raises(SettingsError, match="invalid_auth") as caught:
        slack_app(workspace)
    assert "hush" not in str(caught.value)
