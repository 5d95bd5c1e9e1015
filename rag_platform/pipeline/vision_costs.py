"""What models of others would cost, told before a sync: pages shown to one, recordings written down by another."""

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

import polars as pl

from rag_platform.documents.conversion_keys import is_as_read
from rag_platform.documents.file_names import suffix_of
from rag_platform.documents.formats.speech.recording import SUFFIXES
from rag_platform.documents.options import Options
from rag_platform.documents.raw_reader import options_of, stage_key
from rag_platform.documents.reader_options import reading_limits, reading_options
from rag_platform.workspace import Workspace

_SHOWN = ("pdf", "image")
"""Formats whose pages can be shown."""
_MANY = frozenset((".pdf", ".tif", ".tiff"))
_ONE = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"))


def pages_to_show(workspace: Workspace, source_id: str, pending: Collection[str]) -> int:
    """Return how many pages a sync would show to the vision model at most, those in new archives not counted.

    Args:
        workspace: Has the source's tables.
        source_id: The source.
        pending: Uris of what would be fetched.
    """
    settings = workspace.settings
    options, limits, source = reading_options(settings, source_id), reading_limits(settings), settings.source(source_id)
    if not options.vision:
        return 0
    known = _pages(workspace.store.read("documents", source_id), options.vision_pages)
    count, seen = 0, set()
    there = workspace.store.read("raw", source_id).filter(pl.col("sha256").is_not_null())
    for entry in there.iter_rows(named=True):
        seen.add(entry["uri"])
        wanted = options_of(entry, source, options)
        key, pages = known.get(entry["uri"], ("", _most(entry["uri"], options)))
        if wanted.shows_pages and (
            entry["uri"] in pending or not is_as_read(key, stage_key(entry, source, options, limits), options)
        ):
            count += pages
    return count + sum(_most(uri, options) for uri in pending if uri not in seen and options.shows_pages)


def recordings_to_send(workspace: Workspace, source_id: str, pending: Collection[str]) -> int:
    """Return how many recordings a sync would have written down at most, those in new archives not counted.

    Args:
        workspace: Has the source's tables.
        source_id: The source.
        pending: Uris of what would be fetched.
    """
    settings = workspace.settings
    options, limits, source = reading_options(settings, source_id), reading_limits(settings), settings.source(source_id)
    if not options.transcription:
        return 0
    documents = workspace.store.read("documents", source_id).filter(pl.col("format") == "recording")
    known = {uri: key for uri, key, _, _ in _rows(documents)}
    there = workspace.store.read("raw", source_id).filter(pl.col("uri").is_in(list(known)))
    again = {
        entry["uri"]
        for entry in there.iter_rows(named=True)
        if not is_as_read(known[entry["uri"]], stage_key(entry, source, options, limits), options)
    }
    return len(again | {uri for uri in pending if uri in known or suffix_of(uri) in SUFFIXES})


def _pages(documents: pl.DataFrame, most: int) -> dict[str, tuple[str, int]]:
    """Return the stage key of each raw row that was read, and how many of its pages could be shown."""
    found: dict[str, tuple[str, int]] = {}
    for uri, key, kind, pages in _rows(documents):
        shown = min(max(pages, 1), most) if kind in _SHOWN else 0
        found[uri] = (key, found.get(uri, (key, 0))[1] + shown)
    return found


def _rows(documents: pl.DataFrame) -> Iterator[tuple[str, str, str, int]]:
    columns = ("raw_uri", "stage_key", "format", pl.col("pages").list.len())
    yield from documents.select(*columns).iter_rows()


def _most(uri: str, options: Options) -> int:
    """Return how many pages a file can have that is known by its name alone."""
    suffix = PurePosixPath(uri.split("?", 1)[0]).suffix.lower()
    return options.vision_pages if suffix in _MANY else int(suffix in _ONE)
