"""The readers' options and limits, from the settings."""

import os
from collections.abc import Mapping
from datetime import timedelta

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.settings import Settings
from rag_platform.documents.formats.converters.registry import installed
from rag_platform.documents.formats.images.ocr import engines
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.retries import Retries


def reading_options(settings: Settings, source_id: str, environ: Mapping[str, str] | None = None) -> Options:
    """Return the options for a source, with its passwords from the environment."""
    return options_for(settings, settings.source(source_id), environ)


def options_for(settings: Settings, source: SourceSettings, environ: Mapping[str, str] | None = None) -> Options:
    """Return the same for what need not be in rag.toml."""
    documents, vision = settings.documents, settings.vision
    speech = settings.transcription
    known = os.environ if environ is None else environ
    keys = tuple(name.removeprefix("${").removesuffix("}") for name in source.pdf_passwords)
    return Options(
        language=source.language,
        comments=source.comments,
        page_text=source.page_text,
        pages=documents.max_pages,
        ocr="off" if documents.ocr == "off" else engines(),
        ocr_pages=documents.ocr_pages,
        converter="off" if documents.converter == "off" else installed(),
        keys=keys,
        passwords=tuple(known.get(key, "") for key in keys),
        archive_files=documents.archive_files,
        archive_bytes=documents.archive_bytes,
        archive_ratio=documents.archive_ratio,
        archive_depth=documents.archive_depth,
        archive_seconds=documents.archive_seconds,
        vision=f"{vision.base_url} {vision.model or ''}" if vision.base_url else "",
        vision_pages=vision.max_pages,
        transcription=f"{speech.base_url} {speech.model or ''}" if speech.base_url else "",
    )


def reading_limits(settings: Settings) -> Limits:
    """Return what one raw file may take."""
    documents = settings.documents
    return Limits(
        seconds=documents.time_limit,
        idle_seconds=documents.idle_limit,
        memory=documents.memory_limit << 20,
        characters=documents.text_limit,
        confined=documents.protection == "required",
    )


def retries(settings: Settings) -> Retries:
    """Return when what was stopped is read again."""
    return Retries(settings.documents.attempts, timedelta(minutes=settings.documents.retry_minutes))
