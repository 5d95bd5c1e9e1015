import gzip
from datetime import UTC, datetime

import pytest

from rag_platform.errors import SourceError
from rag_platform.sources.web import Web, WebSource

SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*pages):
    entries = (f"<url><loc>{loc}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>" for loc, day in pages)
    return f"<urlset {SCHEMA}>{''.join(entries)}</urlset>".encode()


def index(*maps):
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in maps)
    return f"<sitemapindex {SCHEMA}>{entries}</sitemapindex>".encode()


@pytest.fixture
def make(site, local):
    def make(**options):
        if "urls" not in options:
            options["sitemap"] = site.url("/sitemap.xml")
        now = datetime(2026, 3, 2, 12, tzinfo=UTC)
        return Web(WebSource(id="site", kind="web", fetch=local, **options), now=lambda: now)

    return make


def uris(listing):
    return [item.uri for item in listing.items]


def test_a_list_of_addresses(make):
    listing = make(urls=["https://Example.org/a#x", "https://example.org/a", "mailto:x", "http://[broken"]).list()
    assert uris(listing) == ["https://example.org/a"]
    assert [uri for uri, _ in listing.failed] == ["mailto:x", "http://[broken"]
    assert (listing.complete, listing.confirmations) == (True, 3)


def test_an_index_of_sitemaps_some_compressed(make, site):
    site.pages["/sitemap.xml"] = index(site.url("/a.xml"), site.url("/b.xml.gz"), site.url("/sitemap.xml"))
    site.pages["/a.xml"] = urlset(("https://x.org/1", None), ("/relative", None))
    site.pages["/b.xml.gz"] = gzip.compress(urlset(("https://x.org/2", None), ("https://x.org/1", None)))
    listing = make().list()
    assert uris(listing) == ["https://x.org/1", site.url("/relative"), "https://x.org/2"]
    assert listing.complete


def test_a_part_that_cannot_be_read_makes_it_incomplete(make, site):
    site.pages["/sitemap.xml"] = index(site.url("/a.xml"), site.url("/missing.xml"), site.url("/html.xml"))
    site.pages["/a.xml"] = urlset(("https://x.org/1", None))
    site.pages["/html.xml"] = b"<html><p>Sorry</html>"
    listing = make().list()
    assert uris(listing) == ["https://x.org/1"]
    assert not listing.complete
    assert [uri for uri, _ in listing.failed] == [site.url("/missing.xml"), site.url("/html.xml")]
    assert "expected a sitemap" in listing.failed[1][1]


def test_a_sitemap_that_cannot_be_read_is_an_error(make, site, reply):
    for page in (reply(status=404), reply(status=410), b"<html>", b"not a sitemap", gzip.compress(b"x")[:-4]):
        site.pages["/sitemap.xml"] = page
        with pytest.raises(SourceError, match="the sitemap of source 'site' could not be read"):
            make().list()


def test_an_empty_sitemap_is_a_complete_listing(make, site):
    site.pages["/sitemap.xml"] = urlset()
    assert (uris(make().list()), make().list().complete) == ([], True)


def test_a_date_is_a_mark_once_its_day_is_over(make, site):
    days = {"a": "2026-02-01", "b": "2026-03-02", "c": "2026-03-02T11:59:00+01:00", "d": "nonsense", "e": None}
    site.pages["/sitemap.xml"] = urlset(*((f"https://x.org/{name}", day) for name, day in days.items()))
    items = make().list().items
    assert [bool(item.fingerprint) for item in items] == [True, False, True, True, False]
    assert items[2].metadata == {"updated_at": "2026-03-02T10:59:00+00:00"}
    assert items[3].metadata == {}


def test_include_and_exclude(make, site):
    pages = ("docs/a", "docs/old/b", "blog/c")
    site.pages["/sitemap.xml"] = urlset(*((f"https://x.org/{page}", None) for page in pages))
    assert uris(make(include=["/docs/*"], exclude=["*/old/*"]).list()) == ["https://x.org/docs/a"]


def test_a_sitemap_beyond_the_limit_is_incomplete(make, site):
    site.pages["/sitemap.xml"] = urlset(*((f"https://x.org/{number}", None) for number in range(5)))
    listing = make(limit=3).list()
    assert len(listing.items) == 3
    assert not listing.complete
    assert "more than 3 pages" in listing.failed[0][1]


def test_a_sitemap_of_plain_lines(make, site):
    site.pages["/sitemap.xml"] = b"\xef\xbb\xbfhttps://x.org/1\r\n\r\nhttps://x.org/2\n"
    assert uris(make().list()) == ["https://x.org/1", "https://x.org/2"]


def test_a_sitemap_reads_no_files(make, site):
    entity = b'<!DOCTYPE u [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    site.pages["/sitemap.xml"] = entity + urlset(("https://x.org/&f;", None), ("https://x.org/2", None))
    assert "root" not in " ".join(uris(make().list()))
