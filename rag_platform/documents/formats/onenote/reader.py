"""Sections of OneNote (.one): each page's title as a heading, its text, lists, tables and files ([MS-ONE])."""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, Lost, Member, losses
from rag_platform.documents.file_names import FreeNames
from rag_platform.documents.formats.markdown_writer import code, heading, inline, join, paragraph, table, tight
from rag_platform.documents.formats.office.pptx import joined
from rag_platform.documents.formats.onenote.cell_packages import read_cell_package
from rag_platform.documents.formats.onenote.property_sets import Id, Node, Properties, Space
from rag_platform.documents.formats.onenote.revision_store import read_revision_store
from rag_platform.text.cleaning import clean, clean_line

_FORMATS = {
    bytes.fromhex("3fdd9a101b91f549a5d01791edc8aed8"): read_revision_store,
    bytes.fromhex("2fe98d63d4a6c14b9a36b3fc2511a5b7"): read_cell_package,
}
"""By the GUID of the file's format, at byte 48."""
_PAGES, _CONTENT, _ABOUT, _REVISION = 0x60008, 1, 2, 4
_PAGE, _TITLE, _ELEMENT, _TEXT, _IMAGE, _TABLE, _FILE = 0x6000B, 0x6002C, 0x6000D, 0x6000E, 0x60011, 0x60022, 0x60035
_INK = frozenset((0x60014, 0x20047, 0x20048))
"""Kinds of objects."""
_SPACES, _CONTENTS, _CHILDREN, _STRUCTURE, _LISTS = 0x1D63, 0x1C1F, 0x1C20, 0x1D5F, 0x1C26
_UNICODE, _LATIN, _ENDS, _STYLES, _STYLE, _STYLE_NAME = 0x1C22, 0x3498, 0x1E12, 0x1E13, 0x342C, 0x345A
_HIDDEN, _LIST_FORMAT, _ALTERNATIVE, _TAGS, _TAG, _TAG_NAME, _TAG_STATE = (
    0x1E16, 0x1C1A, 0x1E58, 0x3489, 0x3488, 0x3468, 0x3470,
)  # fmt: skip
_FILE_NAME, _FILE_CONTENT, _PAGE_TITLE, _LEVEL = 0x1D9C, 0x1D9B, 0x1CF3, 0x1DFF
_CREATED, _CHANGED, _BY, _AUTHOR, _LEFT, _TOP = 0x1C65, 0x1D77, 0x1D78, 0x1D75, 0x1C14, 0x1C15
"""Properties."""
_ADDRESS = re.compile('\ufddfHYPERLINK "([^"]*)"')
_NUMBERED = "\ufffd"
_EPOCH, _LATEST = datetime(1601, 1, 1, tzinfo=UTC), 1 << 61
"""Where dates begin; how many tenths of a microsecond after it one is read, until the year 8908."""


def read_onenote(content: bytes) -> Extracted:
    """Read a section; the offset of each page is a page's, and the files on its pages are members.

    Raises:
        ExtractionError: It is damaged, or a password protects it.
    """
    read = _FORMATS.get(content[48:64])
    if read is None:
        raise ExtractionError("no section of OneNote: its format is not known")
    store = read(content)
    lost, names = Counter[Lost](), FreeNames()
    pages = []
    section = store.space(store.root)
    if section is None:
        raise ExtractionError("damaged: the section's own part is missing")
    for name in dict.fromkeys(_pages(section)):
        space = store.space(name)
        lost["pages"] += space is None
        pages += [_Page(space, lost, names)] if space else []
    text, places = joined([clean(page.text()) for page in pages])
    dates = [date for page in pages for date in page.dates]
    return Extracted(
        text=text,
        type="onenote",
        title=pages[0].title if pages else "",
        author=", ".join(dict.fromkeys(page.author for page in pages if page.author)),
        published_at=min(dates, default=None),
        updated_at=max(dates, default=None),
        pages=places,
        losses=losses(lost),
        members=tuple(member for page in pages for member in page.members),
    )


