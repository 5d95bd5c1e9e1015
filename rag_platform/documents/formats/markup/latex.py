"""LaTeX -> Markdown: sections, lists, tables and code; formulas stay as they are written."""

import re
from collections.abc import Callable
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
_SECTION = re.compile(rf"\\({'|'.join(_LEVELS)})\*?(?:\[[^\]]{{0,500}}\])?\s*(?=\{{)")
_VERBATIM = re.compile(r"\\begin\{(verbatim\*?|lstlisting|minted|Verbatim)\}(?:\[[^\]]{0,500}\]|\{[^}]{0,500}\})*+\n?")
_TABULAR = re.compile(r"\\begin\{(tabular\*?|tabularx|longtable|tabulary)\}")
_MATH = re.compile(r"\\begin\{((?:equation|align|gather|multline|eqnarray|displaymath|math)\*?)\}|\\(\[)|\$(\$)")
_INLINE = re.compile(r"(?<!\\)\$([^$\n]*+(?:\n[^$\n]++)*+)\$")
_BRACKETS = re.compile(r"\\(\()")
_CLOSING = {"[": "\\]", "(": "\\)", "$": "$$"}
"""What ends a formula; an environment ends by its name."""
_LIST = re.compile(
    r"\\(begin|end)\{(itemize|enumerate|description)\}(?:\[[^\]]{0,500}\])?|\\item\s*(?:\[([^\]]{0,500})\])?\s*"
)
_IGNORED = re.compile(
    r"\\(?:label|bibliography|bibliographystyle|includegraphics|vspace|hspace|input|include|usepackage|index|nocite"
    r"|setcounter|addtocounter|graphicspath|pagestyle|thispagestyle)\*?(?:\[[^\]]{0,500}\])?\{[^{}]*\}"
    r"|\\(?:centering|maketitle|tableofcontents|newpage|clearpage|noindent|hline|toprule|midrule|bottomrule)\b"
)
_CITE = re.compile(r"~?\\(?:cite\w*|ref|eqref|autoref|cref|Cref)\*?(?:\[[^\]]{0,500}\])*\{([^{}]*)\}")
_MACRO = re.compile(r"\\(?:(?:re)?newcommand\*?|providecommand\*?|def)\s*\{?\\([A-Za-z]+)\}?\s*(?=\{)")
_NOTE = re.compile(r"\\(?:thanks|footnote|footnotemark)\b(?:\{[^{}]*\})?")
_LINK = re.compile(r"\\href\{([^{}]*)\}\{([^{}]*)\}")
_ENTRY = re.compile(r"\\bibitem(?:\[[^\]]{0,500}\])?\{([^{}]*)\}\s*")
_SLIDE = re.compile(
    r"(?:\\begin\{frame\}(?:<[^>]{0,50}>|\[[^\]]{0,500}\])*|\\frametitle(?:<[^>]{0,50}>)?)\{([^{}]*)\}\s*"
)
_BLOCK = re.compile(r"(?:\\begin\{(?:alert|example)?block\}|\\framesubtitle)\{([^{}]*)\}\s*")
_ENVIRONMENT = re.compile(
    r"\\begin\{(?:minipage|multicols|thebibliography|wrapfigure|adjustbox|column)\}(?:\[[^\]]{0,500}\]|\{[^{}]*\})*+"
    r"|\\(?:begin|end)\{[A-Za-z]+\*?\}(?:\[[^\]]{0,500}\])?"
)
"""What remains of environments: their names are no words."""
_LONGEST_MACRO = 500
_BRACE = re.compile(r"(?<!\\)[{}]")
_BLANK = re.compile(r"\s*")
_DEEPEST = 8
"""Lists within each other that are indented."""
_FINISHED = re.compile("\ue000(\\d+)\ue001")


