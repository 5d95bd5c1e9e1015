"""A MediaWiki, installed and served for these tests (apt-get install mediawiki php-cli php-sqlite3 php-intl)."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import SourceError
from rag_platform.core.ports import Validators
from rag_platform.pipeline.source_contract import SourceContract
from rag_platform.sources.wikis.mediawiki import MediaWiki, MediaWikiSource
from tests.loopback import free_port

PROGRAM = Path("/usr/share/mediawiki")
PASSWORD = "a long password 1"
CLOSED = '\n$wgGroupPermissions["*"]["read"] = false;\n'


class Wiki:
    """What people do in a wiki."""

    def __init__(self, folder, port):
        self.folder, self.url = folder, f"http://127.0.0.1:{port}"
        self.client = httpx.Client(base_url=self.url, trust_env=False, timeout=60)
        token = self.query(meta="tokens", type="login")["tokens"]["logintoken"]
        self.post(action="login", lgname="Ada", lgpassword=PASSWORD, lgtoken=token)
        self.token = self.query(meta="tokens")["tokens"]["csrftoken"]

    def query(self, **asked):
        asked |= {"action": "query", "format": "json", "formatversion": 2}
        return self.client.get("/api.php", params=asked).json()["query"]

    def post(self, **said):
        answer = self.client.post("/api.php", data=said | {"format": "json", "formatversion": 2}).json()
        assert "error" not in answer, answer
        return answer

    def put(self, title, text):
        self.post(action="edit", title=title, text=text, token=self.token)


@pytest.fixture(scope="module")
def wiki():
    if not PROGRAM.exists() or not shutil.which("php"):
        pytest.skip("no MediaWiki is installed (apt-get install mediawiki php-cli php-sqlite3 php-intl)")
    folder = Path(tempfile.mkdtemp(prefix="wiki"))
    (folder / "db").mkdir()
    port = free_port()
    where = ["--dbtype", "sqlite", "--dbpath", folder / "db", "--confpath", folder, "--scriptpath", ""]
    address = ["--server", f"http://127.0.0.1:{port}", "--pass", PASSWORD, "Test", "Ada"]
    install = ["php", PROGRAM / "maintenance" / "install.php", *where, *address]
    subprocess.run(install, check=True, capture_output=True, timeout=120)
    _with_files(folder)
    serve = ["php", "-d", "opcache.revalidate_freq=0", "-S", f"127.0.0.1:{port}", "-t", PROGRAM]
    environ = os.environ | {"MW_CONFIG_FILE": str(folder / "LocalSettings.php")}
    process = subprocess.Popen(serve, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        wiki = Wiki(folder, port)
        wiki.put("Weir", "The weir holds back the [[river]].\n== Who opens it ==\nThe miller.\n[[Category:Water]]")
        wiki.put("Weir/Plan", "Where it stands.")
        wiki.put("Talk:Weir", "Is it open?")
        yield wiki
        wiki.client.close()
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)


def _with_files(folder):
    """Let files be uploaded, and upload one."""
    for name in ("images", "given"):
        (folder / name).mkdir()
    (folder / "given" / "Plan.txt").write_text("The plan of the weir.")
    lines = ["", "$wgEnableUploads = true;", f'$wgUploadDirectory = "{folder}/images";', '$wgFileExtensions[] = "txt";']
    with (folder / "LocalSettings.php").open("a") as settings:
        settings.write("\n".join([*lines, '$wgUploadPath = "/img_auth.php";', "$wgVerifyMimeType = false;", ""]))
    command = ["php", PROGRAM / "maintenance" / "importImages.php", "--extensions", "txt", folder / "given"]
    environ = os.environ | {"MW_CONFIG_FILE": str(folder / "LocalSettings.php")}
    subprocess.run(command, check=True, capture_output=True, timeout=120, env=environ)


@pytest.fixture
def opened(wiki, tmp_path):
    def opened(**given):
        fetch = FetchSettings(allow_private=True, retries=0)
        given = {"id": "wiki", "kind": "mediawiki", "api": f"{wiki.url}/api.php", "fetch": fetch} | given
        return MediaWiki(MediaWikiSource(**given), Context(tmp_path, environ={"WIKI": PASSWORD, "WRONG": "wrong-one"}))

    return opened


def texts(source):
    return {item.metadata["title"]: source.fetch(item, Validators()).content.decode() for item in source.list().items}


def test_pages_are_read_with_their_dates_and_categories(opened, wiki):
    found = texts(opened(exclude=["Now/"]))
    assert found.keys() == {"Main Page", "Weir", "Weir/Plan"}
    assert "<h1>Weir</h1>" in found["Weir"] and "Who opens it" in found["Weir"] and "[edit" not in found["Weir"]
    [weir] = [item for item in opened().list().items if item.metadata["title"] == "Weir"]
    assert weir.uri == f"{wiki.url}/index.php/Weir"
    assert weir.metadata["tags"] == ["category:Water"] and weir.metadata["updated_at"].endswith("Z")


def test_edits_deletions_and_renames_are_followed(opened, wiki, bench):
    for name in ("heron", "ferry", "mill"):
        wiki.put(f"Now/{name}", f"About the {name}.")
    bench(opened(include=["Now/*"]), source_id="wiki")
    wiki.put("Now/mill", "The mill was closed.")
    wiki.post(action="move", to="Now/boat", token=wiki.token, **{"from": "Now/ferry"})
    wiki.post(action="delete", title="Now/heron", token=wiki.token)
    tally = bench(opened(include=["Now/*"]), source_id="wiki")
    rows = {row["uri"].rpartition("/")[2]: row for row in bench.table.iter_rows(named=True)}
    assert (tally.new, tally.changed, tally.gone) == (1, 1, 2)
    assert rows["boat"]["renamed_from"] == rows["ferry"]["uri"]


def test_titles_namespaces_and_talk_pages_are_chosen(opened):
    assert texts(opened(talk=True, exclude=["Now/"])).keys() == {"Main Page", "Weir", "Weir/Plan", "Talk:Weir"}
    assert texts(opened(include=["Weir/*"])).keys() == {"Weir/Plan"}
    assert texts(opened(exclude=["Weir/", "Now/"])).keys() == {"Main Page"}


def test_long_answers_come_in_parts(opened):
    source = opened()
    asked, ask = [], source._api._asked

    def few(method, parameters):
        asked.append(parameters)
        return ask(method, parameters | ({"gaplimit": 1} if "gaplimit" in parameters else {}))

    source._api._asked = few
    assert len({item.uri for item in source.list().items}) == len(asked) >= 3


def test_a_closed_wiki_is_read_as_somebody(opened, wiki):
    settings = wiki.folder / "LocalSettings.php"
    open_to_all = settings.read_text()
    settings.write_text(open_to_all + CLOSED)
    os.utime(settings, (2e9, 2e9))  # PHP compiles a file anew when its time changes, which counts in seconds
    try:
        with pytest.raises(SourceError, match="Nothing was deleted"):
            opened().list()
        assert texts(opened(user="Ada", password="${WIKI}", exclude=["Now/"])).keys() == {
            "Main Page",
            "Weir",
            "Weir/Plan",
        }
        with pytest.raises(SourceError, match="does not let 'Ada' in") as refusal:
            opened(user="Ada", password="${WRONG}").list()
        assert "wrong-one" not in str(refusal.value)
    finally:
        settings.write_text(open_to_all)


def test_files_that_were_uploaded_are_read_where_that_is_wanted(opened):
    source = opened(include=["File:*"], files=True)
    [item] = source.list().items
    assert item.metadata["title"] == "Plan.txt"
    assert source.fetch(item, Validators()).content == b"The plan of the weir."


def test_what_is_no_wiki_is_an_error(opened, site, local):
    for said in (b"<html>Sorry", b"[]", b"{}", b"null"):
        site.missing = lambda path, said=said: said
        with pytest.raises(SourceError, match="does not answer in JSON"):
            opened(api=site.url("/api.php"), fetch=local).list()


def test_settings_are_checked():
    for wrong in ({"api": "wiki.example.org"}, {"api": "https://x/api.php", "user": "Ada"}):
        with pytest.raises(ValidationError, match="expected"):
            MediaWikiSource(id="wiki", kind="mediawiki", **wrong)


class PagesWorld:
    """Pages below one of their own, which people write and delete."""

    deletes, refetches = True, False

    def __init__(self, wiki, opened, name):
        self.wiki, self.name, self.source = wiki, name, lambda: opened(include=[f"{name}/*"])
        self.opened = opened

    def put(self, name, text):
        self.wiki.put(f"{self.name}/{name}", text)

    def remove(self, name):
        self.wiki.post(action="delete", title=f"{self.name}/{name}", token=self.wiki.token)

    def break_down(self):
        self.source = lambda: self.opened(api=f"{self.wiki.url}/none.php")


class TestMediaWiki(SourceContract):
    @pytest.fixture
    def world(self, wiki, opened, request):
        name = f"C{abs(hash(request.node.name)) % 10**9}"
        yield PagesWorld(wiki, opened, name)
        for left in wiki.query(list="allpages", apprefix=f"{name}/")["allpages"]:
            wiki.post(action="delete", title=left["title"], token=wiki.token)
