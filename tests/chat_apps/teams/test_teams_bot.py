"""Asking in Teams: the bot against a server that speaks the Bot Framework's protocol."""

import queue
import time

import pytest
from joserfc.jwk import RSAKey
from starlette.testclient import TestClient

from rag_platform.chat_apps.teams.teams_bot import ANEW, LARGEST, teams_bot
from rag_platform.core.errors import SettingsError
from rag_platform.people.chats import turns_of
from tests.api.published import QUESTION, opened, publish
from tests.chat_apps.teams.teams_server import APP, BOT, SECRET, TENANT, member, teams_server

PAY = "What does the ferry warden earn?"
BOARD, ALL, TEAM = "19:board@thread.tacv2", "19:all@thread.tacv2", "19:team@thread.tacv2"
SETTINGS = f"""
[access]
readers = ["user:ann@example.org", "group:board"]
[teams]
app_id = "{APP}"
secret = "${{TEAMS}}"
tenant = "{TENANT.upper()}"
groups = {{ "{TEAM}" = "group:board" }}
channels = {{ "{BOARD}" = ["group:board"] }}
login = "%(address)s"
issuer = "%(address)s"
metadata = "%(address)s/metadata"
"""
REFUSED = "You may not ask here. Whoever runs this can let you in."
WAITED = []


@pytest.fixture(scope="module")
def teams():
    with teams_server() as running:
        ann = "ann@example.org"
        running.members = {
            "29:ann": member("29:ann", "Ann@Example.org"),
            "29:bo": member("29:bo", "bo@example.org"),
            "29:eve": member("29:eve", "eve@example.org"),
            "29:nameless": member("29:nameless", "", email=ann),
            "29:guest": member("29:guest", "ann_example.org#EXT#@other.example", email=ann),
            "29:called-guest": member("29:called-guest", ann, userRole="guest"),
            "29:anonymous": member("29:anonymous", ann, userRole="anonymous"),
            "29:foreign": member("29:foreign", ann, tenantId="tenant-2"),
            "29:of-nowhere": member("29:of-nowhere", ann, tenantId=None),
        }
        running.teams = {TEAM: ["29:bo"]}
        yield running


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, teams):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEAMS", SECRET)
        yield publish(tmp_path_factory.mktemp("teams"), tiny_embedder, SETTINGS % {"address": teams.address})


@pytest.fixture(scope="module")
def bot(workspace):
    with TestClient(teams_bot(workspace, sleep=WAITED.append)) as client:
        yield client


def post(bot, teams, activity, token=None):
    token = teams.token() if token is None else token
    return bot.post("/api/messages", json=activity, headers={"authorization": f"Bearer {token}"} if token else {})


def write(bot, teams, account, text, number, conversation="a:1", **more):
    assert post(bot, teams, teams.activity(account, text, number, conversation, **more)).status_code == 200
    return said(teams)


def said(teams):
    while True:
        place, message = teams.calls.get(timeout=60)
        if message["type"] != "typing":
            return message | {"place": place}


def press(bot, teams, account, verb, receipt, conversation="a:1"):
    value = {"action": {"type": "Action.Execute", "verb": verb, "data": {"receipt": receipt}}}
    pressed = teams.activity(account, "", "", conversation, type="invoke", name="adaptiveCard/action", value=value)
    return post(bot, teams, pressed).json()["value"]


def card(message):
    return message["attachments"][0]["content"]


def receipt_of(message):
    return card(message)["actions"][0]["data"]["receipt"]


def nothing_is_said(teams):
    with pytest.raises(queue.Empty):
        teams.calls.get(timeout=0.3)


def test_a_message_is_answered_in_its_thread_with_a_card_of_sources_and_thumbs(bot, teams, workspace):
    assert post(bot, teams, teams.activity("29:ann", QUESTION, "1.1")).status_code == 200
    assert teams.calls.get(timeout=60)[1]["type"] == "typing"
    told = said(teams)
    assert (told["place"], told["replyToId"], told["from"]) == ("a:1", "1.1", {"id": BOT["id"]})
    assert "six until dusk" in told["summary"] and "six until dusk" in str(card(told)["body"])
    assert "'[1] '" in str(card(told)["body"]) and "Of notes" in str(card(told)["body"])
    assert [one["verb"] for one in card(told)["actions"]] == ["good", "bad"]
    event = workspace.audit.events(limit=1)[0]
    assert event.who["interface"] == "teams" and event.who["name"] == "user:ann@example.org"


