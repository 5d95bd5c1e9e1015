import gzip
import socket
import threading
import time

import pytest

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Gone, Validators
from rag_platform.core.urls import shown
from rag_platform.sources.http import hosts
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.sources.http.hosts import Unavailable
from tests.loopback import free_port


@pytest.fixture
def naps():
    return []


@pytest.fixture
def fetcher(local, naps):
    return Fetcher(local, sleep=naps.append)


def test_a_page_comes_with_its_validators(site, fetcher, reply):
    site.pages["/a"] = reply(b"<p>hello", headers={"etag": '"1"', "last-modified": "Mon, 02 Mar 2026 10:00:00 GMT"})
    page = fetcher.get(site.url("/a"))
    assert (page.content, page.etag, page.last_modified) == (b"<p>hello", '"1"', "Mon, 02 Mar 2026 10:00:00 GMT")
    assert page.content_type == "text/html; charset=utf-8"
    assert page.metadata == {}


def test_an_unchanged_page_is_none(site, fetcher, reply):
    sent = {}

    def page(request):
        sent.update(request.headers)
        return reply(status=304)

    site.pages["/a"] = page
    assert fetcher.get(site.url("/a"), Validators('"1"', "Mon, 02 Mar 2026 10:00:00 GMT")) is None
    assert (sent["if-none-match"], sent["if-modified-since"]) == ('"1"', "Mon, 02 Mar 2026 10:00:00 GMT")


def test_not_changed_without_having_asked_is_a_failure(site, fetcher, reply):
    site.pages["/a"] = reply(status=304)
    with pytest.raises(FetchError, match="304"):
        fetcher.get(site.url("/a"))


def test_410_is_gone_and_404_is_only_a_failure(site, fetcher, reply):
    site.pages["/gone"] = reply(status=410)
    with pytest.raises(Gone):
        fetcher.get(site.url("/gone"))
    with pytest.raises(FetchError, match="404: there is nothing at this address"):
        fetcher.get(site.url("/missing"))


def test_an_empty_page_never_replaces_a_good_one(site, fetcher):
    site.pages["/a"] = b""
    with pytest.raises(FetchError, match="empty"):
        fetcher.get(site.url("/a"))


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_what_may_pass_is_tried_again(site, fetcher, reply, naps, status):
    site.pages["/a"] = lambda request: b"fine" if site.count("/a") == 3 else reply(status=status)
    assert fetcher.get(site.url("/a")).content == b"fine"
    assert len(naps) == 2
    assert 0 < naps[0] <= 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500])
def test_what_will_not_pass_is_asked_once(site, fetcher, reply, status):
    site.pages["/a"] = reply(status=status)
    with pytest.raises(FetchError, match=str(status)):
        fetcher.get(site.url("/a"))
    assert site.count("/a") == 1


def test_retry_after_is_honoured_within_bounds(site, fetcher, reply, naps):
    site.pages["/a"] = lambda r: b"fine" if site.count("/a") > 1 else reply(status=503, headers={"retry-after": "7"})
    assert fetcher.get(site.url("/a")).content == b"fine"
    assert naps == [7.0]
    site.pages["/b"] = reply(status=429, headers={"retry-after": "4000"})
    with pytest.raises(Unavailable, match="asks to wait 4000 s"):
        fetcher.get(site.url("/b"))
    assert site.count("/b") == 1


def test_a_connection_that_breaks_is_tried_again(site, fetcher):
    def page(request):
        if site.count("/a") == 2:
            return b"fine"
        request.connection.shutdown(socket.SHUT_RDWR)
        return None

    site.pages["/a"] = page
    assert fetcher.get(site.url("/a")).content == b"fine"


def test_a_dead_host_costs_its_retries_once(local, naps):
    port, fetcher = free_port(), Fetcher(local, sleep=naps.append)
    with pytest.raises(Unavailable, match="cannot be reached"):
        fetcher.get(f"http://127.0.0.1:{port}/1")
    assert len(naps) == 2
    for page in range(50):
        with pytest.raises(Unavailable, match="failed just before"):
            fetcher.get(f"http://127.0.0.1:{port}/{page}")
    assert len(naps) == 2


