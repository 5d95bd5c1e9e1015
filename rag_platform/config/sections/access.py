"""Who may use the page, and what for: [access] of rag.toml."""

from typing import Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from rag_platform.config.sections.section import Section

Role = Literal["reader", "editor", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may."""


class AccessSettings(Section):
    """Who may use the page, and what for."""

    admins: tuple[str, ...] = ()
    """Principals who may do everything: ``user:ilse@example.org``, ``group:data``."""
    editors: tuple[str, ...] = ()
    """Principals who may also change collections, sources and questions, and start syncs."""
    readers: tuple[str, ...] = ("*",)
    """Principals who may search and ask; ``*``: everyone who can sign in."""
    user_claim: str = "email"
    """The claim of the identity provider that names somebody: ``user:`` and its value is their principal."""
    require_email_verified: bool = True
    """Whether an address (`user_claim` "email") needs the claim ``email_verified``; false: it may be absent."""
    groups_claim: str = "groups"
    """The claim with their groups: each is a principal ``group:`` and its name."""
    issuer: str = ""
    """The identity provider whose signed access tokens (JWT) the API takes, as they name it in `iss`; "": none."""
    audience: str = ""
    """What those tokens name in `aud`: this API. It is needed where there is an `issuer`."""
    session_hours: float = Field(12.0, gt=0)
    """After which somebody has to sign in again, or to open another link."""
    local: bool = False
    """Whether any request from this machine is its user's, without a link or a token, where nobody signs in; never
    when more than loopback is listened on or [http] names proxies."""
    local_role: Role = "admin"
    """What the one user of this machine, who opened a link of `rag link`, may do on the page."""
    local_principals: tuple[str, ...] = ()
    """As whom that user reads; none: only what is public."""
    visitors: Literal["reader", "nobody"] = "reader"
    """What those without a link may do, where nobody signs in: read what is public, or nothing."""
    questions_per_minute: int = Field(30, ge=0)
    """Most questions of one person that are answered within a minute; 0: any number."""
    widget_questions_per_minute: int = Field(300, ge=0)
    """Most questions of all visitors of a widget within a minute, with one token and on one site; 0: any number."""
    grid_answers_per_minute: int = Field(300, ge=0)
    """Most answers that are written into the grids of one person within a minute; 0: any number."""
    searches_per_minute: int = Field(600, ge=0)
    """Most searches of one person within a minute, those while typing among them; 0: any number."""

    @model_validator(mode="after")
    def _issuer_is_safe(self) -> "AccessSettings":
        if bool(self.issuer) != bool(self.audience):
            raise ValueError("issuer and audience: expected both or none; tokens for others must not open this API")
        url = urlsplit(self.issuer)
        if self.issuer and url.scheme != "https" and url.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError(f"issuer = {self.issuer!r}: expected an address that begins with https://")
        return self
