"""A server on loopback that speaks Slack's Web API and socket mode, as their documentation describes both.

https://docs.slack.dev/apis/web-api and https://docs.slack.dev/apis/events-api/using-socket-mode: methods are posted as
forms or JSON with a bearer token and answer `{"ok": …}`; a socket begins with "hello", and every envelope that is sent
over it is to be acknowledged by its id.
"""

import json
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from tests.loopback import LoopbackHandler, LoopbackServer, running

TEAM, BOT = "T1", "UBOT"
BOT_TOKEN, APP_TOKEN = "xoxb-bot", "xapp-app"


def member(user: str, email: str, **more: Any) -> dict[str, Any]:
    return {
        "id": user, "team_id": TEAM, "deleted": False, "is_bot": False, "is_email_confirmed": True,
        "real_name": user.lower(), "profile": {"email": email}, **more,
    }  # fmt: skip


class Slack:
    """What the workspace holds, and what the app did."""

    def __init__(self) -> None:
        self.users: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, list[str]] = {}
        self.calls: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        """What the app posted: the method and its arguments."""
        self.acknowledged: queue.Queue[str] = queue.Queue()
        self.failing: set[str] = set()
        """Methods that it does not serve just now."""
        self.url = ""
        self.socket_url = ""
        self.connected = threading.Event()
        self.connection: ServerConnection | None = None
        self._number = 0

    def send(self, kind: str, payload: dict[str, Any]) -> str:
        """Send an envelope, and return its id once the app has acknowledged it."""
        self._number += 1
        envelope = {
            "envelope_id": f"e{self._number}",
            "type": kind,
            "payload": payload,
            "accepts_response_payload": False,
        }
        assert self.connection
        self.connection.send(json.dumps(envelope))
        assert self.acknowledged.get(timeout=60) == envelope["envelope_id"]
        return str(envelope["envelope_id"])

    def event(self, **event: Any) -> None:
        """Send an event of the Events API."""
        ids = {"team_id": TEAM, "api_app_id": "A1", "event_id": f"Ev{self._number}", "event_time": 1}
        authorized = [{"team_id": TEAM, "user_id": BOT, "is_bot": True, "enterprise_id": None}]
        self.send("events_api", {**ids, "type": "event_callback", "event": event, "authorizations": authorized})

    def press(self, user: str, action: str, value: str, channel: str, ts: str) -> None:
        """Press a button."""
        where = {"type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": False}
        pressed = {"type": "button", "action_id": action, "block_id": "b", "value": value, "action_ts": "1"}
        who = {"id": user, "team_id": TEAM}
        team, about = {"id": TEAM, "domain": "x"}, {"container": where, "channel": {"id": channel}}
        self.send("interactive", {"type": "block_actions", "user": who, "team": team, **about, "actions": [pressed]})

    def answer(self, method: str, given: dict[str, Any], token: str) -> dict[str, Any]:
        """Answer a method of the Web API."""
        if token != (APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN):
            return {"ok": False, "error": "invalid_auth"}
        if method in self.failing:
            return {"ok": False, "error": "internal_error"}
        match method:
            case "auth.test":
                return {"ok": True, "team_id": TEAM, "user_id": BOT, "bot_id": "B1", "team": "x", "user": "rag"}
            case "apps.connections.open":
                return {"ok": True, "url": self.socket_url}
            case "users.info":
                found = self.users.get(given["user"])
                return {"ok": True, "user": found} if found else {"ok": False, "error": "user_not_found"}
            case "usergroups.users.list":
                return {"ok": True, "users": self.groups.get(given["usergroup"], [])}
            case "chat.postMessage" | "chat.postEphemeral":
                self.calls.put((method, given))
                return {"ok": True, "ts": "99.1", "channel": given["channel"]}
        return {"ok": False, "error": "unknown_method"}


@contextmanager
def slack_server() -> Iterator[Slack]:
    """Serve until the block ends."""
    slack = Slack()

    class Handler(LoopbackHandler):
        def do_POST(self) -> None:
            body = self.body().decode()
            as_json = "json" in self.headers.get("Content-Type", "")
            given = json.loads(body or "{}") if as_json else dict(parse_qsl(body))
            for name in {"blocks"} & given.keys():
                given[name] = json.loads(given[name]) if isinstance(given[name], str) else given[name]
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self.answer(slack.answer(self.path.rpartition("/")[2], given, token))

        do_GET = do_POST

    with running(LoopbackServer(Handler)) as web, serve(lambda one: _talk(slack, one), "127.0.0.1", 0) as sockets:
        slack.url = f"{web.address}/api/"
        slack.socket_url = f"ws://127.0.0.1:{sockets.socket.getsockname()[1]}/link"
        threading.Thread(target=sockets.serve_forever, daemon=True).start()
        yield slack


def _talk(slack: Slack, connection: ServerConnection) -> None:
    connection.send(json.dumps({"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}}))
    slack.connection = connection
    slack.connected.set()
    try:
        for told in connection:
            slack.acknowledged.put(json.loads(told)["envelope_id"])
    except ConnectionClosed:
        pass
