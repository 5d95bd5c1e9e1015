"""What may be set for files of a WebDAV server."""

from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from rag_platform.config.placeholders import ALONE
from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.core.urls import is_web
from rag_platform.sources.files.file_selection import Selection
from rag_platform.sources.webdav.shares import is_of_nextcloud


class WebDavSource(Selection):
    """Files below an address."""

    kind: Literal["webdav"]
    url: str
    """The folder, such as ``https://cloud.example.org/remote.php/dav/files/ada/Desk``."""
    user: str | None = None
    password: str | None = Field(None, pattern=ALONE)
    """``${secret:NAME}`` or ``${NAME}``."""
    uri: str | None = None
    """Template of a file's address: {path}, or {id}, which is the server's own; None: where it is on the server."""
    readers: Literal["source", "shares"] = "source"
    """Who may read: the source's `principals`, or those with whom Nextcloud says that a file is shared."""
    fetch: FetchSettings = FetchSettings()

    @field_validator("url")
    @classmethod
    def _an_address(cls, url: str) -> str:
        if not is_web(url) or "@" in urlsplit(url).netloc:
            raise ValueError("expected https://… without a password; `user` and `password` are keys of their own")
        return url.rstrip("/")

    @field_validator("uri")
    @classmethod
    def _one_place(cls, uri: str | None) -> str | None:
        if uri is not None and "{path}" not in uri and "{id}" not in uri:
            raise ValueError("expected {path} or {id} in it, such as https://cloud.example.org/f/{id}")
        return uri

    @model_validator(mode="after")
    def _somebodys_files(self) -> Self:
        if self.readers == "shares" and (self.user is None or not is_of_nextcloud(self.url)):
            raise ValueError(
                f'readers = "shares" with url {self.url!r} and {"a" if self.user else "no"} `user`: expected a user '
                "and their files on a Nextcloud, such as https://cloud.example.org/remote.php/dav/files/ada"
            )
        return self


EXAMPLE = """
[[sources]]
id = "desk"
kind = "webdav"
url = "https://cloud.example.org/remote.php/dav/files/reader/Desk"
user = "reader"
password = "${secret:cloud}"
"""
KIND = Kind(WebDavSource, opened_by("rag_platform.sources.webdav.webdav_files:WebDav"), example=EXAMPLE)
