"""LaTeX -> Markdown: sections, lists, tables and code; formulas stay as they are written."""

import re
from dataclasses import dataclass

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

from rag_platform.documents.extracted import Extracted
from rag_platform.documents.formats.markdown_writer import code, heading, join, table
from rag_platform.documents.formats.markup.left_out import left_out
from rag_platform.documents.formats.metadata import document_metadata
from rag_platform.documents.formats.plain_text import decode, newlines

_LEVELS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_SECTION = re.compile(rf"\\({'|'.join(_LEVELS)})\*?(?:\[[^\]]*\])?\s*(?=\{{)")
_VERBATIM = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|minted|Verbatim)\}(?:\[[^\]]*\]|\{[^}]*\})*\n?(.*?)\\end\{\1\}", re.DOTALL
)
_TABULAR = re.compile(r"\\begin\{(tabular\*?|tabularx|longtable|tabulary)\}(.*?)\\end\{\1\}", re.DOTALL)
_MATH = re.compile(
    r"\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math)(\*?)\}(.*?)\\end\{\1\2\}"
    r"|\\\[(.*?)\\\]|\$\$(.*?)\$\$",
    re.DOTALL,
)
_INLINE = re.compile(r"(?<!\\)\$[^$\n]*(?:\n[^$\n]+)*\$|\\\(.*?\\\)", re.DOTALL)
_LIST = re.compile(r"\\(begin|end)\{(itemize|enumerate|description)\}(?:\[[^\]]*\])?|\\item\s*(?:\[([^\]]*)\])?\s*")
_IGNORED = re.compile(
    r"\\(?:label|bibliography|bibliographystyle|includegraphics|vspace|hspace|input|include|usepackage|index|nocite"
    r"|setcounter|addtocounter|graphicspath|pagestyle|thispagestyle)\*?(?:\[[^\]]*\])?\{[^{}]*\}"
    r"|\\(?:centering|maketitle|tableofcontents|newpage|clearpage|noindent|hline|toprule|midrule|bottomrule)\b"
)
_CITE = re.compile(r"~?\\(?:cite\w*|ref|eqref|autoref|cref|Cref)\*?(?:\[[^\]]*\])*\{([^{}]*)\}")
_DEEPEST = 8
"""Lists within each other that are indented."""
_FINISHED = re.compile("\ue000(\\d+)\ue001")


