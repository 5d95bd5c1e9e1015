"""The kinds of source: which there are, what may be set for each, and how one is opened.

A kind is one module that ends with ``KIND = Kind(ItsSettings, opener)``. Another package adds one by an entry point of
the group ``rag_platform.sources`` whose name is the kind (docs/sources.md has a worked example).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from rag_platform.config.plain_passwords import check_encryption
from rag_platform.config.secrets import Secrets
from rag_platform.config.sections.sources import BrowserSettings, SourceSettings
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.ports import Last, Source, nothing, nothing_below

GROUP = "rag_platform.sources"
BUILT_IN = {
    name: EntryPoint(name, f"rag_platform.sources.{module}:KIND", GROUP)
    for name, module in {
        "folder": "files.folder",
        "feed": "web.feed_settings",
        "web": "web.website_settings",
        "portal": "portals.portal_settings",
        "sql": "databases.sql_settings",
        "objects": "files.objects",
        "upload": "uploads.source",
        "dlt": "bridges.dlt_settings",
        "llamahub": "bridges.llamahub_settings",
        "git": "repositories.git",
        "imap": "mailboxes.imap",
        "webdav": "webdav.webdav_settings",
        "mediawiki": "wikis.mediawiki_settings",
        "store": "stores.settings",
    }.items()
}
CACHES = "caches"
"""The folder below data/ that has a folder for each source, with what the source can have again."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a source may need besides its settings."""

    home: Path
    """The workspace's folder: relative paths start here."""
    last: Callable[[str], Last | None] = nothing
    """What the last good fetch of an address brought."""
    has_below: Callable[[str], bool] = nothing_below
    """Whether the last sync left anything whose address begins so."""
    secrets: Secrets | None = None
    """What ``${secret:NAME}`` in the settings stands for."""
    sessions: Secrets | None = None
    """Where a source keeps its session between two syncs, encrypted."""
    cache: Path | None = None
    """A folder of its own for what it can have again, such as a clone; None: nothing is kept."""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What ``${NAME}`` in the settings stands for."""
    browser: BrowserSettings = field(default_factory=BrowserSettings)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source."""

    settings: type[SourceSettings]
    """What may be set, with a field ``kind: Literal["its name"]``."""
    open: Callable[..., Source]
    """Given the settings and a `Context`, returns the source; nothing is read yet."""
    watched: bool = False
    """Listing it costs little, so Dagster may look every half minute and start a sync when something changed."""
    example: str = ""
    """A ``[[sources]]`` table to begin with."""
    extras: tuple[str, ...] = ()
    """Of this platform, that it needs or that some of what it reads needs."""


def opened_by(place: str) -> Callable[[Any, Context], Source]:
    """Return what opens a source by ``module:name``, imported only then: reading settings loads no libraries of it."""

    def opening(settings: SourceSettings, context: Context) -> Source:
        source: Source = EntryPoint("", place, GROUP).load()(settings, context)
        return source

    return opening


@cache
def kind_of(name: str) -> Kind:
    """Return the kind of that name; ValueError when there is none, or when its package cannot be loaded."""
    found = BUILT_IN if name in BUILT_IN else _known()  # which reads what each installed package tells
    if name not in found:
        hint = f"; {near}" if (near := did_you_mean(name, found)) else ""
        raise ValueError(f"there is no kind of source {name!r}; expected one of {', '.join(sorted(found))}{hint}")
    try:
        kind = found[name].load()
    except Exception as error:  # another's package may fail in any way; the settings' error names the source
        raise ValueError(f"the kind {name!r} ({found[name].value}) cannot be loaded: {error}") from error
    if not isinstance(kind, Kind):
        raise ValueError(f"{found[name].value} is no rag_platform.config.source_kinds.Kind but {type(kind).__name__}")
    return kind


def open_source(settings: SourceSettings, context: Context) -> Source:
    """Open a source; nothing is read yet.

    Raises:
        SettingsError: It would send a password unencrypted.
    """
    check_encryption(settings)
    return kind_of(settings.kind).open(settings, context)


def kind_names() -> list[str]:
    """Name all kinds that there are: those of this platform, then those of other packages."""
    return list(_known())


def _known() -> dict[str, EntryPoint]:
    return BUILT_IN | {point.name: point for point in entry_points(group=GROUP) if point.name not in BUILT_IN}


def settings_of(given: object) -> SourceSettings:
    """Read one table of ``[[sources]]`` as its kind wants it."""
    if isinstance(given, SourceSettings):
        return given
    if not isinstance(given, dict) or not isinstance(given.get("kind"), str):
        raise ValueError("expected a table with a key `kind`, such as kind = 'folder'")
    return kind_of(given["kind"]).settings.model_validate(given)
