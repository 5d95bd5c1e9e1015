"""Readers of LlamaHub, run by the real library in its process."""

import importlib.util
import os

import pytest

from rag_platform.config.source_kinds import Context, settings_of
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.sources.bridges.llamahub import LlamaHub
from tests.sources.bridges.process_contract import ProcessContract

pytestmark = pytest.mark.skipif(not importlib.util.find_spec("llama_index"), reason="llama-index-core is not installed")
OWN = """
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document


class WikiReader(BaseReader):
    def __init__(self, token):
        self.token = token

    def load_data(self, space):
        print("loading", space)
        about = {"title": "Holidays", "url": f"https://wiki.example.org/{space}/1", "author": "Ann",
                 "last_modified": "2026-03-01T10:00:00Z"}
        return [
            Document(text="page one", metadata=about),
            Document(text="page two", metadata={**about, "title": "Its second part"}),
            Document(text="an issue", doc_id="77", metadata={"created_at": "2026-02-01"}),
            Document(text="nobody knows which", metadata={"number": 3}),
            Document(text=" ", doc_id="78"),
        ]
"""


def source(home, **settings):
    given = settings_of({"id": "here", "kind": "llamahub", **settings})
    return LlamaHub(given, Context(home, secrets={"token": "s3cret"}))


def test_documents_have_addresses_titles_and_dates(tmp_path):
    (tmp_path / "our_wiki.py").write_text(OWN)
    wiki = {"reader": "our_wiki", "arguments": {"token": "${secret:token}"}, "load": {"space": "desk"}}
    listing = source(tmp_path, code=".", **wiki).list()
    page, issue = listing.items
    assert (page.uri, page.content) == ("https://wiki.example.org/desk/1", b"page one\n\npage two")
    assert page.metadata == {
        "type": "document",
        "title": "Holidays",
        "author": "Ann",
        "updated_at": "2026-03-01T10:00:00+00:00",
    }
    assert (issue.uri, issue.content) == ("llamahub://here/77", b"an issue")
    assert issue.metadata["published_at"] == "2026-02-01T00:00:00+00:00"
    assert [*listing.failed] == [
        (
            "llamahub://here/document 4",
            "nothing identifies it from one reading to the next; set `key` or `uri` by its metadata: number",
        ),
        ("llamahub://here/78", "it has no text"),
    ]
    assert not listing.complete  # nothing tells whether that was all


def test_a_reader_that_lists_its_resources_loads_those_that_are_asked_for(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "one.md").write_text("text of one")
    (tmp_path / "files" / "two.md").write_text("text of two")
    opened = source(tmp_path, reader="llama_index.core:SimpleDirectoryReader", arguments={"input_dir": "files"})
    listing = opened.list()
    assert listing.complete
    assert sorted(item.uri for item in listing.items) == [f"llamahub://here/files/{name}.md" for name in ("one", "two")]
    assert all(item.fingerprint and item.metadata["updated_at"] for item in listing.items)
    [two] = (item for item in listing.items if item.uri.endswith("two.md"))
    listing.expect([two])
    fetched = opened.fetch(two, Validators())
    assert fetched.content == b"text of two"
    assert fetched.metadata["updated_at"] == two.metadata["updated_at"]


SHARED = """
from llama_index.core.readers.base import BaseReader, ResourcesReaderMixin
from llama_index.core.schema import Document


class DriveReader(BaseReader, ResourcesReaderMixin):
    def list_resources(self):
        return ["plan", "wages"]

    def get_resource_info(self, resource_id):
        return {"last_modified": "2026-03-01"}

    def get_permission_info(self, resource_id):
        if resource_id == "wages":
            raise ConnectionError("no answer")
        return {"owner": "ann", "groups": ["desk", "lab"]}

    def load_resource(self, resource_id):
        return [Document(text=f"text of {resource_id}")]
"""


def test_whom_a_reader_names_may_read_and_nobody_where_it_fails_to(tmp_path):
    (tmp_path / "our_drive.py").write_text(SHARED)
    readers = ["user:{permissions.owner}", "group:{permissions.groups}"]
    opened = source(tmp_path, reader="our_drive", code=".", readers=readers)
    listing = opened.list()
    plan, wages = listing.items
    named = ["user:ann", "group:desk", "group:lab"]
    assert (plan.metadata["principals"], wages.metadata["principals"]) == (named, ["private"])
    listing.expect([plan, wages])
    assert opened.fetch(plan, Validators()).metadata["principals"] == named
    with pytest.raises(FetchError, match="ConnectionError: no answer"):
        opened.fetch(wages, Validators())


def test_a_package_of_llamahub_is_called_by_its_name(tmp_path):
    (tmp_path / "hours.json").write_text('{"monday": "9 to 5"}')
    settings = {"reader": "llama-index-readers-json", "load": {"input_file": "hours.json"}}
    with pytest.raises(SourceError, match="pip install llama-index-readers-no-such"):
        source(tmp_path, reader="no-such").list()
    with pytest.raises(SourceError, match="set `key` or `uri` by its metadata"):
        source(tmp_path, **settings).list()
    settings["load"]["extra_info"] = {"url": "https://example.org/hours"}
    [item] = source(tmp_path, **settings).list().items
    assert (item.uri, item.content) == ("https://example.org/hours", b'"monday": "9 to 5"')


class FilesWorld:
    """Files that a reader of LlamaHub lists."""

    deletes, refetches = True, False

    def __init__(self, home):
        self.home, self.files = home, home / "files"
        self.files.mkdir()

    def put(self, name, text):
        path = self.files / f"{name}.md"
        path.write_text(text)
        self.ticks = getattr(self, "ticks", 0) + 1
        os.utime(path, (self.ticks * 86400, self.ticks * 86400))  # the reader tells the day alone

    def remove(self, name):
        (self.files / f"{name}.md").unlink()

    def source(self):
        return source(self.home, reader="llama_index.core:SimpleDirectoryReader", arguments={"input_dir": "files"})

    def break_down(self):
        self.files.rename(self.home / "elsewhere")


class TestLlamaHub(ProcessContract):
    @pytest.fixture
    def world(self, tmp_path):
        return FilesWorld(tmp_path)
