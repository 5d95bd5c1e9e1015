"""The readers' options, from the settings of a source."""

import os
from collections.abc import Mapping

from rag_platform.config.settings import Settings
from rag_platform.documents.formats.images.ocr import engines
from rag_platform.documents.options import Options


def reading_options(settings: Settings, source_id: str, environ: Mapping[str, str] | None = None) -> Options:
    """Return the options for a source, with its passwords from the environment."""
    source, documents, vision = settings.source(source_id), settings.documents, settings.vision
    known = os.environ if environ is None else environ
    keys = tuple(name.removeprefix("${").removesuffix("}") for name in source.pdf_passwords)
    return Options(
        language=source.language,
        pages=documents.max_pages,
        ocr="off" if documents.ocr == "off" else engines(),
        ocr_pages=documents.ocr_pages,
        keys=keys,
        passwords=tuple(known.get(key, "") for key in keys),
        archive_files=documents.archive_files,
        archive_bytes=documents.archive_bytes,
        archive_ratio=documents.archive_ratio,
        archive_depth=documents.archive_depth,
        archive_seconds=documents.archive_seconds,
        vision=f"{vision.base_url} {vision.model or ''}" if vision.base_url else "",
        vision_pages=vision.max_pages,
    )
