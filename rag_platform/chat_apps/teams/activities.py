"""What Teams tells a bot, an activity each, and the proof that Teams told it.

The protocol is that of the Bot Framework: an activity is posted as JSON, with a token that the connector signed for the
bot. https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication
"""

import html
import re
import time
from collections.abc import Callable
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jws import JWSRegistry
from pydantic import AliasGenerator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from rag_platform.config.sections.chat_apps import TeamsSettings
from rag_platform.core.errors import AccessDenied
from rag_platform.people.issuer_keys import IssuerKeys

CHANNEL = "msteams"
_REGISTRY = JWSRegistry(algorithms=["RS256"])
_LEEWAY = 300
"""Seconds by which clocks may differ."""


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=AliasGenerator(validation_alias=to_camel), frozen=True)


class Account(_Part):
    """Somebody, or a program."""

    id: str
    role: str | None = None


class Place(_Part):
    """Where people talk."""

    id: str
    """Of a channel's thread, it ends with ``;messageid=…``."""
    conversation_type: str | None = None
    tenant_id: str | None = None


class Activity(_Part):
    """Something that was said or done."""

    type: str
    name: str | None = None
    id: str = ""
    channel_id: str
    service_url: str
    sender: Account = Field(validation_alias="from")
    recipient: Account
    conversation: Place
    text: str | None = None
    entities: list[dict[str, Any]] | None = None
    value: Any = None
    channel_data: dict[str, Any] | None = None

    @property
    def alone(self) -> bool:
        """Whether nobody else reads along."""
        return self.conversation.conversation_type == "personal"

    @property
    def channel(self) -> str:
        """The channel or chat, whatever thread of it."""
        return self.conversation.id.partition(";")[0]

    @property
    def tenants(self) -> set[str]:
        """Every organisation that it is said to come from."""
        tenant = (self.channel_data or {}).get("tenant")
        given = (self.conversation.tenant_id, tenant.get("id") if isinstance(tenant, dict) else None)
        return {str(one).lower() for one in given if one}

    @property
    def of_a_program(self) -> bool:
        """Whether a bot did it."""
        return self.sender.role == "bot" or self.sender.id.startswith("28:")

    @property
    def question(self) -> str:
        """What is asked: a text without its mark-up, "" where the bot is not spoken to."""
        text, ours = self.text or "", self.alone
        for entity in self.entities or ():
            who = entity.get("mentioned")
            if entity.get("type") == "mention" and isinstance(who, dict) and who.get("id") == self.recipient.id:
                text, ours = text.replace(str(entity.get("text")), " "), True
        plain = html.unescape(re.sub(r"</?at(\s[^<>]*)?>", "", text))
        return " ".join(plain.split()) if ours else ""


class ConnectorTokens:
    """Says whether the connector of Teams sent an activity to this bot; safe to ask from many threads."""

    def __init__(self, settings: TeamsSettings, clock: Callable[[], float] = time.time) -> None:
        """Take the tokens of `issuer` for `app_id`, by the keys that `metadata` tells."""
        self._settings, self._clock = settings, clock
        self._keys = IssuerKeys(settings.issuer, settings.metadata, clock)

    def verify(self, authorization: str, activity: Activity) -> None:
        """Refuse what nobody proves.

        Raises:
            AccessDenied: the token is none of this issuer for this bot, has expired, is for another service address, or
                its key is not one that may speak for this channel.
        """
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise AccessDenied("an activity came without a token")
        try:
            claims = self._claims(token, activity.channel_id)
        except (JoseError, ValueError) as error:
            raise AccessDenied(f"the token of an activity is not valid: {error}") from error
        if str(claims.get("serviceurl", "")).rstrip("/") != activity.service_url.rstrip("/"):
            raise AccessDenied("the token of an activity is not for its serviceUrl")

    def _claims(self, token: str, channel: str) -> dict[str, Any]:
        def endorsed(signed: Any) -> Any:
            key = self._keys.key_of(signed.headers())
            if channel not in (key.get("endorsements") or ()):
                raise ValueError(f"its key may not speak for {channel!r}")
            return key

        read = jwt.decode(token, endorsed, registry=_REGISTRY)
        expected: dict[str, Any] = {
            "iss": {"essential": True, "value": self._settings.issuer},
            "aud": {"essential": True, "value": self._settings.app_id},
            "exp": {"essential": True},
        }
        jwt.JWTClaimsRegistry(now=int(self._clock()), leeway=_LEEWAY, **expected).validate(read.claims)
        return dict(read.claims)
