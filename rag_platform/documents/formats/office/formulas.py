"""Formulas of Office documents (OMML) -> LaTeX."""

from lxml import etree

from rag_platform.documents.formats.markdown_writer import matrix
from rag_platform.documents.formats.xml_tree import attribute, child, local

_SYMBOLS = {
    "×": r"\times ", "÷": r"\div ", "±": r"\pm ", "∓": r"\mp ", "≤": r"\leq ", "≥": r"\geq ", "≠": r"\neq ",
    "≈": r"\approx ", "∞": r"\infty ", "∑": r"\sum ", "∏": r"\prod ", "∫": r"\int ", "√": r"\sqrt ", "∂": r"\partial ",
    "∈": r"\in ", "∀": r"\forall ", "∃": r"\exists ", "→": r"\to ", "⋅": r"\cdot ", "π": r"\pi ", "α": r"\alpha ",
    "β": r"\beta ", "γ": r"\gamma ", "δ": r"\delta ", "ε": r"\epsilon ", "θ": r"\theta ", "λ": r"\lambda ",
    "μ": r"\mu ", "ρ": r"\rho ", "σ": r"\sigma ", "τ": r"\tau ", "φ": r"\phi ", "ω": r"\omega ", "Δ": r"\Delta ",
    "Σ": r"\Sigma ", "Ω": r"\Omega ", "∇": r"\nabla ", "∪": r"\cup ", "∩": r"\cap ", "⊂": r"\subset ",
}  # fmt: skip
_ACCENTS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar", "\u0307": "dot", "\u20d7": "vec"}
_FUNCTIONS = frozenset(("sin", "cos", "tan", "cot", "log", "ln", "exp", "lim", "max", "min", "det", "gcd"))


def latex(formula: etree._Element) -> str:
    """Return a formula (``m:oMath``) in LaTeX, without dollar signs."""
    return " ".join(_inside(formula).split())


def _inside(element: etree._Element | None) -> str:
    return "" if element is None else "".join(map(_node, element))


def _part(element: etree._Element, name: str) -> str:
    return _inside(child(element, name)).strip()


def _node(element: etree._Element) -> str:
    name = local(element)
    if name.endswith("Pr"):
        return ""
    if name == "t":
        return "".join(_SYMBOLS.get(letter, letter) for letter in element.text or "")
    return _FORMS.get(name, _inside)(element)


def _fraction(element: etree._Element) -> str:
    return rf"\frac{{{_part(element, 'num')}}}{{{_part(element, 'den')}}}"


def _root(element: etree._Element) -> str:
    degree = _part(element, "deg")
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"


def _base(element: etree._Element) -> str:
    base = _part(element, "e")
    return f"{{{base}}}" if base.startswith("\\frac") else base


def _scripts(element: etree._Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    return _base(element) + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _big_operator(element: etree._Element) -> str:
    sign = attribute(child(element, "naryPr", "chr"), "val", "∫")
    below, above = _part(element, "sub"), _part(element, "sup")
    limits = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    return f"{_SYMBOLS.get(sign, sign).strip()}{limits}{{{_part(element, 'e')}}}"


def _delimited(element: etree._Element) -> str:
    about = child(element, "dPr")
    opening = attribute(child(about, "begChr"), "val", "(")
    closing = attribute(child(about, "endChr"), "val", ")")
    inside = ",".join(_inside(part).strip() for part in element if local(part) == "e")
    return rf"\left{opening or '.'}{inside}\right{closing or '.'}"


def _function(element: etree._Element) -> str:
    name = _part(element, "fName")
    mark = "\\" if name in _FUNCTIONS else ""
    return f"{mark}{name}({_part(element, 'e')})"


def _accent(element: etree._Element) -> str:
    sign = attribute(child(element, "accPr", "chr"), "val", "\u0302")
    return rf"\{_ACCENTS.get(sign, 'hat')}{{{_part(element, 'e')}}}"


def _matrix(element: etree._Element) -> str:
    return matrix(map(_inside, row) for row in element if local(row) == "mr")


def _limit(element: etree._Element) -> str:
    mark = "_" if local(element) == "limLow" else "^"
    return f"{_part(element, 'e')}{mark}{{{_part(element, 'lim')}}}"


_FORMS = {
    "f": _fraction,
    "rad": _root,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "nary": _big_operator,
    "d": _delimited,
    "func": _function,
    "acc": _accent,
    "m": _matrix,
    "limLow": _limit,
    "limUpp": _limit,
}
