"""What may be set for pages of the web."""

from typing import Literal

from pydantic import Field, model_validator

from rag_platform.config.sections.sources import FetchSettings, SourceSettings
from rag_platform.config.source_kinds import Kind, opened_by


class WebSource(SourceSettings):
    """Pages: a list of urls, a sitemap, a crawl, or several of them."""

    kind: Literal["web"]
    urls: tuple[str, ...] = ()
    sitemap: str | None = None
    crawl: tuple[str, ...] = ()
    """Pages whose links are followed."""
    depth: int = Field(5, ge=0, le=100)
    """Links to follow one after the other, at most."""
    within: tuple[str, ...] = ()
    """Beginnings of the addresses that a crawl may visit; none: the folder of each page where it starts."""
    include: tuple[str, ...] = ()
    """Glob patterns that the urls of a sitemap or a crawl must match to be read; none: all."""
    exclude: tuple[str, ...] = ()
    limit: int = Field(10_000, gt=0)
    """Most pages read from a sitemap, and visited by a crawl."""
    javascript: bool = False
    """Open the pages in a headless Chromium, for those that scripts make."""
    wait_for: str | None = None
    """With `javascript`: a CSS selector of what must appear on a page; None: until the page is quiet."""
    fetch: FetchSettings = FetchSettings()

    @model_validator(mode="after")
    def _something_to_read(self) -> "WebSource":
        if not (self.urls or self.sitemap or self.crawl):
            raise ValueError("expected `urls`, `sitemap` or `crawl`, or several of them")
        return self


EXAMPLE = """
[[sources]]
id = "site"
kind = "web"
crawl = ["https://example.org/docs/"]
limit = 500
"""
KIND = Kind(WebSource, opened_by("rag_platform.sources.web.website:opened"), example=EXAMPLE)