def test_a_thread_is_a_chat_and_new_begins_another_where_there_are_no_threads(bot, teams, workspace):
    for number, text in enumerate((QUESTION, "And until when?", ANEW, "Does the ferry make waves?")):
        write(bot, teams, "29:ann", text, f"2.{number}", "a:2")
    newest, before = workspace.chats.of("user:ann@example.org")[:2]
    assert newest.title == "Does the ferry make waves?"
    assert [turn.question for turn in turns_of(workspace.chats.messages(before.id, "user:ann@example.org"))][-2:] == [
        QUESTION, "And until when?",
    ]  # fmt: skip
    for thread in ("7", "8"):
        write(bot, teams, "29:ann", QUESTION, f"2.{thread}", f"{ALL};messageid={thread}")
    assert len(workspace.chats.of(f"teams:{ALL}")) == 2


def test_everybody_is_told_what_they_may_read_and_in_channels_what_all_there_may(bot, teams):
    assert "nine crowns" in str(card(write(bot, teams, "29:bo", PAY, "3.1", "a:bo")))
    assert "crowns" not in str(write(bot, teams, "29:ann", PAY, "3.2", "a:ann"))
    assert "crowns" not in str(write(bot, teams, "29:bo", PAY, "3.3", f"{ALL};messageid=1"))
    assert "nine crowns" in str(card(write(bot, teams, "29:bo", PAY, "3.4", f"{BOARD};messageid=1")))
    assert "crowns" not in str(write(bot, teams, "29:ann", PAY, "3.5", f"{BOARD};messageid=2"))


def test_what_was_said_in_a_channel_opens_nothing_for_the_next_who_asks(bot, teams):
    write(bot, teams, "29:bo", PAY, "3.6", f"{BOARD};messageid=3")
    assert "crowns" not in str(write(bot, teams, "29:ann", "And the warden?", "3.7", f"{BOARD};messageid=3"))


@pytest.mark.parametrize("who", ["eve", "nameless", "guest", "called-guest", "anonymous", "foreign", "of-nowhere", "x"])
def test_whoever_may_not_ask_is_told_no_more_than_that(bot, teams, who):
    assert write(bot, teams, f"29:{who}", QUESTION, f"4.{who}", f"a:{who}")["text"] == REFUSED
    assert press(bot, teams, f"29:{who}", "good", "r", f"a:{who}") == REFUSED


WRONG = {
    "none": (401, ""),
    "none that can be read": (401, "a.b.c"),
    "of another issuer": (401, {"iss": "https://api.botframework.com"}),
    "for another bot": (401, {"aud": "app-2"}),
    "expired": (401, {"exp": int(time.time()) - 600}),
    "without end": (401, {"exp": None}),
    "for no service": (401, {"serviceurl": None}),
    "for another service": (401, {"serviceurl": "https://evil.example/"}),
    "right": (200, {}),
}


@pytest.mark.parametrize("which", WRONG)
def test_what_the_connector_does_not_prove_is_refused(bot, teams, which):
    status, token = WRONG[which]
    token = teams.token(**token) if isinstance(token, dict) else token
    assert post(bot, teams, teams.activity("29:ann", QUESTION, f"5.{which}"), token).status_code == status
    if status == 200:
        said(teams)
    nothing_is_said(teams)


def test_a_token_comes_as_a_bearer(bot, teams):
    activity, headers = teams.activity("29:ann", QUESTION, "5.8"), {"authorization": f"Basic {teams.token()}"}
    assert bot.post("/api/messages", json=activity, headers=headers).status_code == 401


def test_a_service_address_that_the_token_does_not_name_gets_no_token_of_the_bot(bot, teams):
    elsewhere = teams.activity("29:ann", QUESTION, "5.9", serviceUrl="https://evil.example/")
    assert post(bot, teams, elsewhere).status_code == 401
    nothing_is_said(teams)


def test_only_keys_that_may_speak_for_teams_do(bot, teams):
    unknown = RSAKey.generate_key(2048, {"kid": "1"})
    for key in (teams.other, unknown):
        assert post(bot, teams, teams.activity("29:ann", QUESTION, "5.10"), teams.token(key)).status_code == 401
    on_the_web = teams.activity("29:ann", QUESTION, "5.11", channelId="webchat")
    assert post(bot, teams, on_the_web, teams.token(teams.other)).status_code == 403
    nothing_is_said(teams)