def test_a_host_that_keeps_failing_is_left_alone_and_tried_again_later(site, local, reply, monkeypatch):
    fetcher = Fetcher(local.model_copy(update={"retries": 0, "robots": False}))
    site.pages["/a"] = reply(status=503)
    for _ in range(5):
        with pytest.raises(Unavailable):
            fetcher.get(site.url("/a"))
    assert site.count("/a") == hosts.PATIENCE
    site.pages["/a"] = b"fine"
    now = time.monotonic()
    monkeypatch.setattr(hosts.time, "monotonic", lambda: now + hosts.COOLDOWN + 1)
    assert fetcher.get(site.url("/a")).content == b"fine"


def test_an_unknown_host_is_not_retried(naps):
    with pytest.raises(Unavailable, match=r"'nowhere.invalid' is not known"):
        Fetcher(FetchSettings(), sleep=naps.append).get("http://nowhere.invalid/")
    assert naps == []


def test_redirects_are_followed_and_noted(site, fetcher, reply):
    site.pages["/old"] = reply(status=301, headers={"location": "/new"})
    site.pages["/new"] = b"here"
    page = fetcher.get(site.url("/old"))
    assert (page.content, page.metadata) == (b"here", {"redirected_to": site.url("/new")})


def test_redirects_are_limited(site, fetcher, reply):
    site.pages["/a"] = reply(status=302, headers={"location": "/a"})
    with pytest.raises(FetchError, match="redirects more than 5 times"):
        fetcher.get(site.url("/a"))


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "gopher://x", "http://[::1"])
def test_a_redirect_elsewhere_than_the_web_is_refused(site, fetcher, reply, target):
    site.pages["/a"] = reply(status=302, headers={"location": target})
    with pytest.raises(FetchError):
        fetcher.get(site.url("/a"))


def test_every_hop_is_checked_for_private_addresses(site, local, reply, monkeypatch):
    """The first host counts as public; it redirects to one that is not."""
    from rag_platform.sources.http import fetcher as module

    def resolve(host, port, *, allow_private):
        return original(host, port, allow_private=host == "127.0.0.1")

    original = module.resolve
    monkeypatch.setattr(module, "resolve", resolve)
    site.pages["/a"] = reply(status=302, headers={"location": site.url("/b").replace("127.0.0.1", "localhost")})
    with pytest.raises(FetchError, match="not public"):
        Fetcher(FetchSettings()).get(site.url("/a"))


def test_the_checked_address_is_the_one_connected_to(site, local, monkeypatch):
    """A name that answers differently the second time (DNS rebinding) gains nothing."""
    from rag_platform.sources.http import addresses

    calls, real = [], socket.getaddrinfo

    def answers(host, *args, **kwargs):
        if host != "rebinding.example":
            return real(host, *args, **kwargs)
        calls.append(host)
        address = "127.0.0.1" if len(calls) == 1 else "203.0.113.1"
        return real(address, *args, **kwargs)

    monkeypatch.setattr(addresses.socket, "getaddrinfo", answers)
    hosts_sent = []
    site.pages["/a"] = lambda request: hosts_sent.append(request.headers["host"]) or b"fine"
    port = site.address.rpartition(":")[2]
    assert Fetcher(local).get(f"http://rebinding.example:{port}/a").content == b"fine"
    assert len(calls) == 1
    assert hosts_sent == [f"rebinding.example:{port}"]


def test_size_is_limited_whether_declared_or_not(site, local, reply):
    fetcher = Fetcher(local.model_copy(update={"max_bytes": 1000}))
    site.pages["/declared"] = reply(b"x", headers={"content-length": "1001"})
    site.pages["/bomb"] = reply(gzip.compress(b"x" * 1001), headers={"content-encoding": "gzip"})
    site.pages["/fits"] = b"x" * 1000
    for path in ("/declared", "/bomb"):
        with pytest.raises(FetchError, match="larger than 1000 bytes"):
            fetcher.get(site.url(path))
    assert len(fetcher.get(site.url("/fits")).content) == 1000


