"""What may be set for a MediaWiki."""

from typing import Literal

from pydantic import Field, field_validator, model_validator

from rag_platform.config.placeholders import ALONE
from rag_platform.config.sections.sources import FetchSettings, SourceSettings
from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.core.urls import is_web


class MediaWikiSource(SourceSettings):
    """Pages of a wiki."""

    kind: Literal["mediawiki"]
    api: str
    """Address of the wiki's api.php."""
    user: str | None = None
    password: str | None = Field(None, pattern=ALONE)
    """``${secret:NAME}`` or ``${NAME}``; best of all that of a bot (Special:BotPasswords)."""
    namespaces: tuple[int, ...] = (0,)
    """By their numbers; 0 holds the articles."""
    talk: bool = False
    """Read the talk pages of these namespaces too."""
    files: bool = False
    """Read the files that were uploaded."""
    include: tuple[str, ...] = ("**/*",)
    """Glob patterns of titles; "/" stands before a subpage."""
    exclude: tuple[str, ...] = ()
    fetch: FetchSettings = FetchSettings()

    @field_validator("api")
    @classmethod
    def _an_address(cls, api: str) -> str:
        if not is_web(api) or "?" in api:
            raise ValueError("expected the address of a wiki's api.php, such as https://wiki.example.org/w/api.php")
        return api

    @model_validator(mode="after")
    def _both_or_none(self) -> "MediaWikiSource":
        if (self.user is None) != (self.password is None):
            raise ValueError("expected both `user` and `password`, or neither")
        return self


EXAMPLE = """
[[sources]]
id = "wiki"
kind = "mediawiki"
api = "https://wiki.example.org/w/api.php"
"""
KIND = Kind(MediaWikiSource, opened_by("rag_platform.sources.wikis.mediawiki:MediaWiki"), example=EXAMPLE)
