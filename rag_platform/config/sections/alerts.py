"""Whom to tell what happened to sources, versions and questions: [alerts] of rag.toml."""

import re
from typing import Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from rag_platform.config.placeholders import PLACEHOLDER, Headers
from rag_platform.config.sections.section import Section
from rag_platform.core.urls import is_web

Event = Literal["held", "refused", "late", "published", "unanswered"]
EVENTS: tuple[Event, ...] = get_args(Event)
_EMAIL = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")


def is_address(text: str) -> bool:
    """Return whether a text is the address of one person's e-mail."""
    return _EMAIL.fullmatch(text) is not None


class AlertSettings(Section):
    """Where alerts go; without an address there are none."""

    about: tuple[Event, ...] = ("held", "refused", "late")
    """A source is held, the gate refused a version, a source is late; a version went live, a question had no answer."""
    webhooks: tuple[str, ...] = Field((), repr=False)
    """Addresses to which JSON is sent."""
    webhooks_about: tuple[Event, ...] | None = None
    """What they are told; None: as `about`."""
    signing_keys: tuple[str, ...] = Field((), repr=False)
    """What is sent to `webhooks` is signed with each; two while one takes the other's place."""
    headers: Headers = Field({}, repr=False)
    """Sent with each request to `webhooks`."""
    slack: tuple[str, ...] = Field((), repr=False)
    """Incoming webhooks of Slack, or of what takes the same, such as Mattermost."""
    email: tuple[str, ...] = ()
    """Who gets e-mails."""
    sender: str | None = None
    """From whom they come."""
    smtp: str | None = None
    """The server that sends them: ``smtp://user@host:587``, or ``smtps://`` for TLS from the first byte."""
    password: str | None = Field(None, repr=False)
    """Of that user: ``${secret:NAME}``, or ``${NAME}`` for a variable."""

    @field_validator("webhooks", "slack")
    @classmethod
    def _of_the_web(cls, addresses: tuple[str, ...]) -> tuple[str, ...]:
        for address in addresses:
            if not (is_web(address) or PLACEHOLDER.match(address)):
                raise ValueError("expected addresses such as 'https://example.org/hook', or '${secret:NAME}'")
            if is_web(address) and (password := urlsplit(address).password) and not PLACEHOLDER.fullmatch(password):
                raise ValueError("a password never stands in the file: expected '${secret:NAME}' in its place")
        return addresses

    @field_validator("slack")
    @classmethod
    def _keeps_its_secret(cls, addresses: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(PLACEHOLDER.search, addresses)):
            raise ValueError(
                "whoever knows such an address can post: expected 'https://hooks.slack.com/services/${secret:NAME}'"
            )
        return addresses

    @field_validator("signing_keys")
    @classmethod
    def _are_secrets(cls, keys: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(PLACEHOLDER.fullmatch, keys)):
            raise ValueError("a key never stands in the file: expected '${secret:NAME}'")
        return keys

    @field_validator("email")
    @classmethod
    def _of_people(cls, addresses: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(_EMAIL.fullmatch, addresses)):
            raise ValueError("expected addresses such as 'ann@example.org'")
        return addresses

    @model_validator(mode="after")
    def _mail_can_be_sent(self) -> "AlertSettings":
        if self.email and not (self.sender and _EMAIL.fullmatch(self.sender) and self.smtp):
            raise ValueError("e-mails need sender = 'rag@example.org' and smtp = 'smtp://user@host:587'")
        server = urlsplit(self.smtp or "smtp://unset")
        if server.scheme not in ("smtp", "smtps") or not server.hostname or server.password:
            raise ValueError("expected smtp = 'smtp://user@host:587' or 'smtps://user@host:465', without a password")
        if (server.username is None) != (self.password is None):
            raise ValueError("expected a user in `smtp` and `password` together, or neither")
        if self.password is not None and not PLACEHOLDER.fullmatch(self.password):
            raise ValueError("a password never stands in the file: expected password = '${secret:NAME}'")
        return self