def _pages(section: Space) -> Iterator[Any]:
    """Yield the object spaces of the pages, in the order of the section."""
    graph = _Graph(section)
    for name in graph.list(graph.root(_CONTENT), _CHILDREN):
        if graph.kind(name) == _PAGES:
            yield from graph.list(graph.of(name), _SPACES)


class _Graph:
    """The objects of a space, by what they say of each other."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def node(self, name: Id | None) -> Node:
        return self._space.objects.get(name, Node(0)) if name else Node(0)

    def kind(self, name: Id) -> int:
        return self.node(name).kind

    def of(self, name: Id | None) -> Properties:
        return self.node(name).properties()

    def root(self, role: int) -> Properties:
        return self.of(self._space.roots.get(role))

    def list(self, of: Properties, number: int) -> Sequence[Any]:
        found = of.get(number)
        return found if isinstance(found, list) else []

    def first(self, of: Properties, number: int) -> Id | None:
        return next(iter(self.list(of, number)), None)


class _Page:
    """A page: what is told of it, and its text."""

    def __init__(self, space: Space, lost: Counter[Lost], names: FreeNames) -> None:
        self._graph = graph = _Graph(space)
        self._lost, self._names = lost, names
        self._about = graph.root(_ABOUT)
        contents = graph.list(graph.root(_CONTENT), _CONTENTS)
        self._page = next((graph.of(name) for name in contents if graph.kind(name) == _PAGE), {})
        self._seen: set[Id] = set()
        self.members: list[Member] = []
        self.title = clean_line(_string(self._about, _PAGE_TITLE)) or clean_line(_string(self._page, _PAGE_TITLE))
        original = graph.of(graph.first(self._page, _BY))
        self.author = clean_line(_string(original, _AUTHOR) or _string(self._page, _AUTHOR))
        told = (self._about.get(_CREATED), graph.root(_REVISION).get(_CHANGED))
        self.dates = [
            _EPOCH + timedelta(microseconds=ticks // 10) for ticks in told if isinstance(ticks, int) and ticks
        ]

    def text(self) -> str:
        """Return its title as a heading, when it was written, and what stands on it from above to below."""
        level = self._about.get(_LEVEL)
        head = [block for name in self._graph.list(self._page, _STRUCTURE) for block in self._blocks(name)]
        beside = [block for block in head if clean_line(block) != self.title]
        placed = sorted(self._graph.list(self._page, _CHILDREN), key=lambda name: _place(self._graph.of(name)))
        body = (block for name in placed for block in self._blocks(name))
        title = heading(level if isinstance(level, int) else 1, self.title)
        return join([title, " ".join(beside), *tight(body)])

    def _blocks(self, name: Id, depth: int = 0, mark: str = "") -> Iterator[str]:
        """Yield the blocks of an object and of those within it, of each once."""
        node = self._graph.node(name)
        if name in self._seen:
            return
        self._seen.add(name)
        of = node.properties()
        if node.kind == _TEXT:
            yield self._paragraph(of)
        elif node.kind == _TABLE:
            rows = (self._graph.list(self._graph.of(row), _CHILDREN) for row in self._graph.list(of, _CHILDREN))
            yield table([[inline(self._blocks(cell)) for cell in row] for row in rows])
        elif node.kind == _IMAGE:
            described = list(filter(None, (_string(of, number).strip() for number in (_ALTERNATIVE, _UNICODE))))
            self._lost["images without text"] += not described
            yield from map(paragraph, described)
        elif node.kind == _FILE:
            yield self._file(of)
        elif node.kind in _INK:
            self._lost["figures"] += 1
        elif node.kind == _ELEMENT:
            yield from self._element(of, depth, mark)
        else:
            yield from self._elements(self._graph.list(of, _CHILDREN), depth)

    def _element(self, of: Properties, depth: int, mark: str) -> Iterator[str]:
        """Yield a paragraph of an outline, an item of a list where it is one, and what is indented below it."""
        content = [block for name in self._graph.list(of, _CONTENTS) for block in self._blocks(name) if block.strip()]
        if mark and content:
            yield f"{'  ' * depth}{mark} {inline(content[:1])}"
            content = content[1:]
        yield from content
        yield from self._elements(self._graph.list(of, _CHILDREN), depth + bool(mark))

    def _elements(self, names: Iterable[Id], depth: int) -> Iterator[str]:
        number = 0
        for name in names:
            formats = [
                _string(self._graph.of(one), _LIST_FORMAT) for one in self._graph.list(self._graph.of(name), _LISTS)
            ]
            numbered = any(_NUMBERED in one for one in formats)
            number = number + 1 if numbered else 0
            yield from self._blocks(name, depth, f"{number}." if numbered else "-" if formats else "")

    def _paragraph(self, of: Properties) -> str:
        style = _string(self._graph.of(self._graph.first(of, _STYLE)), _STYLE_NAME)
        text = "".join(self._runs(of)).strip()
        tags = [tag for tag in self._graph.list(of, _TAGS) if isinstance(tag, dict)]
        text = " ".join([*filter(None, map(self._tag, tags)), text])
        if re.fullmatch("h[1-6]", style):
            return heading(int(style[1]) + 1, text)
        return code(text) if style == "code" else paragraph(text)

    def _runs(self, of: Properties) -> Iterator[str]:
        """Yield the runs of a paragraph; the hidden one that holds an address makes the next one a link."""
        text = _string(of, _UNICODE) or _bytes(of, _LATIN).decode("cp1252", "replace")
        packed = _bytes(of, _ENDS)
        ends = [*struct.unpack(f"<{len(packed) // 4}I", packed[: len(packed) // 4 * 4]), len(text)]
        styles = self._graph.list(of, _STYLES)
        at, address = 0, ""
        for number, end in enumerate(ends):
            run, at = text[at:end], max(at, end)
            style = self._graph.of(styles[number]) if number < len(styles) else {}
            found = _ADDRESS.match(run)
            if found:
                address, run = found[1], run[found.end() :]
            elif style.get(_HIDDEN):
                self._lost["hidden text"] += bool(run.strip())
                continue
            if run.strip() and address:
                run, address = f"[{run}]({address})", ""
            yield run.replace("\v", "\n")

    def _tag(self, tag: Properties) -> str:
        """Return what a paragraph is marked as, such as "[To Do]"."""
        label = clean_line(_string(self._graph.of(self._graph.first(tag, _TAG)), _TAG_NAME))
        state = tag.get(_TAG_STATE)
        return f"[{label}{', done' if isinstance(state, int) and state & 1 else ''}]" if label else ""

    def _file(self, of: Properties) -> str:
        name = clean_line(_string(of, _FILE_NAME)) or "file"
        content = self._graph.node(self._graph.first(of, _FILE_CONTENT)).file
        self._lost["attachments"] += content is None
        if content is not None:
            name = self._names.take(name.replace("\\", "/").rpartition("/")[2] or "file")
            self.members.append(Member(name, content))
        return f"[{name}]"


def _bytes(of: Properties, number: int) -> bytes:
    found = of.get(number)
    return found if isinstance(found, bytes) else b""


def _string(of: Properties, number: int) -> str:
    return _bytes(of, number).decode("utf-16-le", "replace").rstrip("\0")


def _place(of: Properties) -> tuple[float, float]:
    """Return how far below the top and right of the margin an object stands; both are floats in half inches."""
    top, left = (struct.unpack("<f", struct.pack("<I", found if isinstance(found, int) else 0))[0]
                 for found in (of.get(_TOP), of.get(_LEFT)))  # fmt: skip
    return (top, left) if top == top and left == left else (0.0, 0.0)  # noqa: PLR0124 (no number)
