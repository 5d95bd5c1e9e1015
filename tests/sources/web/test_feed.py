import json
import os
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Gone, Validators
from rag_platform.core.schemas import DOCUMENTS, RAW
from rag_platform.core.urls import canonical
from rag_platform.documents.stage import read_documents
from rag_platform.raw.scrape import scrape
from rag_platform.sources.web.feed import Feed, FeedSource
from rag_platform.sources.web.syndication import NotAFeed, read_feed
from rag_platform.storage.blobs import Blobs

BASE = "https://example.org/news/feed.xml"


def rss(*items, head=""):
    return f'<rss version="2.0"><channel><title>News</title>{head}{"".join(items)}</channel></rss>'.encode()


def item(link="", title="A title", text="Its text.", **more):
    parts = {"link": link, "title": title, "description": text, **more}
    return "<item>" + "".join(f"<{name}>{value}</{name}>" for name, value in parts.items() if value) + "</item>"


@pytest.fixture
def make(site, local):
    def make(*documents, **options):
        for number, document in enumerate(documents):
            site.pages[f"/feed{number}"] = document
        urls = [site.url(f"/feed{number}") for number in range(len(documents))]
        now = datetime(2026, 3, 2, tzinfo=UTC)
        return Feed(FeedSource(id="news", kind="feed", urls=urls, fetch=local, **options), now=lambda: now)

    return make


# --- reading a feed ----------------------------------------------------------------------------------


def test_what_an_rss_entry_says():
    extra = {"author": "ann@example.org (Ann)", "guid": "x", "pubDate": "Mon, 02 Mar 2026 10:00:00 +0100"}
    content = rss(
        item(
            "../a?id=1",
            "Fish &amp;amp; chips",
            "&lt;b&gt;Hot&lt;/b&gt;",
            **extra,
        ),
        head="<language>de-AT</language>",
    )
    (entry,) = read_feed(content, BASE)
    assert (entry.link, entry.title, entry.language) == ("https://example.org/a?id=1", "Fish & chips", "de")
    assert (entry.published_at, entry.updated_at) == ("2026-03-02T09:00:00+00:00", None)
    assert "Ann" in entry.author
    assert "<b>Hot</b>" in entry.body