def test_programs_other_organisations_and_what_is_not_for_the_bot_get_no_answer(bot, teams):
    own, there = {"conversationType": "personal", "id": "a:1"}, {"conversation": {"id": ALL}, "entities": []}
    ignored = {
        "a bot": (200, {"from": {"id": "28:app-2"}}),
        "a bot by its role": (200, {"from": {"id": "29:ann", "role": "bot"}}),
        "another tenant": (403, {"conversation": own | {"tenantId": "tenant-2"}}),
        "two tenants": (403, {"channelData": {"tenant": {"id": "tenant-2"}}}),
        "no tenant": (403, {"conversation": own, "channelData": None}),
        "no mention": (200, there),
        "an event": (200, {"type": "conversationUpdate", "text": None}),
        "nothing asked": (200, {"text": " "}),
        "no sender": (400, {"from": None}),
    }
    for number, (why, (status, changes)) in enumerate(ignored.items()):
        activity = teams.activity("29:ann", QUESTION, f"6.{number}") | changes
        assert post(bot, teams, activity).status_code == status, why
    nothing_is_said(teams)


def test_what_is_sent_twice_is_answered_once_and_what_is_too_long_never(bot, teams):
    write(bot, teams, "29:ann", QUESTION, "7.1")
    assert post(bot, teams, teams.activity("29:ann", QUESTION, "7.1")).status_code == 200
    assert bot.post("/api/messages", content=b"x" * (LARGEST + 1)).status_code == 413
    nothing_is_said(teams)


def test_thumbs_are_the_feedback_of_whoever_presses_them_where_it_was_answered(bot, teams, workspace):
    receipt = receipt_of(write(bot, teams, "29:ann", QUESTION, "8.1", f"{ALL};messageid=9"))
    pressed = [press(bot, teams, f"29:{who}", verb, receipt, ALL) for who, verb in (("ann", "good"), ("bo", "bad"))]
    assert pressed == ["Thank you."] * 2
    assert press(bot, teams, "29:bo", "worse", receipt, ALL) == "This is no judgement of an answer."
    judged = {who: workspace.feedback.of(receipt, f"user:{who}@example.org") for who in ("ann", "bo")}
    assert judged["ann"].good and not judged["bo"].good


def test_answers_of_other_places_are_not_judged(bot, teams, workspace):
    receipt = receipt_of(write(bot, teams, "29:ann", QUESTION, "8.2", "a:ann"))
    assert press(bot, teams, "29:bo", "bad", receipt, "a:bo") == press(bot, teams, "29:bo", "bad", "none", "a:bo")
    assert workspace.feedback.of(receipt, "user:bo@example.org") is None


def test_a_busy_connector_is_asked_again_and_no_longer_than_needed(bot, teams):
    teams.busy += [429, 503]
    WAITED.clear()
    assert "six until dusk" in str(write(bot, teams, "29:ann", QUESTION, "9.1"))
    assert len(WAITED) == 2 and all(0 < seconds < 12 for seconds in WAITED)


def test_the_address_of_an_account_names_a_person_only_where_the_settings_say_so(workspace, teams, tiny_embedder):
    home = workspace.settings.home
    toml = (home / "rag.toml").read_text()
    (home / "rag.toml").write_text(toml.replace("[teams]", '[teams]\nuser_claim = "email"'))
    teams.members["29:two"] = member("29:two", "eve@example.org", email="ann@example.org")
    try:
        with TestClient(teams_bot(opened(home, tiny_embedder))) as bot:
            assert "six until dusk" in str(write(bot, teams, "29:two", QUESTION, "10.1", "a:two"))
            for who in ("guest", "nameless"):
                assert write(bot, teams, f"29:{who}", QUESTION, f"10.{who}", f"a:{who}")["text"] == REFUSED
    finally:
        (home / "rag.toml").write_text(toml)


def test_a_secret_that_does_not_sign_in_is_told_without_it(workspace, monkeypatch):
    monkeypatch.setenv("TEAMS", "hush")
    with pytest.raises(SettingsError, match=r"cannot sign in at http://127.*: 401") as caught:
        teams_bot(workspace)
    assert "hush" not in str(caught.value)
