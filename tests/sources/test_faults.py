"""A server that does everything wrong: each fault costs its own page for now, and never deletes what is kept."""

import gzip
import struct
import time
import zlib
from datetime import UTC, datetime

import polars as pl
import pytest

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import SourceError
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import scrape
from rag_platform.sources.web.website import Web, WebSource
from rag_platform.storage.blobs import Blobs

GOOD = b"<p>The first text of this page.</p>"
NEW = b"<p>A newer text of this page.</p>"


def slow(handler):
    """Begin an answer and send a byte now and then, so that no single read takes long."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    for _ in range(30):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        time.sleep(0.1)


def silent(handler):
    time.sleep(2)


def cut(handler):
    """Promise more than is sent."""
    handler.send_response(200)
    handler.send_header("content-length", str(len(NEW) + 100))
    handler.end_headers()
    handler.wfile.write(NEW)
    handler.close_connection = True


def reset(handler):
    """Hang up in the middle of the headers."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-ty")
    handler.connection.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: a reset, not an end
    handler.close_connection = True


def garbage(handler):
    handler.wfile.write(b"\x00\x01\x02 what?\r\n\r\n")
    handler.close_connection = True


@pytest.fixture
def faults(site, reply):
    bomb = gzip.compress(b"0" * 30_000_000)
    packed = {"content-encoding": "gzip"}
    return {
        "slow": (slow, "timeout"),
        "silent": (silent, "timeout"),
        "cut": (cut, "the connection broke"),
        "reset": (reset, "the connection broke"),
        "garbage": (garbage, "the connection broke"),
        "bomb": (reply(bomb, headers=packed), "larger than 1000000 bytes"),
        "broken gzip": (reply(gzip.compress(NEW)[:-9], headers=packed), "the gzip data ends too early"),
        "broken deflate": (
            reply(zlib.compress(NEW)[:-9], headers={"content-encoding": "deflate"}),
            "the deflate data ends too early",
        ),
        "odd encoding": (reply(NEW, headers={"content-encoding": "br"}), "expected gzip, deflate or nothing"),
        "huge": (reply(NEW, headers={"content-length": "99999999999"}), "larger than 1000000 bytes"),
        "empty": (reply(b""), "answered with an empty page"),
        "metadata service": (
            reply(status=302, headers={"location": "http://169.254.169.254/latest"}),
            "169.254.169.254",
        ),
        "file": (reply(status=302, headers={"location": "file:///etc/passwd"}), "not an address"),
        "loop": (reply(status=302, headers={"location": "/loop"}), "redirects more than 5 times"),
        "asks for a login": (reply(status=302, headers={"location": "/login"}), "leads to a login page"),
        "401": (reply(status=401), "asks for a login"),
        "403": (reply(status=403), "refuses access"),
        "404": (reply(status=404), "there is nothing at this address"),
        "500": (reply(status=500), "the server failed"),
        "503": (reply(status=503), "busy or down"),
        "429": (reply(status=429, headers={"retry-after": "3600"}), "asks to wait 3600 s"),
        "not modified": (reply(status=304), "304"),
    }


class Site:
    """A web source over all those pages, synced again and again."""

    def __init__(self, site, blobs, allowed):
        self.site, self.blobs, self.table = site, blobs, pl.DataFrame(schema=RAW)
        self.fetch = FetchSettings(allow_private=True, timeout=60, retries=1, max_bytes=1_000_000, delay=0)
        self.names = allowed

    def sync(self):
        pages = [self.site.url(f"/{name}") for name in self.names]
        done = scrape(
            Web(WebSource(id="s", kind="web", urls=pages, fetch=self.fetch)),
            self.table,
            self.blobs,
            source_id="s",
            now=datetime(2026, 3, 2, tzinfo=UTC),
            run_id="r",
            max_deleted_share=0.2,
        )
        self.table = done.table
        return done.tally

    def texts(self):
        return {row["uri"]: self.blobs.get(row["sha256"]) for row in self.table.iter_rows(named=True) if row["sha256"]}


