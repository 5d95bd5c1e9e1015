"""`rag extract` and `rag chunk`: what a stage makes of one file."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.text import Text

from rag_platform.chunks import MARKDOWN, Chunker
from rag_platform.cli.console import AsJson, out, print_json, workspace
from rag_platform.documents.extraction import Extracted
from rag_platform.documents.extraction import extract as extract_bytes
from rag_platform.errors import ExtractionError
from rag_platform.sources.http import Fetcher


def extract(
    what: Annotated[str, typer.Argument(metavar="FILE|URL", help="A file, or an http(s) address.")],
    kind: Annotated[
        str | None, typer.Option("--type", metavar="T", help="Read it as this type, whatever it is called.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the clean text of a file or page, and what is known of it."""
    extracted = _read(what, kind)
    if not as_json:
        out.print(Text(extracted.text), soft_wrap=True)
        return
    print_json(
        {
            "title": extracted.title,
            "author": extracted.author,
            "published_at": extracted.published_at,
            "lang": extracted.language,
            "text": extracted.text,
            "pages": len(extracted.pages) or None,
            "warnings": list(extracted.flags),
        }
    )


def chunk(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file.")],
    size: Annotated[int | None, typer.Option(min=16, help="Word pieces in a chunk.")] = None,
    overlap: Annotated[int | None, typer.Option(min=0, help="Word pieces shared by neighbours.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show how a file is cut into chunks; each is a span of its extracted text."""
    opened = workspace()
    chosen = opened.settings.chunks
    extracted = _read(file, None)
    size = chosen.size if size is None else size
    chunker = Chunker(
        opened.embedder.tokenizer,
        size=size,
        overlap=min(chosen.overlap, size // 2) if overlap is None else overlap,
        limit=opened.embedder.max_tokens,
    )
    title, headings = extracted.title or "", extracted.type in MARKDOWN
    pieces = chunker.split(extracted.text, title=title, pages=extracted.pages, headings=headings)
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


def _read(what: str, kind: str | None) -> Extracted:
    if urlsplit(what).scheme in ("http", "https"):
        # The person at the terminal names the address, so a private one is meant.
        settings = workspace().settings.fetch.model_copy(update={"allow_private": True})
        fetched = Fetcher(settings).get(what)
        return extract_bytes(fetched.content, uri=what, content_type=fetched.content_type, type=kind)
    path = Path(what)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ExtractionError(f"{what}: {error.strerror}; expected a readable file or an http(s) address") from error
    return extract_bytes(content, uri=path.as_posix(), type=kind)
