"""What may be set for a portal."""

from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from rag_platform.config.placeholders import PLACEHOLDER
from rag_platform.config.sections.sources import FetchSettings, SourceSettings
from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.core.urls import canonical, is_web

Tool = Literal["announcement", "lesson", "resource", "assignment", "quiz", "guide", "calendar", "page"]
TOOLS: tuple[Tool, ...] = ("announcement", "resource", "lesson", "assignment", "quiz", "guide", "calendar", "page")


class PortalSource(SourceSettings):
    """A site behind a login."""

    kind: Literal["portal"]
    url: str
    """Where the portal is."""
    profile: Literal["generic", "sakai"] = "generic"
    user: str | None = None
    """Who logs in; None: only imported cookies are used."""
    password: str | None = Field(None, repr=False)
    """``${secret:NAME}``, or ``${NAME}`` for a variable: the password itself is never in the file."""
    login_url: str | None = None
    user_field: str | None = None
    """CSS selectors, where the fields of the login page are not found by themselves."""
    password_field: str | None = None
    submit_button: str | None = None
    logged_in: str | None = None
    """Text of a page that only somebody who is logged in sees."""
    start: tuple[str, ...] = ()
    """generic: pages to begin with; none: `url`."""
    depth: int = Field(2, ge=0, le=10)
    """generic: how many links away from them pages are read."""
    include: tuple[str, ...] = ()
    """Glob patterns: of addresses (generic), of titles or ids of subjects (sakai)."""
    exclude: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = TOOLS
    """sakai: what is read of each subject."""
    javascript: bool = False
    """generic: pages are made by scripts, so the browser reads them."""
    limit: int = Field(2000, gt=0)
    """Most pages and files in all."""
    fetch: FetchSettings = FetchSettings()

    @model_validator(mode="after")
    def _address_and_password(self) -> "PortalSource":
        if not is_web(self.url):
            raise ValueError("expected url = 'https://…'")
        if (self.user is None) != (self.password is None):
            raise ValueError("expected `user` and `password` together, or neither with imported cookies")
        if self.password is not None and not PLACEHOLDER.fullmatch(self.password):
            raise ValueError("a password never stands in the file: expected password = '${secret:NAME}'")
        return self

    @property
    def root(self) -> str:
        """Scheme and host of the portal."""
        parts = urlsplit(canonical(self.url))
        return f"{parts.scheme}://{parts.netloc}"


EXAMPLE = """
[[sources]]
id = "courses"
kind = "portal"
url = "https://portal.example.edu"
user = "${secret:portal-user}"
password = "${secret:portal-password}"
"""
KIND = Kind(PortalSource, opened_by("rag_platform.sources.portals.source:Portal"), example=EXAMPLE, extras=("browser",))
