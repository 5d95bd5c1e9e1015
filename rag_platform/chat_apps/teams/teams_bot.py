"""The bot: an endpoint to which Teams posts what is said to it; each question is answered in its thread."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import httpx
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rag_platform.chat_apps.conversations import Conversations, Thread, readers, said_of
from rag_platform.chat_apps.teams.activities import CHANNEL, Activity, ConnectorTokens
from rag_platform.chat_apps.teams.connector import Connector
from rag_platform.chat_apps.teams.teams_cards import answer_message
from rag_platform.chat_apps.teams.teams_people import TeamsPeople
from rag_platform.core.errors import AccessDenied, IssuerSilent, RagError, SettingsError, message_of
from rag_platform.workspace import Workspace
from rag_platform.workspace.filled_secrets import Filled

LARGEST = 300_000
"""Bytes of an activity."""
AT_ONCE = 8
"""Questions that are answered at a time."""
ANEW = "/new"
"""Begins another chat where Teams knows no threads."""
_LOG = logging.getLogger(__name__)


def teams_bot(workspace: Workspace, sleep: Callable[[float], None] = time.sleep) -> Starlette:
    """Return the bot as an application that takes activities at /api/messages.

    Raises:
        SettingsError: something is missing in [teams], or the bot cannot sign in with it.
        SecretError: its secret is not kept where the settings say.
    """
    settings = workspace.settings.teams
    if not (settings.app_id and settings.secret and settings.tenant):
        raise SettingsError("[teams] needs app_id, tenant and secret = '${secret:teams}'")
    connector = Connector(settings, Filled(workspace)(settings.secret), sleep)
    try:
        connector.sign_in()
    except (httpx.HTTPError, ValueError, KeyError) as error:
        said = error.response.status_code if isinstance(error, httpx.HTTPStatusError) else type(error).__name__
        raise SettingsError(f"[teams] the bot cannot sign in at {settings.login}: {said}") from None
    bot = _Bot(workspace, connector)
    return Starlette(routes=[Route("/api/messages", bot.receive, methods=["POST"])], lifespan=bot.lifespan)


class _Bot:
    """Takes what the connector proves to be of its organisation's people, and answers beside the request."""

    def __init__(self, workspace: Workspace, connector: Connector) -> None:
        settings = workspace.settings.teams
        self._settings, self._connector = settings, connector
        self._conversations = Conversations(workspace, "teams", settings.collections)
        self._people = TeamsPeople(connector, settings, workspace.settings.access)
        self._tokens = ConnectorTokens(settings)
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="questions of Teams")

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Finish what was begun before the server ends."""
        yield
        await run_in_threadpool(self._pool.shutdown)

    async def receive(self, request: Request) -> Response:
        """Take an activity; Teams waits only a few seconds, so a question is answered later."""
        content = b""
        async for piece in request.stream():
            content += piece
            if len(content) > LARGEST:
                return Response(status_code=413)
        try:
            activity = Activity.model_validate_json(content)
            await run_in_threadpool(self._tokens.verify, request.headers.get("authorization", ""), activity)
        except IssuerSilent as error:  # Teams sends it again
            _LOG.warning("an activity could not be verified: %s", error)
            return Response(status_code=503, headers={"retry-after": str(error.seconds)})
        except (ValidationError, AccessDenied) as error:
            malformed = isinstance(error, ValidationError)  # whose words quote what was sent
            _LOG.warning("an activity was refused: %s", "it is none" if malformed else error)
            return Response(status_code=400 if malformed else 401)
        if activity.channel_id != CHANNEL or activity.tenants != {(self._settings.tenant or "").lower()}:
            _LOG.warning("an activity of %s in another organisation was refused", activity.channel_id)
            return Response(status_code=403)
        return await self._take(activity)

    async def _take(self, activity: Activity) -> Response:
        if not activity.of_a_program and activity.type == "message" and activity.id and activity.question:
            self._pool.submit(self._answer, activity).add_done_callback(_log_failure)
        elif not activity.of_a_program and (activity.type, activity.name) == ("invoke", "adaptiveCard/action"):
            said = await run_in_threadpool(self._judge, activity)
            shown = {"statusCode": 200, "type": "application/vnd.microsoft.activity.message", "value": said}
            return JSONResponse(shown)
        return Response(status_code=200)

    def _answer(self, activity: Activity) -> None:
        if not self._conversations.threads.take(f"{_place(activity)}:message:{activity.id}"):
            return  # Teams sends again what it believes lost
        try:
            reply = self._reply(activity)
        except RagError as error:
            _LOG.warning("a question of Teams was not answered: %s", message_of(error))
            reply = _text(said_of(error))
        self._connector.reply(activity, reply)

    def _reply(self, activity: Activity) -> dict[str, Any]:
        person, place = self._people.person(activity), _place(activity)
        thread = Thread(f"teams:{activity.conversation.id}", person.id if activity.alone else place)
        if activity.question == ANEW:
            self._conversations.threads.release(thread.key)
            return _text("A new chat begins with your next question.")
        self._connector.reply(activity, {"type": "typing"})
        principals = readers(person, None if activity.alone else self._settings.channels.get(activity.channel, ()))
        answer = self._conversations.ask(person, principals, thread, activity.question)
        self._conversations.note(answer.receipt_id, place, thread)
        return answer_message(answer)

    def _judge(self, activity: Activity) -> str:
        """Keep what somebody thinks of an answer that was given there, and return what they are told."""
        try:
            person, action = self._people.person(activity), activity.value["action"]
            receipt, good = str(action["data"]["receipt"]), {"good": True, "bad": False}[action["verb"]]
            if not self._conversations.gave(receipt, _place(activity)):
                raise AccessDenied("no such answer was given there")
            self._conversations.judge(person, receipt, good=good)
        except RagError as error:
            return said_of(error)
        except (KeyError, TypeError):
            return "This is no judgement of an answer."
        return "Thank you."


def _place(activity: Activity) -> str:
    return f"teams:{activity.channel}"


def _text(said: str) -> dict[str, Any]:
    return {"type": "message", "textFormat": "plain", "text": said}


def _log_failure(done: Future[None]) -> None:
    if error := done.exception():
        _LOG.error("a question of Teams was not answered", exc_info=error)
