import gzip
from datetime import UTC, datetime

import pytest

from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Last, Validators, nothing
from rag_platform.sources.web.website import Web, WebSource

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


# --- crawling -----------------------------------------------------------------------------------------


def page(*links, extra=""):
    return (
        "<html><head>" + extra + "</head><body>Words." + "".join(f'<a href="{link}">x</a>' for link in links)
    ).encode()


@pytest.fixture
def crawl(site, local):
    site.pages |= {
        "/m/": page("a", "/m/b?utm_source=x#top", "../outside", "mailto:x", "photo.jpg", "file.pdf"),
        "/m/a": page("c", "/m/"),
        "/m/b": page(),
        "/m/c": page("d"),
        "/m/d": page(),
        "/m/file.pdf": b"%PDF-",
        "/outside": page(),
    }

    def crawl(last=nothing, **options):
        settings = WebSource(id="site", kind="web", crawl=[site.url("/m/")], fetch=local, **options)
        return Web(settings, last=last)

    return crawl


def paths(listing, site):
    return [uri.removeprefix(site.address) for uri in uris(listing)]


def test_links_are_followed_within_the_folder(crawl, site):
    source = crawl()
    listing = source.list()
    assert paths(listing, site) == ["/m/", "/m/a", "/m/b", "/m/file.pdf", "/m/c", "/m/d"]
    assert (listing.complete, listing.confirmations, listing.failed) == (True, 3, [])
    assert source.fetch(listing.items[1], Validators()).content == site.pages["/m/a"]
    asked = [path for path in site.asked if path != "/robots.txt"]
    assert sorted(asked) == sorted(path for path in site.pages if path.startswith("/m/"))  # each once, none besides


@pytest.mark.parametrize(("depth", "expected"), [(0, 1), (1, 4), (2, 5), (3, 6)])
def test_the_depth_is_kept(crawl, site, depth, expected):
    assert len(crawl(depth=depth).list().items) == expected


def test_more_pages_than_the_limit_make_the_listing_incomplete(crawl, site):
    listing = crawl(limit=3).list()
    assert (len(listing.items), listing.complete) == (3, False)
    assert "leads to more than 3 pages" in listing.failed[0][1]


def test_include_says_what_is_read_and_exclude_what_is_visited(crawl, site):
    assert paths(crawl(include=["*/d"]).list(), site) == ["/m/d"]
    assert paths(crawl(exclude=["*/c"]).list(), site) == ["/m/", "/m/a", "/m/b", "/m/file.pdf"]
    assert "/outside" in paths(crawl(within=[site.url("/")]).list(), site)


def test_robots_are_respected(crawl, site):
    site.pages["/m/a"] = page("c", extra='<meta name="ROBOTS" content="noindex, follow">')
    site.pages["/m/c"] = page("d", extra='<meta name="robots" content="nofollow">')
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /m/b"
    listing = crawl().list()
    assert paths(listing, site) == ["/m/", "/m/file.pdf", "/m/c"] and listing.failed == []


def test_what_has_not_changed_is_not_sent_again_but_still_leads_further(crawl, site, reply):
    tags = {path: f'"{path}"' for path in ("/m/", "/m/a", "/m/c")}
    bodies = {path: site.pages[path] for path in tags}
    for path, tag in tags.items():
        full = reply(bodies[path], headers={"etag": tag})
        site.pages[path] = lambda r, tag=tag, full=full: (
            reply(status=304) if r.headers["if-none-match"] == tag else full
        )

    def last(uri):
        path = uri.removeprefix(site.address)
        return path in tags and Last(Validators(tags[path]), "text/html", lambda: bodies[path])

    source = crawl(last)
    first, second = crawl().list(), source.list()
    assert [(item.uri, item.fingerprint) for item in first.items] == [
        (item.uri, item.fingerprint) for item in second.items
    ]
    assert source.fetch(second.items[0], Validators()) is None


@pytest.mark.parametrize("status", [404, 500, 302])
def test_a_hub_that_is_down_loses_nobody_its_pages(crawl, site, reply, status):
    body = site.pages["/m/"]
    site.pages["/m/"] = reply(b"", status, {"location": "/m/"})
    source = crawl(lambda uri: Last(Validators(), "text/html", lambda: body) if uri == site.url("/m/") else None)
    listing = source.list()
    assert len(listing.items) == 6 and listing.complete
    with pytest.raises(FetchError):
        source.fetch(listing.items[0], Validators())


def test_a_crawl_that_cannot_start_is_an_error(crawl, site):
    del site.pages["/m/"]
    with pytest.raises(SourceError, match=r"the crawl of source 'site' could not start: .*404"):
        crawl().list()


def test_a_login_page_is_no_content(crawl, make, site, reply):
    site.pages["/login"] = b'<form><input name=u><input type="password" name=p></form>'
    site.pages["/m/a"] = reply(b"", 302, {"location": "/login"})
    source = crawl(within=[site.url("/")])
    listing = source.list()
    with pytest.raises(FetchError, match="leads to a login page"):
        source.fetch(next(item for item in listing.items if item.uri.endswith("/m/a")), Validators())
    one = make(urls=[site.url("/m/a")])
    with pytest.raises(FetchError, match="leads to a login page"):
        one.fetch(one.list().items[0], Validators())


def test_a_page_that_leads_away_is_an_error(crawl, site, reply):
    site.pages["/m/a"] = reply(b"", 302, {"location": "/outside"})
    source = crawl()
    [away] = [item for item in source.list().items if item.uri.endswith("/m/a")]
    with pytest.raises(SourceError, match="outside of what is crawled"):
        source.fetch(away, Validators())


# --- pages that scripts make --------------------------------------------------------------------------


@pytest.mark.browser
def test_pages_that_scripts_make_are_crawled_in_a_browser(site, local):
    pytest.importorskip("playwright.sync_api")
    made = b"<p id=text></p><script>document.body.innerHTML = '%s'</script>"
    site.pages |= {
        "/app/": made % b'<h1>Harbour</h1><a href="/app/quay">quay</a><a href="/app/hidden">x</a>',
        "/app/quay": made % b"<p class=ready>Boats moor at the quay.</p>",
        "/robots.txt": b"User-agent: *\nDisallow: /app/hidden",
        "/plain": b"<p>No script.</p>",
    }
    source = Web(
        WebSource(
            id="s", kind="web", crawl=[site.url("/app/")], urls=[site.url("/plain")], javascript=True, fetch=local
        )
    )
    listing = source.list()
    assert paths(listing, site) == ["/plain", "/app/", "/app/quay"] and listing.failed == []
    contents = [source.fetch(item, Validators()).content for item in listing.items]
    assert b"<h1>Harbour</h1>" in contents[1] and b"Boats moor" in contents[2] and b"No script" in contents[0]
    assert not site.count("/app/hidden")
    source._chromium.close()
