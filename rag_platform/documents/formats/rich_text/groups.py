"""The groups of Rich Text: what the control word that opens one says it is for, and what it inherits."""

import re
from dataclasses import dataclass, field

from rag_platform.documents.formats.rich_text.paragraphs import Blocks

_SKIPPED = frozenset(
    ("colortbl", "filetbl", "nonesttables", "nesttableprops", "nonshppict", "upr", "objclass", "objname", "xe", "tc",
     "rxe", "listpicture", "private", "shprslt", "sp", "mmathPict", "pgdsctbl", "atnid", "fchars", "lchars", "picprop")
)  # fmt: skip
KEPT = frozenset(
    {"shppict", "shpinst", "do", "fldinst", "objdata", "annotation", "atnauthor", "moMath", "moMathPara", "footnote"}
)
"""Groups that a reader may pass over if it does not know them; this one does."""
MARGINS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "Header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "Footer"),
}
TABLES = frozenset(("fonttbl", "stylesheet", "info"))
FACTS = frozenset(("title", "author", "creatim", "revtim"))
OWN_FLOWS = frozenset(
    {"annotation", "atnauthor", "dptxbxtext", "fldinst", "footnote", "listtext", "objdata", "pntext", "shptxt"}
    | MARGINS.keys()
)
_PURPOSES = OWN_FLOWS | TABLES | KEPT | {"result", "field", "fldrslt"}
_MATHS = re.compile(r"m\w+Pr")
"""Properties of formulas."""


@dataclass(slots=True)
class Group:
    """What a group inherits, and what it is for."""

    blocks: Blocks
    kind: str = ""
    """The control word that opened it, if that says what it is for."""
    skipped: bool = False
    hidden: bool = False
    deleted: bool = False
    font: int = 0
    width: int = 1
    r"""Characters to pass over after a \u."""
    table: str = ""
    own: bool = False
    """Whether its text goes elsewhere."""
    starred: bool = False
    link: list[str] = field(default_factory=list)
    """Of the field that it is in: the address."""
    start: int = 0
    """Of a link's words among the pieces of the paragraph."""


def opens(group: Group, word: str) -> bool:
    """Return whether a control word says what a group is for, if nothing has said it yet."""
    return not group.kind and (word in _PURPOSES or is_passed_over(word) or (group.table == "info" and word in FACTS))


def is_passed_over(word: str) -> bool:
    """Return whether what such a group holds is no text."""
    return word in _SKIPPED or word == "pict" or bool(_MATHS.fullmatch(word))