def test_the_longer_of_summary_and_content_is_the_text():
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>tag:x,1</id><title>T</title>
      <updated>2026-03-02T10:00:00+02:00</updated><summary>Short.</summary>
      <content type="html">&lt;p&gt;All of it, at length.&lt;/p&gt;</content></entry></feed>"""
    (entry,) = read_feed(atom, BASE)
    assert "at length" in entry.body
    assert (entry.id, entry.link, entry.updated_at) == ("tag:x,1", "", "2026-03-02T08:00:00+00:00")


def test_descriptions_of_pictures_do_not_take_the_place_of_the_text():
    media = '<media:content url="/{}.png"><media:description>{}</media:description></media:content>'
    story = item("../a", text="The whole story of the ferry, and of its mast.")
    content = rss(story.replace("</item>", f"{media.format(1, 'A ferry')}{media.format(2, '')}</item>"))
    (entry,) = read_feed(content.replace(b"<rss ", b'<rss xmlns:media="http://search.yahoo.com/mrss/" '), BASE)
    assert "whole story" in entry.body


def test_an_ill_formed_feed_gives_what_can_be_read():
    content = rss(item("https://example.org/a", text="Fish & chips <br> and &nbsp; more"))
    (entry,) = read_feed(content, BASE)
    assert entry.link == "https://example.org/a"
    assert "chips" in entry.body


def test_the_document_knows_its_encoding_better_than_the_server():
    content = b'<?xml version="1.0" encoding="koi8-r"?>' + rss(item(title="Новость")).decode().encode("koi8-r")
    (entry,) = read_feed(content, BASE, "text/xml; charset=iso-8859-1")
    assert entry.title == "Новость"
    (entry,) = read_feed(rss(item(title="Café")).decode().encode("latin-1"), BASE, "text/xml; charset=iso-8859-1")
    assert entry.title == "Café"


NO_FEEDS = [b"", b"<html><body><p>Sorry</body></html>", b"<rss><chan", b"{", b'{"a": 1}', b"\0" * 9]


@pytest.mark.parametrize("content", NO_FEEDS)
def test_what_is_no_feed_says_so(content):
    with pytest.raises(NotAFeed, match="this is no"):
        read_feed(content, BASE)


def test_a_feed_without_entries_is_a_feed():
    assert read_feed(rss(), BASE) == []


def test_json_feed():
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "language": "en-GB",
        "authors": [{"name": "Ann"}],
        "items": [
            {"id": 7, "url": "/a", "title": "T", "content_html": "<p>x", "date_published": "2026-03-02T10:00:00Z"},
            {"id": "urn:8", "content_text": "1 < 2\n\nNext", "author": {"name": "Bob"}},
            "rubbish",
        ],
    }
    first, second = read_feed(json.dumps(feed).encode(), BASE)
    assert (first.link, first.author, first.language, first.body) == ("https://example.org/a", "Ann", "en", "<p>x")
    assert first.published_at == "2026-03-02T10:00:00+00:00"
    assert (second.id, second.author, second.body) == ("urn:8", "Bob", "<p>1 &lt; 2</p><p>Next</p>")


def test_hostile_xml_is_harmless():
    bomb = b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "bb"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    for entry in read_feed(bomb + rss(item(title="&b;&f; end")), BASE):
        assert "root:" not in entry.title


def test_entities_made_of_entities_are_refused_and_said_so():
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">' + laughs + b"]>" + rss(item(BASE, "&l9;"))
    with pytest.raises(NotAFeed, match="entities made of entities"):
        read_feed(bomb, BASE)
    plain = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY nbsp "&#160;"><!ENTITY rd "R&amp;D">]>' + rss(item(BASE, "T"))
    assert len(read_feed(plain, BASE)) == 1


def test_a_huge_feed_is_refused_and_said_so(make):
    huge, small = rss(*(item(f"{BASE}/{n}") for n in range(4))), rss(item(BASE))
    listing = make(huge, small, max_entries=3).list()
    assert len(listing.items) == 1
    assert "this feed has 4 entries, more than 3 (max_entries of the source)" in listing.failed[0][1]
    items = [{"id": str(n), "content_text": "x"} for n in range(4)]
    with pytest.raises(NotAFeed, match="4 entries, more than 3"):
        read_feed(json.dumps({"items": items}).encode(), BASE, most=3)


def test_json_without_end_is_no_feed():
    with pytest.raises(NotAFeed, match="not valid JSON"):
        read_feed(b'{"items": ' + b"[" * 100_000, BASE)


@pytest.mark.parametrize(
    ("encoding", "title"),
    [
        ("iso-8859-1", "Größe der Ernte"),
        ("windows-1251", "Урожай пшеницы"),
        ("koi8-r", "Урожай пшеницы"),
        ("utf-16", "धानको फसल"),
        ("utf-8", "گندم کی فصل"),
        ("big5", "小麥收成"),
    ],
)
def test_encodings(encoding, title):
    page = f'<?xml version="1.0" encoding="{encoding}"?>{rss(item(BASE, title)).decode()}'
    (entry,) = read_feed(page.encode(encoding), BASE, "application/rss+xml")
    assert entry.title == title


def test_real_feeds_are_read_or_give_a_reason():
    """Of three projects: odd encodings, broken XML, pages that are no feeds."""
    if not (folder := os.environ.get("RAG_SHARED_DATA")):
        pytest.skip("RAG_SHARED_DATA names no folder")
    feeds = [path for path in Path(folder).glob("feeds_*/**/*") if path.suffix in (".xml", ".json", ".html")]
    entries, reasons, garbled = 0, [], []
    for path in feeds:
        try:
            found = read_feed(path.read_bytes(), BASE)
        except NotAFeed as error:
            reasons.append(str(error))
            continue
        entries += len(found)
        garbled += [entry.id for entry in found if "\ufffd" in entry.title + entry.body]
    assert entries > 500 and not garbled
    assert all(reason.startswith("this is no feed that can be read: ") for reason in reasons)
    assert len(reasons) < len(feeds) / 4


# --- the source --------------------------------------------------------------------------------------


def test_tracking_and_fragments_do_not_make_another_article(make):
    link = "HTTP://Example.org:80/a?utm_source=rss&amp;id=1&amp;utm_medium=x#top"
    feed = make(rss(item(link)), rss(item("http://example.org/a?id=1")))
    assert [i.uri for i in feed.list().items] == ["http://example.org/a?id=1"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Example.org", "https://example.org/"),
        ("https://example.org:443/a b?q=ä", "https://example.org/a%20b?q=%C3%A4"),
        ("https://example.org/%7Ea?x=%2F&fbclid=1", "https://example.org/%7Ea?x=%2F"),
        ("https://example.org/a?utm_id=1", "https://example.org/a"),
        ("https://example.org:8443/", "https://example.org:8443/"),
    ],
)
def test_canonical_addresses(url, expected):
    assert canonical(url) == expected
    assert canonical(expected) == expected


def test_an_article_is_its_page_and_else_the_feeds_own_text(make, site, reply):
    feed = make(rss(item(site.url("/page")), item(site.url("/missing"), "Lost", "What the feed says.")))
    page, missing = feed.list().items
    site.pages["/page"] = b"<p>The page."
    assert feed.fetch(page, Validators()).content == b"<p>The page."
    stand_in = feed.fetch(missing, Validators())
    assert b"What the feed says." in stand_in.content
    assert stand_in.metadata["note"].startswith("text of the feed: ")
    assert "404" in stand_in.metadata["note"]
    assert not stand_in.provisional


@pytest.mark.parametrize(("day", "again"), [("Sun, 01 Mar 2026", True), ("Sun, 01 Feb 2026", False), (None, False)])
def test_a_young_articles_page_is_asked_for_again_when_its_server_failed(make, site, reply, day, again):
    date = {"pubDate": f"{day} 00:00:00 GMT"} if day else {}
    feed = make(rss(item(site.url("/page"), **date)))
    site.pages["/page"] = reply(status=500)
    fetched = feed.fetch(feed.list().items[0], Validators())
    assert (fetched.provisional, "500" in fetched.metadata["note"]) == (again, True)


def test_an_article_that_is_gone_is_gone(make, site, reply):
    feed = make(rss(item(site.url("/page"))))
    site.pages["/page"] = reply(status=410)
    with pytest.raises(Gone):
        feed.fetch(feed.list().items[0], Validators())


def test_without_articles_no_page_is_asked_for(make, site):
    feed = make(rss(item(site.url("/page"), text="What the feed says.")), articles=False)
    fetched = feed.fetch(feed.list().items[0], Validators())
    assert b"What the feed says." in fetched.content
    assert (fetched.metadata, site.count("/page")) == ({}, 0)


def test_an_entry_without_a_link_is_known_by_its_id(make, site):
    plain = item(guid="17").replace("<guid>", '<guid isPermaLink="false">')
    feed = make(rss(item(guid="urn:x:1"), plain, item(title="Only a title", text="")))
    found = feed.list().items
    assert [i.uri for i in found[:2]] == ["urn:x:1", site.url("/feed0#17")]
    assert len({i.uri for i in found}) == 3
    assert b"Its text." in feed.fetch(found[1], Validators()).content


def test_entries_that_share_a_page_stay_apart(make, site):
    feed = make(rss(item(site.url("/log#v1"), "One", "First."), item(site.url("/log#v2"), "Two", "Second.")))
    first, second = feed.list().items
    assert (first.uri, second.uri) == (site.url("/log#v1"), site.url("/log#v2"))
    assert b"Second." in feed.fetch(second, Validators()).content


def test_a_pdf_that_comes_along_is_an_item_and_a_film_is_not(make, site):
    enclosures = '<enclosure url="/r.pdf" type="application/pdf"/><enclosure url="/f.mp4" type="video/mp4"/>'
    feed = make(rss(f"<item><title>Report</title><link>{site.url('/a')}</link>{enclosures}</item>"))
    uris = [i.uri for i in feed.list().items]
    assert uris == [site.url("/a"), site.url("/r.pdf")]


def test_sound_is_not_fetched(make, site):
    feed = make(rss(item(site.url("/talk.mp3"), text="About the talk.")))
    assert b"About the talk." in feed.fetch(feed.list().items[0], Validators()).content
    assert site.count("/talk.mp3") == 0


def test_old_entries_are_not_read(make):
    old, new = "Sun, 01 Feb 2026 00:00:00 GMT", "Sun, 01 Mar 2026 00:00:00 GMT"
    feed = make(
        rss(item("http://a/1", pubDate=old), item("http://a/2", pubDate=new), item("http://a/3")), max_age_days=7
    )
    assert [i.uri for i in feed.list().items] == ["http://a/2", "http://a/3"]


def test_a_dead_feed_does_not_stop_the_others(make, site, reply):
    feed = make(rss(item("http://a/1")), reply(status=404), b"<html>", reply(status=410))
    listing = feed.list()
    assert [i.uri for i in listing.items] == ["http://a/1"]
    assert [uri for uri, _ in listing.failed] == [site.url(f"/feed{n}") for n in (1, 2, 3)]
    assert not listing.complete


def test_when_all_feeds_are_dead_the_source_is(make, reply):
    with pytest.raises(SourceError, match=r"no feed of source 'news' could be read: .*404"):
        make(reply(status=404), b"<html>").list()


DATED = {"pubDate": "Mon, 02 Mar 2026 10:00:00 GMT"}


@pytest.mark.parametrize("change", [{"text": "Edited."}, {"title": "Another"}, DATED])
def test_any_change_of_an_entry_changes_its_mark(make, change):
    before = make(rss(item("http://a/1"))).list().items[0]
    assert make(rss(item("http://a/1"))).list().items[0].fingerprint == before.fingerprint
    assert make(rss(item("http://a/1", **change))).list().items[0].fingerprint != before.fingerprint


def test_a_strange_link_is_that_entrys_problem(make):
    feed = make(rss(item("http://[broken/1"), item("http://a/1")))
    strange, fine = feed.list().items
    assert fine.uri == "http://a/1"
    try:
        assert b"Its text." in feed.fetch(strange, Validators()).content
    except FetchError as error:
        assert "not an address" in str(error)


def test_a_news_desk_in_devanagari(make, site, reply, tmp_path):
    """Short pages are kept and not indexed, a blocked page is the feed's own text, known entries are not fetched."""
    story = "किसानहरूले बर्षा हुनुअघि धान भित्र्याए। " * 30
    page = f'<html lang="ne"><body><article><h1>धान</h1><p>{story}</p></article></body></html>'
    site.pages["/long"], site.pages["/short"] = page.encode(), page.replace(story, "छोटो समाचार हो यो।").encode()
    site.pages["/blocked"] = reply(b"", 403)
    entries = [item(site.url(name), name[1:], story) for name in ("/long", "/short", "/blocked")]
    feed, blobs = make(rss(*entries)), Blobs(tmp_path / "blobs")
    raw = pl.DataFrame(schema=RAW)
    for run in ("first", "second"):
        raw = scrape(
            feed, raw, blobs, source_id="news", now=datetime(2026, 3, 2, tzinfo=UTC), run_id=run, max_deleted_share=0.2
        ).table
    assert site.count("/long") == site.count("/short") == 1
    desk = FeedSource(id="news", kind="feed", urls=("https://example.org/rss",), min_words=100)
    rows = read_documents(raw, pl.DataFrame(schema=DOCUMENTS), blobs, desk).table.iter_rows(named=True)
    found = {row["title"]: row for row in rows}
    assert {title: row["status"] for title, row in found.items()} == {
        "long": "ok",
        "short": "excluded",
        "blocked": "ok",
    }
    assert found["short"]["reason"].startswith("too short") and found["long"]["language"] == "ne"
    assert found["blocked"]["text"].strip().endswith(story.strip())
