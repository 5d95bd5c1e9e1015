"""What a Sakai course portal is made of, and the addresses of each part."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rag_platform.core.urls import canonical


@dataclass(frozen=True, slots=True)
class Subject:
    """A site of Sakai: a course, mostly."""

    root: str
    id: str
    title: str

    @property
    def url(self) -> str:
        """Where people see it."""
        return f"{self.root}/portal/site/{quote(self.id, safe='~')}"

    @property
    def content(self) -> list[str]:
        """What the addresses of its files begin with, in each spelling that a server may choose."""
        host = self.root.partition("://")[2]
        places = [
            f"{scheme}://{host}/access/content/{place}/"
            for scheme in ("https", "http")
            for place in ("group", "attachment")
        ]
        return [
            spelt
            for place in places
            for spelt in {f"{place}{quote(self.id, safe='')}/", canonical(f"{place}{self.id}/")}
        ]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of a subject."""

    subject: Subject
    id: str
    name: str
    """Sakai's own, such as ``sakai.announcements``."""
    title: str
    kind: str = "page"
    is_guide: bool = False
    """By its title, its pages are the teaching guide."""

    @property
    def url(self) -> str:
        """Where people see it."""
        return f"{self.subject.url}/tool/{self.id}"

    @property
    def places(self) -> list[str]:
        """What the addresses of its entries, pages and files begin with."""
        return [self.url, f"{self.subject.root}/portal/tool/{self.id}", *self.subject.content]

    def uri(self, kind: str, entry: Any) -> str:
        """Return the address of one of its entries."""
        return f"{self.url}#{kind}-{quote(str(entry), safe='')}"
