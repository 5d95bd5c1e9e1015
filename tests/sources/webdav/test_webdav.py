"""Files of a WebDAV server, read from a real one (WsgiDAV)."""

import base64
import os
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from pydantic import ValidationError
from wsgidav.wsgidav_app import WsgiDAVApp

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.sources.webdav.multistatus import resources
from rag_platform.sources.webdav.webdav_files import WebDav, WebDavSource
from tests.loopback import running

FOLDER = "<d:resourcetype><d:collection/></d:resourcetype>"
NEAR = FetchSettings(allow_private=True, retries=0)


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


class Served:
    """A folder, served to whoever says the password; `folder` is what lies there, `asked` what was asked for."""

    def __init__(self, folder, mount="/dav"):
        self.folder, self.asked, self.broken, self.said, self.elsewhere = folder, [], set(), {}, {}
        app = WsgiDAVApp(
            {
                "provider_mapping": {mount: str(folder)},
                "simple_dc": {"user_mapping": {"*": {"ada": {"password": "x:y"}}}},
                "http_authenticator": {"accept_basic": True, "accept_digest": False},
                "logging": {"enable": False},
                "verbose": 0,
            }
        )

        def seen(environ, start_response):
            self.asked.append((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
            if environ["PATH_INFO"] in self.broken:
                start_response("500 Broken", [("content-length", "0")])
                return [b""]
            if said := self.said.get(environ["PATH_INFO"]):
                start_response("207 Multi-Status", [("content-length", str(len(said)))])
                return [said]
            return self.elsewhere.get(environ["PATH_INFO"], app)(environ, start_response)

        self.server = make_server("127.0.0.1", 0, seen, handler_class=Quiet)
        self.url = f"http://127.0.0.1:{self.server.server_port}{mount}"

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.ticks = getattr(self, "ticks", 0) + 1
        os.utime(path, (self.ticks * 10, self.ticks * 10))


@pytest.fixture
def cloud(tmp_path):
    (tmp_path / "files").mkdir()
    served = Served(tmp_path / "files")
    served.put("weir.md", "The weir holds back the river.")
    served.put("Old mill/how it grinds.md", "From dawn to dusk.")
    served.put("Old mill/.hidden.md", "Nobody reads this.")
    with running(served.server):
        yield served


@pytest.fixture
def opened(cloud, tmp_path):
    def opened(password="x:y", **given):
        given = {"id": "desk", "kind": "webdav", "url": cloud.url, "user": "ada", "fetch": NEAR} | given
        context = Context(tmp_path, environ={"CLOUD": password})
        return WebDav(WebDavSource(password="${CLOUD}", **given), context)

    return opened


def texts(source):
    return {item.uri: source.fetch(item, Validators()).content.decode() for item in source.list().items}


def test_all_files_are_read_with_their_addresses(opened, cloud):
    assert texts(opened()) == {
        f"{cloud.url}/weir.md": "The weir holds back the river.",
        f"{cloud.url}/Old%20mill/how%20it%20grinds.md": "From dawn to dusk.",
    }


def test_only_what_changed_is_read_again_and_what_is_gone_goes(opened, cloud, bench):
    cloud.put("ferry.md", "The ferry crosses at noon.")
    bench(opened(), source_id="desk")
    cloud.put("weir.md", "The weir was opened.")
    (cloud.folder / "ferry.md").unlink()
    cloud.asked.clear()
    tally = bench(opened(), source_id="desk", max_deleted_share=0.5)
    assert (tally.changed, tally.unchanged, tally.gone) == (1, 1, 1)
    assert [path for method, path in cloud.asked if method == "GET"] == ["/dav/weir.md"]


def test_a_file_that_was_moved_keeps_its_history(opened, cloud, bench):
    bench(opened(), source_id="desk")
    (cloud.folder / "weir.md").rename(cloud.folder / "Old mill" / "weir.md")
    tally = bench(opened(), source_id="desk")
    row = next(row for row in bench.table.iter_rows(named=True) if row["uri"].endswith("mill/weir.md"))
    assert (tally.new, tally.gone, row["renamed_from"]) == (1, 1, f"{cloud.url}/weir.md")


def test_files_are_chosen(opened, cloud):
    assert len(texts(opened(include=["weir.md"]))) == 1
    cloud.asked.clear()
    assert len(texts(opened(exclude=["Old mill/"]))) == 1
    assert ("PROPFIND", "/dav/Old mill/") not in cloud.asked
    assert texts(opened(uri="https://cloud.example.org/apps/{path}")).keys() == {
        "https://cloud.example.org/apps/weir.md",
        "https://cloud.example.org/apps/Old%20mill/how%20it%20grinds.md",
    }


def test_a_folder_that_cannot_be_listed_loses_nothing(opened, cloud, bench):
    bench(opened(), source_id="desk")
    cloud.broken.add("/dav/Old mill/")
    tally = bench(opened(), source_id="desk")
    assert tally.gone == 0
    assert "the folder cannot be listed" in dict(tally.failed)[f"{cloud.url}/Old%20mill"]
    cloud.broken.clear()
    assert bench(opened(), source_id="desk").unchanged == 2


def test_what_the_server_says_nothing_of_is_not_taken_for_a_file_and_loses_nothing(opened, cloud, bench):
    bench(opened(), source_id="desk")
    closed = b"<d:response><d:href>/dav/Old%20mill/</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response>"
    weir = ("/dav/weir.md", "<d:resourcetype/>")
    cloud.said["/dav/"] = answer(("/dav/", FOLDER), weir).replace(b"</d:multistatus>", closed + b"</d:multistatus>")
    tally = bench(opened(), source_id="desk")
    assert tally.gone == 0
    assert "403 Forbidden" in dict(tally.failed)[f"{cloud.url}/Old%20mill"]


def test_an_answer_that_speaks_of_another_folder_is_no_empty_one(opened, cloud):
    cloud.said["/dav/"] = answer(("/behind/a/proxy/", FOLDER), ("/behind/a/proxy/weir.md", "<d:resourcetype/>"))
    with pytest.raises(SourceError, match=r"speaks of /behind/a/proxy, /behind/a/proxy/weir.md, not of this folder"):
        opened().list()
    cloud.said["/dav/"] = answer(("/dav/", "")).replace(b"200 OK", b"403 Forbidden")
    with pytest.raises(SourceError, match="403 Forbidden"):
        opened().list()
    with pytest.raises(SourceError, match="it is a file"):
        opened(url=f"{cloud.url}/weir.md").list()


def test_an_empty_file_is_empty_and_a_large_one_is_not_read(opened, cloud):
    cloud.put("empty.md", "")
    cloud.put("large.md", "x" * 100)
    source = opened(max_bytes=50)
    items = {item.uri.rpartition("/")[2]: item for item in source.list().items}
    assert source.fetch(items["empty.md"], Validators()).content == b""
    with pytest.raises(FetchError, match="more than max_bytes = 50"):
        source.fetch(items["large.md"], Validators())


def test_a_wrong_password_and_a_wrong_folder_are_errors(opened, cloud):
    with pytest.raises(SourceError, match="asks for a login") as refusal:
        opened(password="wrong-one").list()
    assert "wrong-one" not in str(refusal.value)
    with pytest.raises(SourceError, match="Nothing was deleted"):
        opened(url=f"{cloud.url}/none").list()
    with pytest.raises(SourceError, match="not public"):
        opened(fetch=FetchSettings()).list()


def test_a_page_of_the_web_is_no_folder(opened, site, local):
    site.pages["/dav/"] = b"<html><p>Sorry"
    with pytest.raises(SourceError, match="Nothing was deleted"):
        opened(url=site.url("/dav"), fetch=local.model_copy(update={"retries": 0})).list()


def test_the_password_goes_to_its_own_server_alone(opened, site, cloud):
    heard = []
    site.pages["/weir.md"] = lambda request: heard.append(request.headers.get("authorization")) or b"taken"
    source = opened()
    source._fetcher.get(site.url("/weir.md"))
    assert heard == [None]
    expected = base64.b64encode(b"ada:x:y").decode()
    assert source._fetcher._authorization == (cloud.url.removesuffix("/dav"), f"Basic {expected}")


def answer(*files):
    rows = "".join(
        f"<d:response><d:href>{href}</d:href><d:propstat><d:prop>{props}</d:prop>"
        "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        for href, props in files
    )
    return f'<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">{rows}</d:multistatus>'.encode()


def test_a_servers_own_id_is_read_and_a_path_that_leads_upwards_is_not():
    known = "<oc:fileid>00042</oc:fileid><d:getetag>&quot;a&quot;</d:getetag>"
    [one] = resources(answer(("/dav/a%20b.md", known), ("/dav/../etc/passwd", known)))
    assert (one.path, one.file_id, one.etag) == ("/dav/a b.md", "00042", '"a"')


def test_entities_are_not_resolved_and_other_answers_are_refused():
    bomb = b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d:multistatus xmlns:d="DAV:"><d:response>'
    bomb += b"<d:href>/dav/&a;</d:href></d:response></d:multistatus>"
    assert [one.path for one in resources(bomb)] == ["/dav"]
    for wrong in (b"", b"<html/>", b"\0"):
        with pytest.raises(ValueError, match="answer"):
            list(resources(wrong))


@pytest.mark.parametrize("url", ["ftp://x/y", "https://ada:secret@x/y"])
def test_an_address_is_one_of_the_web_without_a_password(url):
    with pytest.raises(ValidationError, match="without a password"):
        WebDavSource(id="desk", kind="webdav", url=url)
