"""Before the page: names, origins and links, without the page itself."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.entrance import COOKIE, Entrance
from rag_platform.journal.journal import Journal
from rag_platform.people.admin_links import AdminLinks


async def page(request):
    return PlainTextResponse(request.cookies.get(COOKIE, "nobody"))


@pytest.fixture
def links(tmp_path):
    return AdminLinks(Journal(tmp_path / "app.sqlite"))


def asking(links, hosts=(), address="http://127.0.0.1:8501"):
    inner = Starlette(routes=[Route("/{path:path}", page, methods=["GET", "POST", "PUT", "DELETE"])])
    return TestClient(Entrance(inner, lambda: links, hosts, 12), address, follow_redirects=False)


def test_a_link_sets_a_cookie_for_this_browser_alone_and_works_once(links):
    link = links.create("http://127.0.0.1:8501")
    client = asking(links)
    assert client.head(link).status_code == 200  # looking does not use it up
    opened = client.get(link)
    assert (opened.status_code, opened.headers["location"]) == (303, "/")
    said = opened.headers["set-cookie"].lower()
    assert all(part in said for part in ("httponly", "samesite=strict", "path=/", "max-age=43200"))
    assert "secure" not in said and opened.headers["cache-control"] == "no-store"
    assert links.is_session(client.get("/").text)
    assert asking(links).get(link).status_code == 403
    https = asking(links, address="https://localhost").get(links.create("https://localhost"))
    assert "secure" in https.headers["set-cookie"].lower()


def test_where_people_sign_in_elsewhere_a_link_opens_nothing(links):
    assert "set-cookie" not in asking(None).get(links.create("http://127.0.0.1:8501")).headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8501", "", "[::1", "x@y@z"])
def test_a_name_that_was_made_to_lead_here_is_refused(links, host):
    assert asking(links).get("/", headers={"host": host}).status_code == 421


def test_the_names_of_the_settings_are_served(links):
    client = asking(links, hosts=("ask.example.org",))
    assert client.get("/", headers={"host": "ask.example.org:443"}).status_code == 200
    assert client.get("/", headers={"host": "other.example"}).status_code == 421
    assert asking(links, hosts=None).get("/", headers={"host": "any.example"}).status_code == 200
    for own in ("localhost:8501", "127.0.0.1", "[::1]:8501"):
        assert asking(links).get("/", headers={"host": own}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:9999", "http://localhost:8501", "null"])
def test_pages_of_others_change_nothing_and_open_no_websocket(links, origin):
    client = asking(links)
    for method in ("POST", "PUT", "DELETE"):
        assert client.request(method, "/_stcore/upload_file", headers={"origin": origin}).status_code == 403
    assert client.post("/x", headers={"origin": "http://127.0.0.1:8501"}).status_code == 200
    sent = []

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"127.0.0.1:8501"), (b"origin", origin.encode())]
    scope = {"type": "websocket", "path": "/_stcore/stream", "query_string": b"", "headers": headers}
    asyncio.run(Entrance(None, lambda: links, (), 12)(scope, None, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_no_other_site_frames_the_page_or_learns_where_one_came_from(links):
    headers = asking(links).get("/").headers
    assert headers["content-security-policy"] == "frame-ancestors 'self'"
    assert headers["referrer-policy"] == "same-origin"
