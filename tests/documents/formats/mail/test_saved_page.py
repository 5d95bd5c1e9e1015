"""Pages that a browser saved as one file."""

import base64
import quopri

import pytest

from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract

WORDS = "Die Bäuerinnen brachten die Ernte vor dem großen Regen ein, und das Wasser stieg schnell auf den Feldern. "
PAGE = f"""<html lang="de"><head><title>Ernte</title><meta charset="utf-8"></head><body><nav>Start Sport</nav>
<article><h1>Ernte</h1><p>{WORDS * 3}</p><h2>Wasser</h2><p>{WORDS * 2}</p></article></body></html>"""


def saved(*parts: tuple[str, str, str], head: str = "From: <Saved by Blink>", start: str = "") -> bytes:
    """Return a saved page: each part its type, its address and its markup."""
    lines = [head, "Subject: Ernte", "MIME-Version: 1.0",
             f'Content-Type: multipart/related; type="text/html"; boundary="--b"{start}', ""]  # fmt: skip
    for number, (kind, place, markup) in enumerate(parts):
        body = quopri.encodestring(markup.encode()).decode()
        lines += ["----b", f"Content-Type: {kind}", f"Content-ID: <{number}@mhtml>", f"Content-Location: {place}"]
        lines += ["Content-Transfer-Encoding: quoted-printable", "", body]
    return "\r\n".join([*lines, "----b--", ""]).encode()


@pytest.mark.parametrize(
    ("uri", "content_type"), [("a/page.mhtml", None), ("a/page.mht", "message/rfc822"), ("https://x.example/1", None)]
)
def test_a_saved_page_is_read_as_the_page(uri, content_type):
    content = saved(
        ("text/html", "https://farm.example/ernte", PAGE),
        ("image/png", "https://farm.example/a.png", base64.b64encode(b"png").decode()),
        ("text/css", "https://farm.example/a.css", "p { color: red }"),
    )
    read = extract(content, uri=uri, content_type=content_type)
    assert (read.type, read.title, read.language, read.losses) == ("html", "Ernte", "de", ())
    assert read.text == f"{(WORDS * 3).strip()}\n\n## Wasser\n\n{(WORDS * 2).strip()}" and not tuple(read.members)


def test_frames_with_text_are_counted_and_the_page_may_come_second():
    frame = ("text/html", "cid:f", f"<html><body><p>{WORDS * 5}</p></body></html>")
    advert = ("text/html", "cid:g", "<html><body>Kauf!<script>x()</script></body></html>")
    content = saved(frame, advert, ("text/html", "https://x.example/", PAGE), start='; start="<2@mhtml>"')
    read = extract(content, uri="page.mhtml")
    assert "## Wasser" in read.text and read.losses == (Loss("embedded objects", 1),)


def test_a_message_without_a_page_is_an_e_mail():
    read = extract(saved(("text/plain", "a", "Der Fluss steigt.")), uri="page.mht")
    assert read.type == "email" and "Der Fluss steigt." in read.text


def test_a_message_about_saved_pages_stays_one():
    content = b"From: asha@farm.example\nTo: b@farm.example\nSubject: Pages\n\nFrom: <Saved by Blink> is its head.\n"
    assert extract(content, uri="a.eml").type == "email"
