"""The cells of a table's column as numbers: thousands parted in any way, percents, currencies and other units.

What a comma or a full stop means is decided for the whole column: "1.234" can be read in two ways, and stands for 1234
only where another cell shows that; "1,234" stands for 1234 unless another shows the opposite.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

_MISSING = re.compile(r"(?:[-–—−.…/]+|n\.?/?a\.?|none|nil|null|k\. ?A\.|tbd|unknown)?", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|~~|\[\^?\w{1,4}\]|<sup>.*?</sup>|(?<=\d)[*†‡]+$")
_DIGITS = r"\d+(?:[.,'’\u00a0\u202f\u2009 ]\d{2,3})*(?:[.,]\d+)?|[.,]\d+"
_AMOUNT = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-−–+±]|ca\. ?|~|≈|<|>|≤|≥)?\s*"
    rf"(?P<before>[^\W\d_]{{0,3}}[$€£¥₹]|[A-Z]{{3}}\s|Rs\.?\s?|रु\.?\s?)?\s*"
    rf"(?P<minus>[-−])?(?P<digits>{_DIGITS})(?:[eE](?P<power>[-+]?\d{{1,3}}))?\s*(?P<close>\))?\s*(?P<unit>\D[^|]{{0,15}})?"
)
_NATIVE = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯", "0123456789" * 4)
_NO_UNIT = re.compile(r"^(?:st|nd|rd|th|[oaºª]|er|e|ème)$|[:;,!?\d]|\s\S+\s")
"""What ends an ordinal number, or holds more than a unit does."""
_SPACES = re.compile("[\u00a0\u202f\u2009 '’]")
_HEAD_UNIT = re.compile(r"[(\[]([^()\[\]]{1,15})[)\]]\s*$")
_FRACTION = re.compile(r"[.,](?!\d{3}$)\d+$|^0?[.,]\d+$|^0[.,]\d{3}$")
_MOST_MISSING = 0.5


@dataclass(frozen=True, slots=True)
class NumericColumn:
    """A column of numbers."""

    values: tuple[float | None, ...]
    """None where a cell is empty, or says that there is no number."""
    unit: str
    """What all of them count: "%", "km", "€"; "": nothing says it."""


@dataclass(frozen=True, slots=True)
class _Amount:
    negative: bool
    digits: str
    power: int
    unit: str


def numeric_column(head: str, cells: Sequence[str]) -> NumericColumn | None:
    """Return the numbers of a column; None: it holds anything else, several units, or hardly a number.

    Args:
        head: of the column, which may end with the unit of all: "Depth (m)".
        cells: below it, as they are written.
    """
    amounts = [_amount(cell) for cell in cells]
    there = [one for one in amounts if isinstance(one, _Amount)]
    if False in amounts or not there or len(there) < (1 - _MOST_MISSING) * len(cells):
        return None
    units = {one.unit for one in there} - {""}
    stated = _HEAD_UNIT.search(head)
    if len(units) > 1:
        return None
    decimal = _decimal_mark([one.digits for one in there])
    values = tuple(_value(one, decimal) if isinstance(one, _Amount) else None for one in amounts)
    if not all(value is None or isfinite(value) for value in values):
        return None
    return NumericColumn(values, units.pop() if units else stated[1].strip() if stated else "")


def _amount(cell: str) -> "_Amount | bool | None":
    """Return what a cell counts; None: nothing, False: it is no number."""
    text = _MARKUP.sub("", cell).strip().translate(_NATIVE).replace("٫", ".").replace("٬", ",")
    if _MISSING.fullmatch(text):
        return None
    found = _AMOUNT.fullmatch(text)
    if not found or bool(found["open"]) != bool(found["close"]):
        return False
    unit, before = (found["unit"] or "").strip(), (found["before"] or "").strip()
    if (unit and before) or _NO_UNIT.search(unit):
        return False
    negative = (found["sign"] or "") in ("-", "−", "–") or bool(found["minus"]) or bool(found["open"])
    return _Amount(negative, found["digits"], int(found["power"] or 0), unit or before)


def _decimal_mark(numbers: Sequence[str]) -> str:
    """Return what parts whole from fraction in these numbers: what one of them shows for sure, else a full stop."""
    for number in numbers:
        bare = _SPACES.sub("", number)
        last = max(bare.rfind("."), bare.rfind(","))
        if last < 0:
            continue
        mark, other = bare[last], "," if bare[last] == "." else "."
        if other in bare or (bare.count(mark) == 1 and _FRACTION.search(bare)):
            return mark if bare.count(mark) == 1 else other
        if bare.count(mark) > 1:
            return other
    return "."


def _value(amount: _Amount, decimal: str) -> float:
    digits = _SPACES.sub("", amount.digits)
    thousands = "," if decimal == "." else "."
    value = float(f"{digits.replace(thousands, '').replace(decimal, '.')}e{amount.power}")
    return -value if amount.negative else value