def read_latex(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read LaTeX; its own macros are not expanded.

    Raises:
        ExtractionError: The bytes are no text.
    """
    source, flags = decode(content, charset)
    finished: list[str] = []
    source = newlines(source)
    source = _VERBATIM.sub(lambda found: _finish(finished, f"\n\n{code(found[2])}\n\n"), source)
    source = _COMMENT.sub("", source)
    whole = _BODY.search(source)
    head, body = (source[: whole.start()], whole[1]) if whole else ("", source)
    stated = {name: _words(_argument(head + body, name)) for name in ("title", "author", "date")}
    for name in stated:
        body = body.replace(f"\\{name}{{{_argument(body, name)}}}", "") if f"\\{name}{{" in body else body
    text = _FINISHED.sub(lambda found: finished[int(found[1])], _body(body, finished))
    title = heading(1, stated["title"])
    return Extracted(
        text=join([title, text]),
        type="latex",
        flags=flags,
        losses=left_out(source, "latex"),
        **document_metadata(stated["title"], stated["author"], stated["date"]),
    )


def _body(body: str, finished: list[str]) -> str:
    body = _MATH.sub(
        lambda found: _finish(finished, f"\n\n$${(found[3] or found[4] or found[5] or '').strip()}$$\n\n"), body
    )
    body = _INLINE.sub(lambda found: _finish(finished, found[0]), body)
    body = _TABULAR.sub(lambda found: _finish(finished, f"\n\n{_table(found[2], finished)}\n\n"), body)
    body = _CITE.sub(r" [\1]", body)
    body = re.sub(r"\\begin\{abstract\}", lambda _: _finish(finished, "\n\n## Abstract\n\n"), body)
    body = re.sub(r"\\begin\{(theorem|lemma|proposition|corollary|definition|proof|remark|example)\}", _named, body)
    body = _sections(_lists(_IGNORED.sub("", body), finished), finished)
    return _words(body)


def _named(found: re.Match[str]) -> str:
    return f"\n\n{found[1].capitalize()}. "


def _finish(finished: list[str], text: str) -> str:
    """Put what is finished aside, so that no later step changes it."""
    finished.append(_FINISHED.sub(lambda found: finished[int(found[1])], text))
    return f"\ue000{len(finished) - 1}\ue001"


def _sections(body: str, finished: list[str]) -> str:
    parts, place = [], 0
    for found in _SECTION.finditer(body):
        if found.start() < place:
            continue
        title = _braced(body, found.end())
        shown = heading(_LEVELS[found[1]], _words(title))
        parts += [body[place : found.start()], _finish(finished, f"\n\n{shown}\n\n")]
        place = found.end() + len(title) + 2
        place += len(body[place:]) - len(body[place:].lstrip())
    return "".join([*parts, body[place:]])


@dataclass(slots=True)
class _List:
    kind: str
    items: int = 0


def _lists(body: str, finished: list[str]) -> str:
    """Write items with their marks; the environments around them leave."""
    open_lists: list[_List] = []

    def replace(found: re.Match[str]) -> str:
        if found[1] == "begin":
            open_lists.append(_List(found[2]))
            return "\n\n" if len(open_lists) == 1 else "\n"
        if found[1] == "end":
            del open_lists[-1:]
            return "\n\n" if not open_lists else "\n"
        around = open_lists[-1] if open_lists else _List("itemize")
        around.items += 1
        mark = f"{around.items}." if around.kind == "enumerate" else "-"
        lead = f"{found[3]}: " if found[3] else ""
        return _finish(finished, f"\n{'    ' * min(max(len(open_lists) - 1, 0), _DEEPEST)}{mark} ") + lead

    return _LIST.sub(replace, body)


def _table(source: str, finished: list[str]) -> str:
    while source.lstrip()[:1] in ("{", "["):
        source = source.lstrip()
        closing = len(_braced(source, 0)) + 1 if source[0] == "{" else source.find("]")
        source = source[closing + 1 :]
    source = re.sub(r"\\multi(?:column|row)\{[^{}]*\}\{[^{}]*\}\{([^{}]*)\}", r"\1", source)
    source = re.sub(r"\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^{}]*\}", "", _IGNORED.sub("", source))
    rows = [
        re.split(r"(?<!\\)&", row) for row in re.split(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline", source) if row.strip()
    ]
    shown = [[_words(_INLINE.sub(lambda found: _finish(finished, found[0]), cell)) for cell in row] for row in rows]
    return table(shown)


def _argument(source: str, name: str) -> str:
    found = re.search(rf"\\{name}\s*(?:\[[^\]]*\])?\s*(?=\{{)", source)
    return _braced(source, found.end()) if found else ""


def _braced(source: str, start: int) -> str:
    """Return what stands between the brace at `start` and the one that closes it."""
    depth = 0
    for place in range(start, min(len(source), start + 20_000)):
        if source[place] in "{}" and source[place - 1 : place] != "\\":
            depth += 1 if source[place] == "{" else -1
            if depth == 0:
                return source[start + 1 : place]
    return ""


_LONGEST = 20_000
_TO_TEXT = LatexNodes2Text(keep_comments=False, strict_latex_spaces=False)


def _words(source: str) -> str:
    """Return LaTeX without its commands."""
    return "\n\n".join(filter(None, map(_paragraph, re.split(r"\n\s*\n", source)))).strip()


def _paragraph(source: str) -> str:
    """Return a paragraph's words; one that cannot be parsed, or is no paragraph by its length, loses its commands."""
    try:
        text = _TO_TEXT.latex_to_text(source, tolerant_parsing=True) if len(source) <= _LONGEST else _stripped(source)
    except (LatexWalkerError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        text = _stripped(source)
    return re.sub(r" {2,}", " ", re.sub(r"[ \t]*\n[ \t]*", "\n", text)).strip()


def _stripped(source: str) -> str:
    return re.sub(r"\\[A-Za-z]+\*?|[{}]", "", source)
