"""Fields of an old Word document (doc), [MS-DOC] 2.8.25: what they show, and where the links among them lead."""

import re
from collections import Counter

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.field_codes import FORM, linked_address

_BEGIN, _SHOWN, _END = "\x13", "\x14", "\x15"
_SIGNS = re.compile(f"([{_BEGIN}{_SHOWN}{_END}])")
_OBJECT = re.compile(r"\s*(?:EMBED|LINK|CONTROL|SHAPE)\b")
"""Fields that show an object, or a drawing beside the line, as a picture: that is read or counted by itself."""
_FORMULA = re.compile(r"\s*EQ\b")
_RUBY = re.compile(r"\(\\s\\up ?\d+\(([^()]*)\)[,;]([^()]*)\)")
"""A formula that sets above words how they are pronounced, in Japanese."""
_PICTURE = "\x01"
_BLANK = " \t\n\x0b\xa0\x01\x08"
_LINK = re.compile(f"{_BEGIN}([^{_SHOWN}]*){_SHOWN}([^{_END}]*){_END}")


def shown(raw: str, lost: Counter[Lost]) -> str:
    """Return what fields show, without objects; of those that lead to an address, both, as `linked` takes them."""
    found: list[str] = []
    fields: list[tuple[int, str | None]] = []
    """Of those that have begun: where among what was found, and their code once it has ended."""
    closed = 0
    for part in _SIGNS.split(raw):
        if part == _BEGIN:
            fields.append((len(found), None))
        elif part not in (_SHOWN, _END):
            found.append(part)
        elif fields and (part == _END or fields[-1][1] is None):
            start, code = fields.pop()
            if code is None:
                code = "".join(found[start:])
                del found[start:]
                lost["form fields"] += bool(FORM.match(code))
                if _FORMULA.match(code):
                    ruby = _RUBY.search(code)
                    found += [f"{ruby[2]}({ruby[1]})"] if ruby else []
                    lost["formulas"] += not ruby
            if part == _SHOWN:
                fields.append((start, code))
            elif (address := linked_address(code)) or _OBJECT.match(code):
                if start >= closed:  # no link is within another
                    words = "".join(found[start:])
                    found[start:] = [_link(words, address) if address else words.replace(_PICTURE, "")]
                closed = len(found)
    return "".join(found)


def _link(words: str, address: str) -> str:
    core = words.strip(_BLANK)
    fits = core and core != address and core.isprintable() and address.isprintable()
    return words.replace(core, f"{_BEGIN}{address}{_SHOWN}{core}{_END}", 1) if fits else words


def linked(text: str) -> str:
    """Return text with its links as Markdown."""
    return _LINK.sub(r"[\2](\1)", text)


def unlinked(text: str) -> str:
    """Return text without the addresses of its links, as in a heading."""
    return _LINK.sub(r"\2", text)
