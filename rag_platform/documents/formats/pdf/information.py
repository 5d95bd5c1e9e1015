"""What a PDF says of itself: its title, its dates; and what programs write there that nobody meant."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

from rag_platform.text.cleaning import clean_line

_PLACEHOLDER = re.compile(
    r"untitled|unknown|title|document\d*|(?:slide|page) \d+|presentation\d*|powerpoint presentation|none|null"
    r"|\(?anonymous\)?"
    r"|.*\.(?:docx?|tex|dvi|indd|qxd|pptx?|xlsx?|rtf|od[tsp]|pages|txt|md|pdf|html?|ps|eps|tiff?|jpe?g|png)"
    r"|(?:microsoft|print) .*|https?:.*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"# +(.+)")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)")


def sane(value: str) -> str:
    """Return what is meant for readers, not a file's name or a program's default."""
    value = clean_line(value)
    letters = sum(map(str.isalpha, value))
    return value if letters >= max(2, len(value) / 2) and not _PLACEHOLDER.fullmatch(value) else ""


def title_of(stated: str, pages: Sequence[str]) -> str:
    """Return what the file says, else the largest heading of the first page, else its first line when it is short."""
    page = _LINK.sub(r"\1", next(filter(None, pages), ""))
    heading = next((found[1] for found in map(_HEADING.match, page.split("\n")) if found), "")
    first = page.split("\n", 1)[0].lstrip("# ")
    return sane(stated) or sane(heading) or (sane(first) if len(first) <= 80 else "")


def date_of(value: str) -> datetime | None:
    """Read ``D:YYYYMMDDHHmmSS+HH'mm'`` (ISO 32000-1, 7.9.4); earlier than PDF itself is no date."""
    found = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?", value.strip())
    if not found or not 1990 <= int(found[1]) < 2100:
        return None
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0)) * (-1 if found[7] == "-" else 1)
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
        local = datetime(year, month, day, hour, minute, second, tzinfo=timezone(offset))
    except ValueError:
        return None
    return local.astimezone(UTC)
