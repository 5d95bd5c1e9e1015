"""The app: what Bolt calls when somebody mentions it, writes to it, or presses a thumb."""

import logging
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from rag_platform.chat_apps.conversations import Conversations, Thread, readers, said_of
from rag_platform.chat_apps.slack.slack_blocks import answer_blocks, escaped, question_of
from rag_platform.chat_apps.slack.slack_people import SlackPeople
from rag_platform.config.sections.chat_apps import SlackSettings
from rag_platform.core.errors import AccessDenied, RagError, SettingsError, message_of
from rag_platform.workspace import Workspace
from rag_platform.workspace.filled_secrets import Filled

_FAILED = (RagError, SlackApiError, OSError)
LONGEST_TEXT = 3000
"""Characters of the text that notifications show."""


def slack_app(workspace: Workspace) -> SocketModeHandler:
    """Return the app, to be started or connected.

    Raises:
        SettingsError: a token is missing, or Slack does not take it.
        SecretError: a token is not kept where the settings say.
    """
    settings, filled = workspace.settings.slack, Filled(workspace)
    if not (settings.bot_token and settings.app_token):
        raise SettingsError("[slack] needs bot_token = '${secret:slack_bot}' and app_token = '${secret:slack_app}'")
    client = WebClient(filled(settings.bot_token), base_url=settings.url)
    app = App(client=client, token_verification_enabled=False)
    try:
        team = str(client.auth_test()["team_id"])
    except (SlackApiError, OSError) as error:
        raise SettingsError(f"[slack] bot_token: Slack said {filled.hide(message_of(error))}") from None
    people = SlackPeople(client, team, settings, workspace.settings.access)
    listeners = _Listeners(Conversations(workspace, "slack", settings.collections), people, team, settings)
    app.event("app_mention")(listeners.mentioned)
    app.event("message")(listeners.messaged)
    for name in ("good", "bad"):
        app.action(name)(listeners.judged)
    return SocketModeHandler(app, filled(settings.app_token))


class _Listeners:
    """Answers in the thread of a question; what is not for everybody there, to the asker alone."""

    def __init__(self, conversations: Conversations, people: SlackPeople, team: str, settings: SlackSettings) -> None:
        self._conversations, self._people, self._team, self._settings = conversations, people, team, settings

    def mentioned(self, event: dict[str, Any], client: WebClient) -> None:
        """Answer who mentions the app in a channel."""
        self._answer(event, client, alone=False)

    def messaged(self, event: dict[str, Any], client: WebClient) -> None:
        """Answer who writes to the app alone; what others write in channels, or programs write, is not for it."""
        if event.get("channel_type") == "im" and not event.get("subtype") and not event.get("bot_id"):
            self._answer(event, client, alone=True)

    def judged(self, ack: Any, body: dict[str, Any], client: WebClient) -> None:
        """Keep what somebody thinks of an answer."""
        ack()
        action, where = body["actions"][0], body["container"]
        try:
            person = self._people.person(body["user"]["id"])
            place = f"slack:{self._team}:{where['channel_id']}"
            if not self._conversations.gave(action["value"], place, f"{place}:{person.id}"):
                raise AccessDenied("no such answer was given there")
            self._conversations.judge(person, action["value"], good=action["action_id"] == "good")
            said = "Thank you."
        except _FAILED as error:
            said = said_of(error)
        thread = where.get("thread_ts") or where["message_ts"]
        client.chat_postEphemeral(channel=where["channel_id"], user=body["user"]["id"], text=said, thread_ts=thread)

    def _answer(self, event: dict[str, Any], client: WebClient, *, alone: bool) -> None:
        channel, user = event["channel"], event.get("user", "")
        place = f"slack:{self._team}:{channel}"
        question = question_of(event.get("text", ""))
        if not (user and question and self._conversations.threads.take(f"{place}:message:{event['ts']}")):
            return
        root = event.get("thread_ts") or event["ts"]
        try:
            person = self._people.person(user)
            thread = Thread(f"{place}:{root}", person.id if alone else place)
            principals = readers(person, None if alone else self._settings.channels.get(channel, ()))
            answer = self._conversations.ask(person, principals, thread, question)
            self._conversations.note(answer.receipt_id, f"{place}:{person.id}" if alone else place, thread)
            client.chat_postMessage(
                channel=channel, thread_ts=root, text=escaped(answer.answer)[:LONGEST_TEXT],
                blocks=answer_blocks(answer), unfurl_links=False, unfurl_media=False, parse="none",
            )  # fmt: skip
        except _FAILED as error:
            logging.getLogger(__name__).warning("a question of Slack was not answered: %s", message_of(error))
            client.chat_postEphemeral(channel=channel, user=user, text=said_of(error), thread_ts=root)
