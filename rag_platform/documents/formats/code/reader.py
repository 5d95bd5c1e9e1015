"""Source code -> Markdown with a heading for each definition, so that chunks are cut at definitions and named by them.

Python is read with its own parser, other languages with tree-sitter's grammars, any other by how its lines begin.
"""

from collections.abc import Sequence
from dataclasses import replace

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.file_names import name_in_folder, suffix_of
from rag_platform.documents.formats.code.definitions import Definition, find_definitions
from rag_platform.documents.formats.code.languages import LANGUAGES
from rag_platform.documents.formats.markdown_writer import code, heading, join
from rag_platform.documents.formats.plain_text import decode, newlines

_CLOSERS = frozenset("{}()[];, \t\n") | frozenset("end")
_DEEPEST = 6


def read_code(content: bytes, *, uri: str = "") -> Extracted:
    """Read a program; its title is its file's name below the folder that it is in.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content)
    text = newlines(text.removeprefix("\ufeff")).expandtabs(4)
    language = LANGUAGES.get(suffix_of(uri), "")
    title = name_in_folder(uri)
    lines = text.split("\n")
    module = Definition(title, 0, len(lines), tuple(find_definitions(text, language)))
    shown = join(_blocks(lines, module, 1, language))
    return Extracted(text=shown, type="code", title=title, flags=flags)


def _blocks(lines: Sequence[str], definition: Definition, level: int, language: str) -> list[str]:
    """Return a definition's heading and code, those within it below; code between these is headed by it again."""
    inner = definition.inner if level < _DEEPEST else ()
    head = heading(level, f"`{definition.name}`")  # as code: underscores are no emphasis
    starts = [*(one.start for one in inner), definition.end]
    blocks = [head, code("\n".join(lines[definition.start : starts[0]]), language)]
    for one, after in zip(inner, starts[1:], strict=True):
        rest = "\n".join(lines[one.end : after])
        closed = set(rest) <= _CLOSERS  # braces that close what is around it
        blocks += _blocks(lines, replace(one, end=after) if closed else one, level + 1, language)
        blocks += [] if closed else [head, code(rest, language)]
    return blocks