def test_stacked_encodings_are_refused(site, fetcher, reply):
    twice = gzip.compress(gzip.compress(b"x"))
    site.pages["/a"] = reply(twice, headers={"content-encoding": "gzip, gzip"})
    with pytest.raises(FetchError, match="encoded as 'gzip, gzip'"):
        fetcher.get(site.url("/a"))


@pytest.mark.parametrize("headers_too", [True, False])
def test_a_page_that_trickles_ends_at_the_time_limit(site, local, headers_too):
    written = []

    def page(request):
        if not headers_too:
            request.send_response(200)
            request.end_headers()
        for _ in range(400):
            request.wfile.write(b"x")
            written.append(b"x")
            time.sleep(0.05)

    site.pages["/slow"] = page
    with pytest.raises(Unavailable, match=r"not complete after 1 s"):
        Fetcher(local.model_copy(update={"timeout": 1, "retries": 0})).get(site.url("/slow"))
    assert len(written) < 400, "it was read to its end"


def test_robots_are_obeyed_and_read_once(site, fetcher):
    site.pages["/robots.txt"] = b"User-agent: rag-platform\nDisallow: /private/\n"
    site.pages["/a"] = site.pages["/private/b"] = b"page"
    for _ in range(3):
        assert fetcher.get(site.url("/a")).content == b"page"
    with pytest.raises(FetchError, match=r"robots.txt forbids it"):
        fetcher.get(site.url("/private/b"))
    assert site.count("/robots.txt") == 1
    assert site.count("/private/b") == 0


def test_robots_hold_for_where_a_redirect_leads(site, fetcher, reply):
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /private/\n"
    site.pages["/a"] = reply(status=302, headers={"location": "/private/b"})
    with pytest.raises(FetchError, match=r"robots.txt forbids it"):
        fetcher.get(site.url("/a"))


@pytest.mark.parametrize("status", [500, 503])
def test_unreadable_robots_forbid_all(site, fetcher, reply, status):
    site.pages["/robots.txt"] = reply(status=status)
    site.pages["/a"] = b"page"
    with pytest.raises(FetchError, match="cannot be read now"):
        fetcher.get(site.url("/a"))
    assert site.count("/a") == 0


def test_robots_can_be_switched_off(site, local):
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /\n"
    site.pages["/a"] = b"page"
    assert Fetcher(local.model_copy(update={"robots": False})).get(site.url("/a")).content == b"page"


def test_a_host_is_not_asked_faster_than_the_delay(site, naps, monkeypatch):
    from rag_platform.sources.http.addresses import ipaddress

    monkeypatch.setattr(ipaddress.IPv4Address, "is_loopback", False)
    fetcher = Fetcher(FetchSettings(allow_private=True, delay=5, robots=False), sleep=naps.append)
    site.pages["/a"] = b"page"
    fetcher.get(site.url("/a"))
    assert naps == []
    fetcher.get(site.url("/a"))
    assert 4 < naps[0] <= 5


def test_hosts_are_asked_one_at_a_time_and_side_by_side(site, local):
    """Two threads towards one host wait for each other."""
    running, most = [], []

    def page(request):
        running.append(1)
        most.append(len(running))
        time.sleep(0.05)
        running.pop()
        return b"page"

    site.pages["/a"] = page
    fetcher = Fetcher(local)
    threads = [threading.Thread(target=fetcher.get, args=(site.url("/a"),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1


def test_cookies_are_not_kept(site, fetcher, reply):
    seen = []
    site.pages["/a"] = lambda r: seen.append(r.headers["cookie"]) or reply(b"x", headers={"set-cookie": "id=1"})
    fetcher.get(site.url("/a"))
    fetcher.get(site.url("/a"))
    assert seen == [None, None]


def test_passwords_stay_out_of_messages(site, fetcher):
    with pytest.raises(FetchError) as caught:
        fetcher.get(site.url("/missing").replace("127", "ann:s3cret@127"))
    assert "s3cret" not in str(caught.value)
    assert shown("https://ann:s3cret@example.org/x@y") == "https://example.org/x@y"
