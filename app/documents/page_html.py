"""A file as it was fetched -> HTML that can do nothing: for a frame without scripts, or as plain text.

It is cleaned (nh3), put under a policy that forbids everything but our own styles, and shown in a sandboxed frame:
each of the three would do.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import nh3

from app.texts import upright
from rag_platform.documents.formats.plain_text import decode
from rag_platform.text.word_alignment import places, words_of

MOST = 1_500_000
"""Characters of a page that are shown; a longer one is cut."""
WINDOW = 150_000
"""Characters of a text that are shown: those around the words, else the first."""
_STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
_TAGS = frozenset(
    re.findall(
        r"\w+",
        "abbr address article aside b bdi blockquote body br caption cite code col colgroup dd del details "
        "dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol "
        "p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead "
        "time tr u ul var wbr",
    )
)
_WITHOUT_CONTENT = frozenset(
    re.findall(
        r"\w+",
        "applet audio button canvas datalist embed frame frameset iframe input map math noembed noframes "
        "object portal script select style svg template textarea title video",
    )
)
_ATTRIBUTES = {
    "*": {"dir", "lang"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start"},
    "img": {"src", "alt"},
}
_ALLOWED = {
    "src": re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*"),
    "alt": re.compile(r"[^<>]*"),
    "dir": re.compile(r"ltr|rtl|auto"),
    "lang": re.compile(r"[A-Za-z0-9-]{1,35}"),
}
_NUMBER = re.compile(r"\d{1,4}")
_META_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_PIECE = re.compile(r"<[^>]*>|[^<]+")
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|\w+);")
_WORD = re.compile(r"[^\W_]+")


def page_html(content: bytes, charset: str | None = None, words: Sequence[str] = ()) -> tuple[str, bool]:
    """Return a page as a whole document for a sandboxed frame, and whether the words were found in it.

    Args:
        content: its bytes.
        charset: the encoding that its server declared, if any.
        words: what to highlight, as `words_of` gives them.

    Raises:
        ExtractionError: the bytes are no text.
    """
    declared = _META_CHARSET.search(content[:4096])
    markup, _ = decode(content, charset or (declared[1].decode("ascii") if declared else None))
    body, found = _highlighted(_cleaned(upright(markup[:MOST])), words)
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    return f"<!doctype html><html><head>{head}<style>{_STYLE}</style></head><body>{body}</body></html>", found


def text_html(content: bytes, charset: str | None = None, words: Sequence[str] = ()) -> tuple[str, bool]:
    """Return a text as it is, escaped, what is invisible in it named, and whether the words were found in it.

    Raises:
        ExtractionError: the bytes are no text.
    """
    text, _ = decode(content, charset)
    spans = _spans(text, words)
    begin = max(0, spans[0][0] - WINDOW // 2) if spans and len(text) > WINDOW else 0
    parts, at, end = ["…\n" if begin else ""], begin, begin + WINDOW
    for number, (start, stop) in enumerate(span for span in spans if span[1] <= end):
        name = "" if number else ' id="cited-there"'
        parts += [_named(text[at:start]), f"<mark{name}>{_named(text[start:stop])}</mark>"]
        at = stop
    parts += [_named(text[at:end]), "\n…" if end < len(text) else ""]
    return "".join(parts), bool(spans)


def _named(text: str) -> str:
    return _UNSEEN.sub(lambda sign: f'<span class="sign">U+{ord(sign[0]):04X}</span>', escape(text))


def _cleaned(markup: str) -> str:
    return nh3.clean(
        markup,
        tags=set(_TAGS),
        clean_content_tags=set(_WITHOUT_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=_allowed_value,
        url_schemes={"data"},
        strip_comments=True,
        link_rel=None,
    )


def _allowed_value(_tag: str, name: str, value: str) -> str | None:
    return value if _ALLOWED.get(name, _NUMBER).fullmatch(value) else None


# --- the words --------------------------------------------------------------------------------------


def _highlighted(html: str, words: Sequence[str]) -> tuple[str, bool]:
    """Mark the words in cleaned HTML: of the text between its tags, none of which has an attribute with a ">"."""
    pieces = _PIECE.findall(html)
    spans = list(_word_spans(pieces))
    wanted = places([word for word, *_ in spans], words)
    runs: dict[int, tuple[int, int]] = {}
    for _, piece, start, end in (spans[place] for place in wanted):
        runs[piece] = (runs[piece][0], end) if piece in runs else (start, end)
    for number, (piece, (start, end)) in enumerate(sorted(runs.items())):
        text, name = pieces[piece], "" if number else ' id="cited"'
        pieces[piece] = f"{text[:start]}<mark{name}>{text[start:end]}</mark>{text[end:]}"
    return "".join(pieces), bool(runs)


def _word_spans(pieces: Sequence[str]) -> Iterator[tuple[str, int, int, int]]:
    for number, piece in enumerate(pieces):
        if not piece.startswith("<"):
            plain = _ENTITY.sub(lambda entity: " " * len(entity[0]), piece)
            for found in _WORD.finditer(plain):
                for word in words_of(found[0]):
                    yield word, number, found.start(), found.end()


def _spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    if not words:
        return []
    found_words = [(word, found.span()) for found in _WORD.finditer(text) for word in words_of(found[0])]
    spans: list[tuple[int, int]] = []
    last = -2
    for place in places([word for word, _ in found_words], words):
        start, end = found_words[place][1]
        if place == last + 1:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        last = place
    return spans
