"""A server on loopback that speaks the Bot Framework's protocol as its documentation describes it.

It is all that a bot talks to: where it signs in (`/TENANT/oauth2/v2.0/token`), the discovery document and the keys of
whoever signs activities, and the connector's REST interface below `/teams`: members, and messages in a thread.
"""

import json
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote

from joserfc import jwt
from joserfc.jwk import RSAKey

APP, SECRET, TENANT = "app-1", "only-for-tests", "tenant-1"
BOT = {"id": "28:app-1", "name": "Handbook"}


def member(account: str, upn: str, **more: Any) -> dict[str, Any]:
    return {
        "id": account, "name": account, "userPrincipalName": upn, "email": upn, "tenantId": TENANT, "userRole": "user",
        **more,
    }  # fmt: skip


class TeamsServer(ThreadingHTTPServer):
    """Knows the members of every conversation by their account, and those of teams by the team."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.service = f"{self.address}/teams/"
        self.key, self.other = (RSAKey.generate_key(2048, {"kid": name}) for name in ("1", "2"))
        self.members: dict[str, dict[str, Any]] = {}
        self.teams: dict[str, list[str]] = {}
        self.calls: queue.Queue[tuple[str, dict[str, Any]]] = queue.Queue()
        """What the bot posted: the conversation and the message."""
        self.busy: list[int] = []
        """Statuses that the next messages are answered with."""

    def token(self, key: RSAKey | None = None, **changes: Any) -> str:
        """Return a token of an activity."""
        now = int(time.time())
        claims = {"iss": self.address, "aud": APP, "nbf": now, "exp": now + 3600, "serviceurl": self.service} | changes
        key = key or self.key
        kept = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": "RS256", "kid": key.kid}, kept, key)

    def activity(self, account: str, text: str, number: str, conversation: str = "a:1", **more: Any) -> dict[str, Any]:
        """Return what somebody wrote, as Teams tells it."""
        kind = "personal" if conversation.startswith("a:") else "channel"
        entities = [] if kind == "personal" else [{"type": "mention", "mentioned": BOT, "text": "<at>Handbook</at>"}]
        return {
            "type": "message", "id": number, "channelId": "msteams", "serviceUrl": self.service,
            "from": {"id": account, "aadObjectId": account, "name": account}, "recipient": BOT, "entities": entities,
            "conversation": {"id": conversation, "conversationType": kind, "tenantId": TENANT},
            "channelData": {"tenant": {"id": TENANT}}, "textFormat": "plain",
            "text": text if kind == "personal" else f"<at>Handbook</at>&nbsp;{text}", **more,
        }  # fmt: skip

    def found(self, conversation: str, account: str) -> dict[str, Any] | None:
        if conversation in self.teams and account not in self.teams[conversation]:
            return None
        return self.members.get(account)

    def keys(self) -> list[dict[str, Any]]:
        own = self.key.as_dict(private=False) | {"endorsements": ["msteams", "webchat"]}
        return [own, self.other.as_dict(private=False) | {"endorsements": ["webchat"]}]


class _Handler(BaseHTTPRequestHandler):
    server: TeamsServer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        match [unquote(part) for part in self.path.split("/")[1:]]:
            case ["metadata"]:
                self._json({"issuer": self.server.address, "jwks_uri": f"{self.server.address}/keys"})
            case ["keys"]:
                self._json({"keys": self.server.keys()})
            case ["teams", "v3", "conversations", conversation, "members", account] if self._signed_in():
                found = self.server.found(conversation, account)
                self._json(found or {"error": {"code": "MemberNotFoundInConversation"}}, 200 if found else 404)
            case _:
                self._json({}, 401)

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"])).decode()
        match [unquote(part) for part in self.path.split("/")[1:]]:
            case [tenant, "oauth2", "v2.0", "token"]:
                given = {name: values[0] for name, values in parse_qs(content).items()}
                right = (tenant.lower(), given["client_id"], given["client_secret"]) == (TENANT, APP, SECRET)
                right = right and given["scope"] == f"{self.server.address}/.default"
                told = {"token_type": "Bearer", "expires_in": 3600, "access_token": "of-the-bot"}
                self._json(told if right else {"error": "invalid_client"}, 200 if right else 401)
            case ["teams", "v3", "conversations", conversation, "activities", _] if self._signed_in():
                if self.server.busy:
                    self._json({}, self.server.busy.pop(0))
                    return
                self.server.calls.put((conversation, json.loads(content)))
                self._json({"id": "99"})
            case _:
                self._json({}, 401)

    def _signed_in(self) -> bool:
        return self.headers["authorization"] == "Bearer of-the-bot"

    def _json(self, told: dict[str, Any], status: int = 200) -> None:
        said = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


@contextmanager
def teams_server() -> Iterator[TeamsServer]:
    """Serve until the block ends."""
    server = TeamsServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
