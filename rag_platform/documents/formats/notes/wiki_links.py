"""What Obsidian and its kin write beyond Markdown: links between notes, callouts, tags, names of blocks."""

import re

from rag_platform.text.markdown_blocks import divided, without_code

_LINK = re.compile(r"(!?)\[\[(?!\s)([^\[\]|\n]{1,500})(?:\\?\|([^\[\]\n]{0,500}))?\]\](?![(\[:])")
"""Not a condition of the shell, which begins with a space, nor Markdown's own link whose words are "[1]"."""
_CALLOUT = re.compile(r"^(>+[ \t]*)\[!([A-Za-z-]+)\][+-]?[ \t]*(.*)$", re.MULTILINE)
_BLOCK_NAME = re.compile(r"(?<![ \t])[ \t]++\^[a-z0-9]{6}$", re.MULTILINE)
_TAG = re.compile(r"(?<![^\s(,;])#([\w/-]*[^\W\d_][\w/-]*)")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_DRAWING = re.compile(
    r"(?:^%%[ \t]*\n)?^#+ Drawing[ \t]*\n+```(?:compressed-)?json\n[^`]*```[ \t]*(?:\n%%[ \t]*$)?", re.MULTILINE
)
"""How Excalidraw keeps what it draws below the texts in it."""
_SIZE = re.compile(r"\d+(?:x\d+)?")


def has_wiki_links(text: str) -> bool:
    """Return whether notes are linked in the manner of a wiki, outside code."""
    return "[[" in text and bool(_LINK.search(without_code(text)))


def without_comments(text: str) -> tuple[str, int]:
    """Return a note without the data of a drawing and without comments, which Obsidian shows nobody, and their number.

    A comment that code goes through stays.
    """
    pieces, count = [], 0
    for piece, code in divided(_DRAWING.sub("", text)):
        left, found = _COMMENT.subn("", piece) if not code and piece.count("%%") % 2 == 0 else (piece, 0)
        pieces.append(left)
        count += found
    return "".join(pieces), count


def plain_links(text: str) -> str:
    """Return Markdown in which links between notes are links, callouts quotes with a title, and blocks have no names.

    An embedded note or picture becomes a link to it: it is a document of its own.
    """
    return "".join(piece if code else _plain(piece) for piece, code in divided(text))


def _plain(piece: str) -> str:
    return _BLOCK_NAME.sub("", _CALLOUT.sub(_callout, _LINK.sub(_link, piece)))


def tags_in(text: str) -> tuple[str, ...]:
    """Return the tags that stand in a text, each once: "garden/plants" of "#garden/plants"."""
    return tuple(dict.fromkeys(found[1].strip("/") for found in _TAG.finditer(without_code(text))))


def _link(found: re.Match[str]) -> str:
    target, _, place = found[2].rstrip("\\").strip().partition("#")
    place = place.strip("^# ").replace("#", " > ")
    label = (found[3] or "").strip()
    if not label or (found[1] and _SIZE.fullmatch(label)):
        label = " > ".join(filter(None, (target.strip().rpartition("/")[2], place)))
    if not target.strip():
        return label
    path = target.strip()
    return f"[{label}](<{path if '.' in path.rpartition('/')[2] else f'{path}.md'}>)"


def _callout(found: re.Match[str]) -> str:
    kind = found[2].replace("-", " ").capitalize()
    return f"{found[1]}**{f'{kind}: {found[3].strip()}' if found[3].strip() else kind}**"
