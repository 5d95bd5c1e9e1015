"""Settings that sources share. Those of one kind stand in that kind's module."""

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator, model_validator

from rag_platform.config.sections.section import Section
from rag_platform.core.principals import PUBLIC
from rag_platform.core.trust import NORMAL, Trust

ID_FORM = r"^[a-z0-9][a-z0-9_-]{0,62}$"
PART_FORM = r"^[1-9]\d{0,3}/[1-9]\d{0,3}$"
LANGUAGE_FORM = r"^[a-z]{2,3}$"
PageText = Literal["auto", "layer", "ocr", "vision"]
"""What the text of a PDF's pages, and of images, is read from: the text layer, and where it is missing or doubtful
recognition and the vision model, as far as there are such; the layer alone; recognition; the vision model."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")

NO_COLLECTION = "default"
"""Of documents that nobody put into a collection."""


class FetchSettings(Section):
    """How pages are fetched. A source may override any of it under `fetch`."""

    user_agent: str = "rag-platform/0.1"
    delay: float = Field(0.5, ge=0)
    """Seconds between two requests to one host; none is needed towards loopback."""
    timeout: float = Field(20.0, gt=0)
    """Seconds for one request."""
    retries: int = Field(2, ge=0, le=10)
    """Further tries after a failure that may pass (connection, 429, 5xx), with growing pauses."""
    max_bytes: int = Field(50_000_000, gt=0)
    max_redirects: int = Field(5, ge=0)
    allow_private: bool = False
    """Allow loopback, private and link-local addresses."""
    robots: bool = True
    """Obey robots.txt."""


class BrowserSettings(Section):
    """The Chromium that reads pages made by scripts, and logs in."""

    executable: Path | None = None
    """None: the first Chromium or Chrome on the PATH."""
    sandbox: bool = True
    """Chromium's own sandbox; root cannot have it."""


class SourceSettings(Section):
    """What every kind of source has."""

    kind: str
    """Its name in `kinds.BUILT_IN` or in another package's entry point."""
    id: str = Field(pattern=ID_FORM)
    paused: bool = False
    """Read only when it is asked for by name: by no schedule, and not when all sources are synced."""
    part: str | None = Field(None, pattern=PART_FORM)
    """Read only what falls into it by the hash of the address: "3/16" is the third of sixteen parts."""
    collection: str = NO_COLLECTION
    principals: tuple[str, ...] = (PUBLIC,)
    """Who may see its documents; "*" is everyone."""
    private: bool = False
    """Its documents are for its `principals` only, which then must not be "*", and its files stay out of git."""
    schedule: str | None = None
    """Five cron fields, in UTC."""
    fresh_within_hours: float | None = Field(None, gt=0)
    """How old the last sync may be before the source counts as late."""
    language: str | None = Field(None, pattern=LANGUAGE_FORM)
    """Language of its documents where it cannot be detected."""
    min_words: int = Field(3, ge=0)
    """A shorter text is kept but not indexed (a script without spaces counts two characters as a word)."""
    comments: bool = False
    """Keep what readers wrote below its pages."""
    plain_http: bool = False
    """Send a password also to an address that begins with ``http://``; without it, only to this machine itself."""
    pdf_passwords: tuple[str, ...] = ()
    """For encrypted PDFs: variables such as "${STATEMENTS_PASSWORD}", never a password itself."""
    page_text: PageText = "auto"
    """What the text of PDFs' pages and of images is read from."""
    page_text_of: dict[str, PageText] = Field({})
    """The same for some of its collections, by their ids."""
    half_life_days: float | None = Field(None, gt=0)
    """Age at which a document's score has halved; None: age does not matter."""
    model: str | None = None
    """The name of a table under [models]; None: the model of [model]."""
    archive_after_days: float | None = Field(None, gt=0)
    """Age from which a document is archived: searched only on demand; None: never. One without a date never is."""
    trust: Trust = NORMAL
    """How far its documents are trusted, beside those of other sources."""
    trust_of: dict[str, Trust] = Field({})
    """The same for some of its collections, by their ids: for a person's uploads, say."""
    review: Literal["new", "never"] | None = None
    """Hold new documents until somebody accepts them; None: if they are "untrusted"."""

    @field_validator("part")
    @classmethod
    def _one_of_the_parts(cls, part: str | None) -> str | None:
        if part and int(part.split("/")[0]) > int(part.split("/")[1]):
            raise ValueError(f"{part!r}: expected the number of one of the parts, such as '3/16'")
        return part

    @field_validator("pdf_passwords")
    @classmethod
    def _no_password_in_the_file(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if not all(_VARIABLE.fullmatch(name) for name in given):
            raise ValueError("expected names of environment variables, such as '${STATEMENTS_PASSWORD}'")
        return given

    @model_validator(mode="after")
    def _private_is_for_somebody(self) -> "SourceSettings":
        if self.private and PUBLIC in self.principals:
            raise ValueError(
                'private = true and principals = ["*"], which is everyone; name who may see it, as in '
                "principals = ['group:desk']"
            )
        return self

    @field_validator("schedule")
    @classmethod
    def _five_cron_fields(cls, schedule: str | None) -> str | None:
        if schedule is not None and len(schedule.split()) != 5:
            raise ValueError("expected five cron fields, such as '0 6 * * *' for 06:00 every day")
        return schedule
