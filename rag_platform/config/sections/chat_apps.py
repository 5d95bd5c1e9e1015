"""Where people ask beside the page: [slack], [teams] and [mail] of rag.toml."""

from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from rag_platform.config.placeholders import ALONE
from rag_platform.config.sections.section import Section


class SlackSettings(Section):
    """The app of a Slack workspace; without its tokens there is none."""

    bot_token: str | None = Field(None, repr=False, pattern=ALONE)
    """Of the installed app, ``xoxb-…``: ``${secret:NAME}``."""
    app_token: str | None = Field(None, repr=False, pattern=ALONE)
    """For socket mode, ``xapp-…``, with the scope connections:write: ``${secret:NAME}``."""
    url: str = "https://slack.com/api/"
    """Of Slack's Web API; GovSlack has another."""
    collections: tuple[str, ...] = ()
    """All that is searched; none: everything that the asker may read."""
    groups: dict[str, str] = Field({})
    """By the id of a user group (``S0123ABCD``): the principal that its members are."""
    channels: dict[str, tuple[str, ...]] = Field({})
    """By the id of a channel (``C0123ABCD``): the principals whose documents may be answered from there."""

    @field_validator("url")
    @classmethod
    def _ends_with_a_slash(cls, url: str) -> str:
        return url.rstrip("/") + "/"


class TeamsSettings(Section):
    """The bot of Microsoft Teams; without its registration there is none."""

    app_id: str | None = None
    """Of the bot's registration: a GUID."""
    secret: str | None = Field(None, repr=False, pattern=ALONE)
    """Of that registration: ``${secret:NAME}``."""
    tenant: str | None = None
    """Whose people are answered: the GUID of one organisation."""
    user_claim: Literal["upn", "email"] = "upn"
    """What names a person: their user principal name, or the e-mail address of their account."""
    collections: tuple[str, ...] = ()
    """All that is searched; none: everything that the asker may read."""
    groups: dict[str, str] = Field({})
    """By the id of a team (``19:…@thread.tacv2``): the principal that its members are."""
    channels: dict[str, tuple[str, ...]] = Field({})
    """By the id of a channel or a group chat: the principals whose documents may be answered from there."""
    login: str = "https://login.microsoftonline.com"
    """Where the bot signs in; clouds of governments have others."""
    issuer: str = "https://api.botframework.com"
    """Who signs what Teams sends."""
    metadata: str = "https://login.botframework.com/v1/.well-known/openidconfiguration"
    """The discovery document of that issuer, with its keys."""


class MailSettings(Section):
    """The mailbox whose e-mails are answered; without it there is none."""

    imap: str | None = None
    """Where it is: ``imaps://user@host``, or ``imap://`` with STARTTLS."""
    smtp: str | None = None
    """What sends the answers: ``smtp://user@host:587``, or ``smtps://``."""
    password: str | None = Field(None, repr=False, pattern=ALONE)
    """Of that user, in both: ``${secret:NAME}``."""
    address: str | None = Field(None, pattern=r"^[^\s@<>,;]+@[^\s@<>,;]+$")
    """From whom answers come."""
    authenticated_by: str | None = None
    """What the own server calls itself in the header Authentication-Results: only for whom it vouches is answered."""
    domains: tuple[str, ...] = ()
    """All whose senders are answered; none: any domain, as far as [access] lets its people in."""
    folder: str = "INBOX"
    collections: tuple[str, ...] = ()
    """All that is searched; none: everything that the asker may read."""
    per_day: int = Field(50, ge=1)
    """Most answers to one sender within a day."""
    poll_seconds: float = Field(30.0, gt=0)
    """Between two looks."""

    @model_validator(mode="after")
    def _servers(self) -> "MailSettings":
        for given, schemes in ((self.imap, ("imaps", "imap")), (self.smtp, ("smtps", "smtp"))):
            server = urlsplit(given or f"{schemes[0]}://unset")
            if server.scheme not in schemes or not server.hostname or server.password:
                raise ValueError(
                    f"expected '{schemes[0]}://user@host' or '{schemes[1]}://user@host', without a password"
                )
        return self
