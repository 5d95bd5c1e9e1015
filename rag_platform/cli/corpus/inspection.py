"""`rag extract` and `rag chunk`: the output of one stage for one file."""

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.text import Text

from rag_platform.chunks import Chunker, layout
from rag_platform.cli.console import JsonOption, err, out, print_json, workspace
from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Part
from rag_platform.documents.formats.images.ocr import engines
from rag_platform.documents.options import Options
from rag_platform.documents.sandbox.pool import SANDBOX
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.text.language import detect_language


def extract(
    what: Annotated[str, typer.Argument(metavar="FILE|URL", help="A file, or an http(s) address.")],
    kind: Annotated[
        str | None, typer.Option("--type", metavar="T", help="Read it as this type, whatever its name.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the extracted text and the metadata of a file or page."""
    document, members = _read(what, kind)
    if as_json:
        print_json(_document(document) | ({"members": [_member(part) for part in members]} if members else {}))
        return
    out.print(Text(document.text), soft_wrap=True)
    for flag in document.flags:
        err.print(Text(f"note: {flag}", style="yellow"), soft_wrap=True)
    for loss in document.losses:
        err.print(Text(f"not kept: {loss.count} {loss.what}", style="yellow"), soft_wrap=True)
    for part in members:
        out.print(Text(f"\n{part.path}", style="bold cyan"), soft_wrap=True)
        out.print(Text(part.read.text if part.read else part.reason or ""), soft_wrap=True)


def chunk(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file.")],
    size: Annotated[int | None, typer.Option(min=16, help="The largest chunk, in the settings' unit.")] = None,
    overlap: Annotated[int | None, typer.Option(min=0, help="Overlap of neighbours, in the same unit.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a file is cut into chunks; each is a span of its extracted text."""
    opened = workspace()
    settings = opened.settings.chunks
    extracted, _ = _read(file, None)
    size = settings.size if size is None else size
    embedder = opened.embedder
    if not embedder.card.reads(language := detect_language(extracted.text, extracted.language)):
        embedder = opened.embedders.multilingual(language) or embedder
    chunker = Chunker(
        embedder.tokenizer,
        size=size,
        overlap=min(settings.overlap, size // 2) if overlap is None else overlap,
        limit=embedder.limit,
        unit=settings.unit,
    )
    pieces = chunker.split(
        extracted.text,
        title=extracted.title or "",
        pages=extracted.pages,
        language=detect_language(extracted.text, extracted.language),
        **layout(extracted.type),
    )
    if as_json:
        print_json(
            [
                {
                    "start": piece.start,
                    "end": piece.end,
                    "text": piece.text,
                    "section": piece.section,
                    "tokens": piece.tokens,
                }
                for piece in pieces
            ]
        )
        return
    for number, piece in enumerate(pieces, 1):
        heading = f"{number}. [{piece.start}:{piece.end}] {piece.tokens} tokens  {piece.section}"
        out.print(Text(heading, style="bold cyan"), soft_wrap=True)
        out.print(Text(piece.text), soft_wrap=True)


def _read(what: str, kind: str | None) -> tuple[Extracted, list[Part]]:
    """Read a file or page, and the documents within it."""
    if urlsplit(what).scheme in ("http", "https"):
        # The person at the terminal names the address, so a private one is meant.
        settings = workspace().settings.fetch.model_copy(update={"allow_private": True})
        fetched = Fetcher(settings).get(what)
        content, content_type = fetched.content, fetched.content_type
    else:
        content, content_type = _file(Path(what)), None
    *members, whole = SANDBOX.read(
        content, uri=what, content_type=content_type, type=kind, options=Options(ocr=engines())
    )
    if whole.read is None:
        reason = whole.reason or "it could not be read"
        raise ExtractionError(f"{what}: {reason.removeprefix(f'{what}: ')}")
    return whole.read, members


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}; expected a readable file or an http(s) address") from error


def _document(document: Extracted) -> dict[str, Any]:
    return {
        "title": document.title,
        "author": document.author,
        "published_at": document.published_at,
        "lang": document.language,
        "text": document.text,
        "pages": len(document.pages) or None,
        "warnings": list(document.flags),
        "losses": {loss.what: loss.count for loss in document.losses},
    }


def _member(part: Part) -> dict[str, Any]:
    if part.read is None:
        return {"path": part.path, "reason": part.reason}
    return _document(part.read) | {"path": part.path}
