"""`rag extract` and `rag chunk`: what a stage makes of one file."""

from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.text import Text

from rag_platform.chunks import Chunker, layout
from rag_platform.cli.console import AsJson, err, out, print_json, workspace
from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Part
from rag_platform.documents.formats.images.ocr import engines
from rag_platform.documents.options import Options
from rag_platform.documents.sandbox.pool import SANDBOX
from rag_platform.sources.http.fetcher import Fetcher


def extract(
    what: Annotated[str, typer.Argument(metavar="FILE|URL", help="A file, or an http(s) address.")],
    kind: Annotated[
        str | None, typer.Option("--type", metavar="T", help="Read it as this type, whatever it is called.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the clean text of a file or page, and what is known of it."""
    whole, *members = _read(what, kind)
    if as_json:
        print_json(_document(whole) | ({"members": [_document(part) for part in members]} if members else {}))
        return
    out.print(Text(whole.read.text), soft_wrap=True)
    for flag in whole.read.flags:
        err.print(Text(f"note: {flag}", style="yellow"), soft_wrap=True)
    for part in members:
        out.print(Text(f"\n{part.path}", style="bold cyan"), soft_wrap=True)
        out.print(Text(part.read.text if part.read else part.reason or ""), soft_wrap=True)


def chunk(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file.")],
    size: Annotated[int | None, typer.Option(min=16, help="The largest chunk, in the settings' unit.")] = None,
    overlap: Annotated[int | None, typer.Option(min=0, help="What neighbours share, in the same unit.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show how a file is cut into chunks; each is a span of its extracted text."""
    opened = workspace()
    chosen = opened.settings.chunks
    extracted = _read(file, None)[0].read
    size = chosen.size if size is None else size
    chunker = Chunker(
        opened.embedder.tokenizer,
        size=size,
        overlap=min(chosen.overlap, size // 2) if overlap is None else overlap,
        limit=opened.embedder.limit,
        unit=chosen.unit,
    )
    pieces = chunker.split(extracted.text, title=extracted.title or "", pages=extracted.pages, **layout(extracted.type))
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


def _read(what: str, kind: str | None) -> list[Part]:
    """Read all documents of a file or page, itself first."""
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
        raise ExtractionError(f"{what}: {whole.reason.removeprefix(f'{what}: ')}")
    return [whole, *members]


def _file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}; expected a readable file or an http(s) address") from error


def _document(part: Part) -> dict[str, Any]:
    read = part.read
    if read is None:
        return {"path": part.path, "reason": part.reason}
    return {
        "title": read.title,
        "author": read.author,
        "published_at": read.published_at,
        "lang": read.language,
        "text": read.text,
        "pages": len(read.pages) or None,
        "warnings": list(read.flags),
    } | ({"path": part.path} if part.path else {})
