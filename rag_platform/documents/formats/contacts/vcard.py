"""Contacts (vCard 2.1, 3.0, 4.0): each person is a section with names, addresses, numbers and notes."""

import quopri
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, losses
from rag_platform.documents.formats.markdown_writer import heading, join, paragraph
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.times import parse_time
from rag_platform.text.cleaning import clean_line

_SHOWN = {
    "NICKNAME": "Nickname", "ORG": "Organisation", "TITLE": "Title", "ROLE": "Role", "EMAIL": "E-mail",
    "TEL": "Telephone", "ADR": "Address", "LABEL": "Address", "URL": "Web", "IMPP": "Messenger", "BDAY": "Birthday",
    "ANNIVERSARY": "Anniversary", "RELATED": "Related to", "MEMBER": "Member", "CATEGORIES": "Categories",
    "X-SOCIALPROFILE": "Profile", "X-SKYPE": "Skype", "X-PHONETIC-FIRST-NAME": "Spoken", "EXPERTISE": "Expertise",
    "HOBBY": "Hobby", "INTEREST": "Interest", "GENDER": "Gender", "LANG": "Language", "TZ": "Time zone",
    "DEATHDATE": "Died", "BIRTHPLACE": "Born in", "X-ABDATE": "Date", "X-ABRELATEDNAMES": "Related to",
    "X-ANNIVERSARY": "Anniversary", "X-SPOUSE": "Spouse", "X-MANAGER": "Manager", "X-ASSISTANT": "Assistant",
    "X-CHILDREN": "Children", "X-AIM": "Messenger", "X-ICQ": "Messenger", "X-JABBER": "Messenger",
    "X-MSN": "Messenger", "X-GOOGLE-TALK": "Messenger", "X-SKYPE-USERNAME": "Skype", "X-SIP": "Telephone",
    "X-TWITTER": "Profile", "X-DEPARTMENT": "Organisation", "X-PHONETIC-LAST-NAME": "Spoken",
}  # fmt: skip
_PROGRAMS = re.compile(r"^X-(?:EVOLUTION|KADDRESSBOOK-X|MS|MOZILLA)-")
"""Whose own names for a field are those that others have, behind theirs."""
_ANDROID = re.compile(r"vnd\.android\.cursor\.item/(nickname|relation|contact_event);([^;]+)")
_OF_ANDROID = {"nickname": "NICKNAME", "relation": "RELATED", "contact_event": "X-ABDATE"}
_LOST: dict[str, Lost] = {"PHOTO": "images without text", "LOGO": "images without text", "SOUND": "media"}
_QUIET = frozenset(("INTERNET", "PREF", "VOICE", "TYPE"))
"""Types that say nothing: every address is of the internet."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LINE = re.compile(r"(?:([\w-]+)\.)?([\w-]+)((?:;(?:[^:;\"]|\"[^\"]*\")*)*):(.*)", re.DOTALL)

_PARAMETER = re.compile(r"(?:[^;\"]|\"[^\"]*\")+")


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    group: str
    """That ties it to its label."""
    kinds: tuple[str, ...]
    """Such as "work"."""
    value: str


def read_vcard(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read contacts.

    Raises:
        ExtractionError: There is none in it.
    """
    text, flags = decode(content, charset)
    cards = list(_cards(_lines(newlines(text))))
    if not cards:
        raise ExtractionError("no contacts: no line 'BEGIN:VCARD' begins one")
    lost: Counter[Lost] = Counter(_LOST[field.name] for card in cards for field in card if field.name in _LOST)
    names = [_name(card) for card in cards]
    changed = [found for card in cards for field in card if field.name == "REV" and (found := parse_time(field.value))]
    return Extracted(
        text=join(block for card in cards for block in (heading(1, _name(card)), _about(card), *_notes(card))),
        type="vcard",
        title=names[0] if len(names) == 1 else "",
        updated_at=max(changed, default=None),
        kind="contact",
        flags=(*flags, *((f"contacts: {len(cards)}",) if len(cards) > 1 else ())),
        losses=losses(lost),
    )


