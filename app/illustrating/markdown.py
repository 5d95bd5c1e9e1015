"""The Markdown of answers: CommonMark with tables, formulas, and code that can be copied; no image, link or HTML."""

from collections.abc import MutableMapping, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from app.illustrating.code import code_html
from app.illustrating.formulas import formula_html
from rag_platform.text.notation.tex_formulas import LONGEST, Formula, formula_at

_CLOSES = {"$$": "$$", "\\[": "\\]"}


def answer_markdown_reader() -> MarkdownIt:
    """Return what reads an answer's Markdown."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.disable(["image", "link", "autolink", "reference"])
    reader.inline.ruler.before("escape", "formula", _inline)
    reader.block.ruler.before("fence", "formula", _block, {"alt": ["paragraph", "blockquote", "list"]})
    reader.core.ruler.push("direction", _direct)
    reader.add_render_rule("formula", _formula)
    reader.add_render_rule("fence", _code)
    reader.add_render_rule("code_block", _code)
    return reader


def _direct(state: StateCore) -> None:
    """Have each part, with its bullets and its border, run as its first letter does; what is within it goes along."""
    for token in state.tokens:
        if token.nesting == 1 and token.level == 0:
            token.attrSet("dir", "auto")


def _inline(state: StateInline, silent: bool) -> bool:
    """Read a formula within a line."""
    if state.src[state.pos] not in "$\\" or not (found := formula_at(state.src, state.pos)):
        return False
    if not silent:
        _push(state, found)
    state.pos = found.end
    return True


def _block(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """Read a formula in lines of its own, of which the first and the last only mark it."""
    closes = _CLOSES.get(_line(state, first).strip())
    if closes is None or state.is_code_block(first):
        return False
    for end in range(first + 1, last):
        if _line(state, end).strip() == closes:
            break
    else:
        return False
    tex = "\n".join(_line(state, line) for line in range(first + 1, end)).strip()
    if not tex or len(tex) > LONGEST:
        return False
    if not silent:
        _push(state, Formula(0, 0, tex, display=True)).map = [first, end + 1]
        state.line = end + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _push(state: StateInline | StateBlock, found: Formula) -> Token:
    token = state.push("formula", "", 0)
    token.content, token.meta = found.tex, {"display": found.display}
    return token


def _formula(_reader: Any, tokens: Sequence[Token], at: int, _options: Any, _env: MutableMapping[str, Any]) -> str:
    return formula_html(tokens[at].content, display=tokens[at].meta["display"])


def _code(_reader: Any, tokens: Sequence[Token], at: int, _options: Any, _env: MutableMapping[str, Any]) -> str:
    return code_html(tokens[at].content, tokens[at].info.strip().partition(" ")[0])
