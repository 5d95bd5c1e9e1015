r"""Formulas of TeX in a text: between dollar signs, or \( and \), and never an amount of money.

A dollar sign opens a formula where no blank follows it and closes one where none is before it and no digit behind it,
as in Pandoc's Markdown; what is between must also look like a formula, since "$5, or 6$ more" would pass.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 2_000
"""Characters of a formula."""
_FORMULA = re.compile(
    r"(?<![\\$\w])\$\$(?P<display>(?:[^$\\]|\\[^\n])+)\$\$(?![\w$])"
    r"|(?<![\\$\w])\$(?=[^\s$])(?P<inline>(?:[^$\\\n]|\\[^\n])+)(?<!\s)\$(?![\w${])"
    r"|(?<!\\)\\\[(?P<bracketed>(?:[^\\]|\\[^\[\]()])+)\\\]"
    r"|(?<!\\)\\\((?P<bracketed_inline>(?:[^\\\n]|\\[^\[\]()\n])+)\\\)"
)
_WRITTEN = re.compile(r"\\(?:text|mathrm|mathit|mathbf|operatorname|begin|end|label|tag)\s*\*?\{[^{}]*\}")
"""Parts of a formula whose words are meant as words."""
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_SIGNS = re.compile(r"\\[A-Za-z]|\^|(?<=[^\W\d_])_|(?<=[)}\]])_")
"""What nobody writes who does not write a formula."""
_SENTENCE = re.compile(r"[^\W\d_]{2,}[,.;:!?]?\s+[^\W\d_]{2,}")
_FOREIGN = re.compile("[€£¥₹“”„`]|https?:|//")
_PLAIN = re.compile(r"[A-Za-z0-9()\[\]+\-=<>/*|!,.'′\sΑ-ωϑ-ϖ∂∇∈∉∞∑∏∫√±×÷·⋅→↦≤≥≠≈≡∪∩⊂⊆∧∨¬∀∃−]+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_FUNCTION = re.compile(r"(?:sin|cos|tan|log|exp|lim|max|min|mod|det|gcd)")
_COUNTED = re.compile(r"\d+[a-z](?:[+\-=]\d*[a-z]?)*|\d+(?:\.\d+)?\s*[<>≤≥]\s*[^,]+")
"""Such as 2x+1 and 0 < x: what else begins with a digit, and has no sign of a formula, is an amount."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula's place in a text, with what marks it."""

    start: int
    end: int
    tex: str
    """Without its marks."""
    display: bool
    """Whether it stands in a line of its own."""


def formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas of a text in their order; what only looks like one is passed over."""
    at = 0
    while found := _FORMULA.search(text, at):
        formula = _understood(found)
        if formula:
            yield formula
        at = formula.end if formula else found.start() + 1


def formula_at(text: str, start: int) -> Formula | None:
    """Return the formula that begins at a place; None: none does."""
    found = _FORMULA.match(text, start)
    return _understood(found) if found else None


def _understood(found: re.Match[str]) -> Formula | None:
    tex = found[found.lastgroup or 0].strip()
    if not _reads(tex):
        return None
    return Formula(found.start(), found.end(), tex, found.lastgroup in ("display", "bracketed"))


def _reads(tex: str) -> bool:
    """Tell whether somebody wrote a formula, and no sentence or amount."""
    if not tex or len(tex) > LONGEST or _FOREIGN.search(tex):
        return False
    bare = _COMMAND.sub("+", _WRITTEN.sub("", tex))
    if _SIGNS.search(tex):
        return not _SENTENCE.search(bare)
    if not _PLAIN.fullmatch(tex) or any(not _FUNCTION.fullmatch(word) for word in _WORD.findall(tex)):
        return False
    if tex[0].isdigit() or tex[0] in ".,-−":
        return bool(_COUNTED.fullmatch(tex))
    return not _SENTENCE.search(tex) and any(letter.isalpha() for letter in tex)