def read_latex(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read LaTeX; of its own macros those without parameters are expanded.

    Raises:
        ExtractionError: The bytes are no text.
    """
    source, flags = decode(content, charset)
    finished: list[str] = []
    source = newlines(source)
    source = _enclosed(_VERBATIM, source, lambda inside: _finish(finished, f"\n\n{code(inside)}\n\n"))
    source = _COMMENT.sub("", source)
    source = _expanded(source)
    whole = _BODY.search(source)
    head, body = (source[: whole.start()], whole[1]) if whole else ("", source)
    stated = {name: _words(_NOTE.sub("", _argument(head + body, name))) for name in ("title", "author", "date")}
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


def _expanded(source: str) -> str:
    """Return the source with what its macros stand for."""
    closing = _closing(source)
    ends = ((found, closing.get(found.end(), 0)) for found in _MACRO.finditer(source))
    macros = {found[1]: source[found.end() + 1 : end] for found, end in ends if 0 < end - found.end() < _LONGEST_MACRO}
    macros = {name: meant for name, meant in macros.items() if "#" not in meant}
    if not macros:
        return source
    used = re.compile(rf"(?<!command)(?<!command\{{)(?<!\\def)\\({'|'.join(macros)})(?![A-Za-z])(?:\{{\}})?")
    return used.sub(lambda found: macros[found[1]], source)


def _body(body: str, finished: list[str]) -> str:
    body = _enclosed(_MATH, body, lambda inside: _finish(finished, f"\n\n$${inside.strip()}$$\n\n"))
    body = _formulas(body, finished)
    body = _enclosed(_TABULAR, body, lambda inside: _finish(finished, f"\n\n{_table(inside, finished)}\n\n"))
    body = _CITE.sub(r" [\1]", body)
    body = re.sub(r"\\begin\{abstract\}", lambda _: _finish(finished, "\n\n## Abstract\n\n"), body)
    body = re.sub(r"\\begin\{(theorem|lemma|proposition|corollary|definition|proof|remark|example)\}", _named, body)
    body = _sections(_lists(_IGNORED.sub("", _marked(body, finished)), finished), finished)
    return _words(_ENVIRONMENT.sub("\n\n", body).replace("\\caption", "\n\n\\caption"))


def _marked(body: str, finished: list[str]) -> str:
    """Write links, entries of a bibliography, and the titles of slides and of blocks on them."""
    body = _LINK.sub(lambda found: _finish(finished, f"[{_words(found[2])}]({found[1]})"), body)
    body = _ENTRY.sub(lambda found: _finish(finished, f"\n\n[{found[1]}] "), body)
    body = _SLIDE.sub(lambda found: _finish(finished, f"\n\n{heading(2, _words(found[1]))}\n\n"), body)
    return _BLOCK.sub(lambda found: _finish(finished, f"\n\n**{_words(found[1])}**\n\n"), body)


def _formulas(text: str, finished: list[str]) -> str:
    """Put the formulas within lines aside."""
    text = _INLINE.sub(lambda found: _finish(finished, found[0]), text)
    return _enclosed(_BRACKETS, text, lambda inside: _finish(finished, f"\\({inside}\\)"))


def _enclosed(opening: re.Pattern[str], text: str, write: Callable[[str], str]) -> str:
    """Replace what begins with `opening` and ends; each end is sought once when it is missing."""
    parts, at, missing = [], 0, set[str]()
    for found in opening.finditer(text):
        named = next(filter(None, found.groups()))
        closing = _CLOSING.get(named, f"\\end{{{named}}}")
        if found.start() < at or closing in missing:
            continue
        end = text.find(closing, found.end())
        if end < 0:
            missing.add(closing)
        else:
            parts += [text[at : found.start()], write(text[found.end() : end])]
            at = end + len(closing)
    return "".join((*parts, text[at:]))


def _named(found: re.Match[str]) -> str:
    return f"\n\n{found[1].capitalize()}. "


def _finish(finished: list[str], text: str) -> str:
    """Put what is finished aside, so that no later step changes it."""
    finished.append(_FINISHED.sub(lambda found: finished[int(found[1])], text))
    return f"\ue000{len(finished) - 1}\ue001"


def _sections(body: str, finished: list[str]) -> str:
    parts, place, closing = [], 0, _closing(body)
    for found in _SECTION.finditer(body):
        end = closing.get(found.end())
        if found.start() < place or end is None:  # what nothing closes is no title: its words stay where they are
            continue
        title = body[found.end() + 1 : end]
        shown = heading(_LEVELS[found[1]], _words(title))
        parts += [body[place : found.start()], _finish(finished, f"\n\n{shown}\n\n")]
        place = _blank_end(body, end + 1)
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
    source = source[_columns_end(source) :]
    source = re.sub(r"\\multi(?:column|row)\{[^{}]*\}\{[^{}]*\}\{([^{}]*)\}", r"\1", source)
    source = re.sub(r"\\(?:cline|cmidrule)(?:\([^)]{0,50}\))?\{[^{}]*\}", "", _IGNORED.sub("", source))
    rows = [
        re.split(r"(?<!\\)&", row)
        for row in re.split(r"\\\\(?:\[[^\]]{0,500}\])?|\\tabularnewline", source)
        if row.strip()
    ]
    shown = [[_words(_formulas(cell, finished)) for cell in row] for row in rows]
    return table(shown)


def _columns_end(source: str) -> int:
    """Return the place after a table's options and columns, of which each is in brackets or braces."""
    closing, place = _closing(source), _blank_end(source, 0)
    while source.startswith(("{", "["), place):
        end = closing.get(place, -1) if source[place] == "{" else source.find("]", place)
        if end < 0:  # what nothing closes is a cell's words
            break
        place = _blank_end(source, end + 1)
    return place


def _blank_end(source: str, place: int) -> int:
    return _BLANK.match(source, place).end()  # type: ignore[union-attr]  # it matches nothing, too


def _argument(source: str, name: str) -> str:
    found = re.search(rf"\\{name}\s*(?:\[[^\]]{{0,500}}\])?\s*(?=\{{)", source)
    return _braced(source, found.end()) if found else ""


def _braced(source: str, start: int) -> str:
    """Return what stands between the brace at `start` and the one that closes it."""
    return source[start + 1 : start + _closing(source[start : start + _LONGEST]).get(0, 0)]


def _closing(source: str) -> dict[int, int]:
    """Return the place of the brace that closes each; one that nothing closes has none."""
    above, closing = [], {}
    for found in _BRACE.finditer(source):
        if found[0] == "{":
            above.append(found.start())
        elif above:
            closing[above.pop()] = found.start()
    return closing


_LONGEST = 20_000
_MARKUP = re.compile(r"[^\w \n.,:;/()*+=|\ue000\ue001]")
_TO_TEXT = LatexNodes2Text(keep_comments=False, strict_latex_spaces=False)


def _words(source: str) -> str:
    """Return LaTeX without its commands."""
    return "\n\n".join(filter(None, map(_paragraph, re.split(r"\n\s*\n", source)))).strip()


def _paragraph(source: str) -> str:
    """Return a paragraph's words; one that cannot be parsed, or is no paragraph by its length, loses its commands."""
    try:
        text = _plain(source)
    except (LatexWalkerError, ValueError, IndexError, TypeError, AttributeError, RecursionError):
        text = _stripped(source)
    return re.sub(r" {2,}", " ", re.sub(r"(?<![ \t])[ \t]*+\n[ \t]*", "\n", text)).strip()


def _plain(source: str) -> str:
    if not _MARKUP.search(source):  # parsing costs a hundred times as much as the words of a table's cell
        return source
    return _TO_TEXT.latex_to_text(source, tolerant_parsing=True) if len(source) <= _LONGEST else _stripped(source)


def _stripped(source: str) -> str:
    return re.sub(r"\\[A-Za-z]+\*?|[{}]", "", source)
