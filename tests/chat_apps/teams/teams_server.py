"""A server on loopback that speaks the Bot Framework's protocol as its documentation describes it.

It is all that a bot talks to: where it signs in (`/TENANT/oauth2/v2.0/token`), the discovery document and the keys of
whoever signs activities, and the connector's REST interface below `/teams`: members, and messages in a thread.
"""

import json
import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, unquote

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.loopback import LoopbackHandler, LoopbackServer, running

APP, SECRET, TENANT = "app-1", "only-for-tests", "tenant-1"
BOT = {"id": "28:app-1", "name": "Handbook"}


def member(account: str, upn: str, **more: Any) -> dict[str, Any]:
    return {
        "id": account, "name": account, "userPrincipalName": upn, "email": upn, "tenantId": TENANT, "userRole": "user",
        **more,
    }  # fmt: skip


class TeamsServer(LoopbackServer):
    """Knows the members of every conversation by their account, and those of teams by the team."""

    def __init__(self) -> None:
        super().__init__(_Handler)
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


class _Handler(LoopbackHandler):
    server: TeamsServer

    def do_GET(self) -> None:
        match [unquote(part) for part in self.path.split("/")[1:]]:
            case ["metadata"]:
                self.answer({"issuer": self.server.address, "jwks_uri": f"{self.server.address}/keys"})
            case ["keys"]:
                self.answer({"keys": self.server.keys()})
            case ["teams", "v3", "conversations", conversation, "members", account] if self._signed_in():
                found = self.server.found(conversation, account)
                self.answer(found or {"error": {"code": "MemberNotFoundInConversation"}}, 200 if found else 404)
            case _:
                self.answer({}, 401)

    def do_POST(self) -> None:
        content = self.body().decode()
        match [unquote(part) for part in self.path.split("/")[1:]]:
            case [tenant, "oauth2", "v2.0", "token"]:
                given = {name: values[0] for name, values in parse_qs(content).items()}
                right = (tenant.lower(), given["client_id"], given["client_secret"]) == (TENANT, APP, SECRET)
                right = right and given["scope"] == f"{self.server.address}/.default"
                told = {"token_type": "Bearer", "expires_in": 3600, "access_token": "of-the-bot"}
                self.answer(told if right else {"error": "invalid_client"}, 200 if right else 401)
            case ["teams", "v3", "conversations", conversation, "activities", _] if self._signed_in():
                if self.server.busy:
                    self.answer({}, self.server.busy.pop(0))
                    return
                self.server.calls.put((conversation, json.loads(content)))
                self.answer({"id": "99"})
            case _:
                self.answer({}, 401)

    def _signed_in(self) -> bool:
        return self.headers["authorization"] == "Bearer of-the-bot"


@contextmanager
def teams_server() -> Iterator[TeamsServer]:
    """Serve until the block ends."""
    with running(TeamsServer()) as server:
        yield server
