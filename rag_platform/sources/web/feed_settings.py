"""What may be set for feeds."""

from typing import Literal

from pydantic import Field

from rag_platform.config.sections.sources import FetchSettings, SourceSettings
from rag_platform.config.source_kinds import Kind, opened_by

MOST_ENTRIES = 10_000
"""Of one feed; reading so many takes some five seconds."""


class FeedSource(SourceSettings):
    """RSS, Atom or RDF feeds, with the pages of their articles."""

    kind: Literal["feed"]
    urls: tuple[str, ...] = Field(min_length=1)
    articles: bool = True
    """Fetch each entry's page; without, or when that fails, the feed's own text is used."""
    max_age_days: float | None = Field(None, gt=0)
    """Entries published earlier are not read."""
    max_entries: int = Field(MOST_ENTRIES, gt=0)
    """A feed with more entries is not read."""
    fetch: FetchSettings = FetchSettings()


EXAMPLE = """
[[sources]]
id = "news"
kind = "feed"
urls = ["https://example.org/feed.xml"]
schedule = "*/15 * * * *"
half_life_days = 30
"""
KIND = Kind(FeedSource, opened_by("rag_platform.sources.web.feed:opened"), example=EXAMPLE)