def _lines(text: str) -> Iterator[str]:
    """Yield lines with those that continue them: after a blank, or after "=" where they are quoted-printable."""
    whole = ""
    for line in text.split("\n"):
        if whole.endswith("=") and "QUOTED-PRINTABLE" in whole.partition(":")[0].upper():
            whole = f"{whole}\n{line}"
        elif line[:1] in (" ", "\t"):
            whole += line[1:]
        else:
            yield whole
            whole = line
    yield whole


def _cards(lines: Iterator[str]) -> Iterator[list[_Field]]:
    """Yield the fields of each card; one within another (an agent) counts as one of its own."""
    card: list[_Field] | None = None
    for line in lines:
        mark = line.strip().upper()
        if mark == "BEGIN:VCARD" or (mark == "END:VCARD" and card is not None):
            if card:
                yield card
            card = [] if mark.startswith("B") else None
        elif card is not None and (field := _field(line)):
            card.append(field)
    if card:
        yield card


def _field(line: str) -> _Field | None:
    found = _LINE.fullmatch(line)
    if not found:
        return None
    given = [part.partition("=") for part in _PARAMETER.findall(found[3])]
    named = {name.upper(): value.strip('"') for name, mark, value in given if mark}
    kinds = [name for name, mark, _ in given if not mark]
    kinds += [kind for name, mark, value in given if mark and name.upper() == "TYPE" for kind in value.split(",")]
    value = found[4]
    if "QUOTED-PRINTABLE" in (named.get("ENCODING", "").upper(), *(kind.upper() for kind in kinds)):
        value = decode(quopri.decodestring(value.encode("utf-8", "replace")), named.get("CHARSET"))[0]
        kinds = [kind for kind in kinds if kind.upper() != "QUOTED-PRINTABLE"]
    shown = (kind.strip('"').lower() for kind in kinds if kind.strip('"').upper() not in _QUIET)
    name = _PROGRAMS.sub("X-", found[2].upper())
    if name == "X-ANDROID-CUSTOM" and (own := _ANDROID.match(value)):
        name, value = _OF_ANDROID[own[1]], own[2]
    return _Field(name, found[1] or "", tuple(dict.fromkeys(shown)), value)


def _name(card: list[_Field]) -> str:
    """Return the name as it is shown, else of its parts, else of the organisation."""
    stated = {field.name: field.value for field in reversed(card)}
    if shown := _plain(stated.get("FN", "")):
        return shown
    last, first, middle, before, after = ([*map(_plain, _parts(stated.get("N", ""))), "", "", "", "", ""])[:5]
    named = " ".join(filter(None, (before, first, middle, last, after)))
    return named or _plain(stated.get("ORG", "").replace(";", " ")) or _plain(stated.get("EMAIL", "")) or "Contact"


def _about(card: list[_Field]) -> str:
    """Return a line for each thing that is known, with what it is called where the card names it."""
    labels = {field.group: _plain(field.value).strip("_$!<>") for field in card if field.name == "X-ABLABEL"}
    lines = []
    for field in card:
        value = ", ".join(filter(None, map(_plain, _parts(field.value))))
        value = value.removeprefix("mailto:").removeprefix("tel:")
        if field.name in _SHOWN and value:
            kinds = ", ".join(filter(None, (*field.kinds, labels.get(field.group, "") if field.group else "")))
            lines.append(f"{_SHOWN[field.name]}{f' ({kinds})' if kinds else ''}: {value}  ")
    return "\n".join(dict.fromkeys(lines))


def _notes(card: list[_Field]) -> list[str]:
    return [paragraph(_unescaped(field.value)) for field in card if field.name == "NOTE"]


def _parts(value: str) -> list[str]:
    return re.split(r"(?<!\\);", value)


def _plain(value: str) -> str:
    return clean_line(_unescaped(value))


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