def test_each_fault_is_told_and_nothing_is_lost_and_all_is_well_again_afterwards(site, tmp_path, faults, reply):
    site.pages["/login"] = b'<form><input name="u"><input type="password"></form>'
    names = [name.replace(" ", "-") for name in faults]
    for name in names:
        site.pages[f"/{name}"] = GOOD
    source = Site(site, Blobs(tmp_path / "blobs"), names)
    assert source.sync().new == len(names)
    before = source.texts()

    for name, (fault, told) in zip(names, faults.values(), strict=True):
        site.pages[f"/{name}"] = fault
        source.fetch = source.fetch.model_copy(update={"timeout": 0.6 if told == "timeout" else 60})
        tally = source.sync()
        assert len(tally.failed) == 1, name
        [(uri, reason)] = tally.failed
        assert uri == site.url(f"/{name}") and told in reason, (name, reason)
        assert (tally.gone, tally.changed, source.texts()) == (0, 0, before)
        site.pages[f"/{name}"] = GOOD

    source.fetch = source.fetch.model_copy(update={"timeout": 60})
    for name in names:
        site.pages[f"/{name}"] = NEW
    tally = source.sync()
    assert (tally.changed, tally.failed) == (len(names), ())
    assert set(source.texts().values()) == {NEW}


def test_a_server_that_fails_and_then_answers_costs_nothing(site, tmp_path, reply):
    answers = {
        "/soon": [reply(status=503), NEW],
        "/polite": [reply(status=429, headers={"retry-after": "0"}), NEW],
        "/hung-up": [reset, NEW],
    }

    def next_of(path):
        def answer(handler):
            found = answers[path].pop(0)
            return found(handler) if callable(found) else found

        return answer

    site.pages |= {path: next_of(path) for path in answers}
    source = Site(site, Blobs(tmp_path / "blobs"), ["soon", "polite", "hung-up"])
    tally = source.sync()
    assert (tally.new, tally.failed) == (3, ())


def test_a_page_that_moved_keeps_its_address_and_says_where_it_is(site, tmp_path, reply):
    site.pages["/old"] = reply(status=301, headers={"location": "/new"})
    site.pages["/new"] = NEW
    source = Site(site, Blobs(tmp_path / "blobs"), ["old"])
    assert source.sync().new == 1
    [row] = source.table.iter_rows(named=True)
    assert row["uri"] == site.url("/old") and site.url("/new") in row["metadata"]


def test_only_410_deletes(site, tmp_path, reply):
    site.pages |= {"/a": GOOD, "/b": NEW}
    source = Site(site, Blobs(tmp_path / "blobs"), ["a", "b"])
    source.sync()
    site.pages["/a"] = reply(status=410)
    assert source.sync().gone == 1
    assert list(source.texts()) == [site.url("/b")]


def test_a_listing_cut_in_half_deletes_nothing(site, tmp_path, local):
    entries = "".join(f"<url><loc>{site.url(f'/{n}')}</loc></url>" for n in range(20))
    whole = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    site.pages |= {f"/{n}": b"<p>Page %d.</p>" % n for n in range(20)} | {"/sitemap.xml": whole}
    source = Site(site, Blobs(tmp_path / "blobs"), [])

    def sync():
        settings = WebSource(id="s", kind="web", sitemap=site.url("/sitemap.xml"), fetch=local)
        moment = datetime(2026, 3, 2, tzinfo=UTC)
        done = scrape(
            Web(settings), source.table, source.blobs, source_id="s", now=moment, run_id="r", max_deleted_share=1.0
        )
        source.table = done.table
        return done.tally

    assert sync().new == 20
    for broken in (whole[: len(whole) // 2], b"", b"<html>Please log in", whole.replace(b"</urlset>", b"")):
        site.pages["/sitemap.xml"] = broken
        for _ in range(4):
            try:
                assert sync().gone == 0, broken[-40:]
            except SourceError:
                continue
    assert len(source.texts()) == 20
