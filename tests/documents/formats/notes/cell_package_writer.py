"""Writes sections of OneNote as OneDrive hands them out ([MS-ONESTORE] 2.8, [MS-FSSHTTPB]), for tests."""

from collections.abc import Mapping, Sequence

FILE_TYPE = bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3")
FORMAT = bytes.fromhex("2fe98d63d4a6c14b9a36b3fc2511a5b7")
GUID = bytes(range(16))
Objects = Mapping[int, tuple[int, Mapping[int, object]]]
"""By number: kind, and properties by their whole id; of those of type 8 to 11 the numbers of objects or spaces."""


def section(
    spaces: Sequence[tuple[Mapping[int, int], Objects]],
    files: Mapping[int, bytes] | None = None,
    earlier: Mapping[int, Objects] | None = None,
) -> bytes:
    """Return a section of object spaces, each (roots by role, objects); the first is the section's own.

    `files` are those of the objects of these numbers, `earlier` the objects of the revision before, by the space.
    """
    files = files or {}
    body = [_element(900, 2, _start(0x0C, GUID), _start(0x07, _id(2) + _cell(0)))]
    body += [_element(700 + number, 0x0A, _start(0x02, _bytes(content))) for number, content in files.items()]
    index = []
    for at, (roots, objects) in enumerate(spaces):
        index += [_start(0x0E, _cell(at) + _id(100 + at) + b"\0"), _start(0x0D, _id(200 + at) + _id(300 + at) + b"\0")]
        body.append(_element(100 + at, 3, _start(0x0B, _id(200 + at))))
        declared = [_start(0x0A, _id(role) + _id(number)) for role, number in roots.items()]
        before = _id(600 + at) if earlier and at in earlier else b"\0"
        body.append(_element(300 + at, 4, _start(0x1A, _id(200 + at) + before), *declared, _start(0x19, _id(400 + at))))
        body.append(_element(400 + at, 5, *_group(objects, files)))
    for at, objects in (earlier or {}).items():
        index.append(_start(0x0D, _id(600 + at) + _id(610 + at) + b"\0"))
        body.append(_element(610 + at, 4, _start(0x1A, _id(600 + at) + b"\0"), _start(0x19, _id(620 + at))))
        body.append(_element(620 + at, 5, *_group(objects, files)))
    package = [_start(0x15, b"\0", True), _element(800, 1, *index), *body]
    return FILE_TYPE + bytes(32) + FORMAT + bytes(4) + b"".join([_start(0x7A, _id(800) + GUID, True), *package])


def text(value: str) -> bytes:
    """Return a string as properties keep it."""
    return value.encode("utf-16-le") + b"\0\0"


def _group(objects: Objects, files: Mapping[int, bytes]) -> list[bytes]:
    declared, data = [], []
    for number, (kind, properties) in objects.items():
        content, references, cells = _properties(properties)
        parts = [(4, b"\1\1" + _bytes(kind.to_bytes(4, "little"))), (1, references + cells + _bytes(content))]
        for part, value in parts:
            declared.append(_start(0x18, _id(number) + _number(part) + b"\1\1\1"))
            data.append(_start(0x16, value))
        if number in files:
            declared.append(_start(0x05, _id(number) + _id(700 + number) + _number(2) + b"\1\1"))
            data.append(_start(0x1C, b"\1\1" + _id(700 + number)))
    return [_start(0x1D, b"", True), *declared, _end(0x1D), _start(0x1E, b"", True), *data, _end(0x1E)]


def _properties(properties: Mapping[int, object]) -> tuple[bytes, bytes, bytes]:
    """Return a property set, the objects that it refers to, and the spaces."""
    objects: list[int] = []
    spaces: list[int] = []
    body = _set(properties, objects, spaces)
    streams = len(objects).to_bytes(4, "little") + bytes(4 * len(objects))
    streams += len(spaces).to_bytes(4, "little") + bytes(4 * len(spaces))
    references = _number(len(objects)) + b"".join(map(_id, objects))
    return streams + body, references, _number(len(spaces)) + b"".join(map(_cell, spaces))


def _set(properties: Mapping[int, object], objects: list[int], spaces: list[int]) -> bytes:
    data = b""
    for number, value in properties.items():
        kind = number >> 26 & 0x1F
        if isinstance(value, bytes):
            data += len(value).to_bytes(4, "little") + value
        elif isinstance(value, int) and kind != 2:
            data += value.to_bytes({4: 2, 5: 4, 6: 8}[kind], "little")
        elif isinstance(value, list) and kind == 16:
            data += len(value).to_bytes(4, "little") + bytes(4) + b"".join(_set(one, objects, spaces) for one in value)
        elif isinstance(value, list):
            (spaces if kind in (10, 11) else objects).extend(value)
            data += len(value).to_bytes(4, "little") if kind in (9, 11) else b""
    ids = b"".join(number.to_bytes(4, "little") for number in properties)
    return len(properties).to_bytes(2, "little") + ids + data


def _element(number: int, kind: int, *parts: bytes) -> bytes:
    return _start(0x01, _id(number) + b"\0" + _number(kind), True) + b"".join(parts) + _end(0x01)


def _start(kind: int, data: bytes, compound: bool = False) -> bytes:
    if kind < 64 and len(data) < 127:
        return (len(data) << 9 | kind << 3 | compound << 2).to_bytes(2, "little") + data
    head = min(len(data), 0x7FFF) << 17 | kind << 3 | compound << 2 | 2
    return head.to_bytes(4, "little") + (_number(len(data)) if len(data) >= 0x7FFF else b"") + data


def _end(kind: int) -> bytes:
    return bytes((kind << 2 | 1,))


def _id(number: int) -> bytes:
    return bytes((number << 3 | 4,)) + GUID if number < 32 else (number << 6 | 32).to_bytes(2, "little") + GUID


def _cell(space: int) -> bytes:
    return _id(1) + _id(500 + space)


def _bytes(value: bytes) -> bytes:
    return _number(len(value)) + value


def _number(value: int) -> bytes:
    if value < 1 << 7:
        return bytes((value << 1 | 1,))
    return (value << 2 | 2).to_bytes(2, "little") if value < 1 << 14 else b"\x80" + value.to_bytes(8, "little")
