import json
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest
from pydantic import ValidationError

from rag_platform.core.errors import FetchError, MassDeletion, MissingExtra, SettingsError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.sources.files.objects import Objects, ObjectsSource

ROOT = Path(__file__).parents[3]


@pytest.fixture
def make(shelf):
    def make(environ=None, **options):
        return Objects(ObjectsSource(id="s", kind="objects", **{**shelf.settings, **options}), environ=environ or {})

    return make


def uris(source):
    return [item.uri for item in source.list().items]


def read(source):
    return {item.uri: source.fetch(item, Validators()).content for item in source.list().items}


def test_all_pages_of_a_listing_and_the_bytes(make, shelf):
    names = ("a.md", "b c.md", "ü/#1?.txt", "deep/er/d.pdf", "empty.txt")
    shelf.objects = {f"books/{name}": b"" if name == "empty.txt" else name.encode() for name in names}
    shelf.objects |= {"books/": b"", "books2/x.md": b"other", "books/.git/config": b"hidden", "books/.env": b"hidden"}
    found = read(make())
    assert found == {f"s3://shelf/{key}": content for key, content in shelf.objects.items() if key[6:] in names}
    assert sum(query.startswith("list-type") for _, _, query in shelf.asked) == 4


def test_an_object_is_read_with_one_request(make, shelf):
    shelf.objects["books/a.md"] = b"text"
    read(make())
    assert [(how, key) for how, key, _ in shelf.asked if key] == [("GET", "books/a.md")]


def test_patterns_are_those_of_folders(make, shelf):
    shelf.objects = dict.fromkeys(("books/a.md", "books/b.pdf", "books/drafts/c.md", "books/old/x/d.md"), b"text")
    assert uris(make(include=["**/*.md"], exclude=["drafts/**", "old"])) == ["s3://shelf/books/a.md"]


def test_types_come_from_names_also_of_what_is_compressed(make, shelf):
    shelf.objects = {"books/page.html.gz": b"\x1f\x8bxx"}
    source = make()
    fetched = source.fetch(source.list().items[0], Validators())
    assert (fetched.content, fetched.content_type) == (b"\x1f\x8bxx", "text/html")


def test_a_large_object_is_not_read(make, shelf):
    shelf.objects["books/a.md"] = b"x" * 101
    source = make(max_bytes=100)
    with pytest.raises(FetchError, match="101 bytes, more than max_bytes = 100"):
        source.fetch(source.list().items[0], Validators())
    assert not [key for _, key, _ in shelf.asked if key]


@pytest.mark.parametrize("page", [1, 2])
def test_a_listing_that_breaks_off_is_an_error(make, shelf, page):
    shelf.objects = {f"books/{number}.md": b"text" for number in range(5)}
    shelf.faults[page] = [403]
    with pytest.raises(SourceError, match=r"s3://shelf/books of source 's' cannot be read.*Nothing was deleted"):
        make().list()


def test_a_failure_that_passes_is_tried_again(make, shelf):
    shelf.objects = {f"books/{number}.md": b"text" for number in range(5)}
    shelf.faults = {2: [500], "books/3.md": [503]}
    assert len(read(make())) == 5


def test_what_does_not_arrive_whole_is_not_taken(make, shelf):
    shelf.objects["books/a.md"] = b"a long text"
    shelf.cut.add("books/a.md")
    with pytest.raises(FetchError, match="was listed with 11"):
        read(make())


def test_an_object_that_goes_between_listing_and_reading(make, shelf):
    shelf.objects["books/a.md"] = b"text"
    source = make()
    (item,) = source.list().items
    shelf.objects.clear()
    with pytest.raises(FetchError):
        source.fetch(item, Validators())


def test_no_such_bucket_and_no_access_are_errors_without_secrets(make, shelf):
    with pytest.raises(SourceError, match="NoSuchBucket"):
        make(url="s3://nowhere/books").list()
    with pytest.raises(SourceError, match="AccessDenied") as caught:
        make(options={"key": "somebody", "secret": "${PASSWORD}"}, environ={"PASSWORD": "hunter2hunter2"}).list()
    assert "hunter2" not in str(caught.value)


def test_variables_in_options(make, shelf):
    shelf.objects["books/a.md"] = b"text"
    assert uris(make(options={"key": "${KEY}", "secret": "x"}, environ={"KEY": "reader"}))
    with pytest.raises(SettingsError, match=r"sources\[s\].options.key = .*KEY is not set"):
        make(options={"key": "${KEY}"})


def test_reading_without_credentials(make, shelf):
    shelf.objects["books/a.md"] = b"text"
    shelf.key = None
    assert uris(make(anon=True, options={})) == ["s3://shelf/books/a.md"]


def test_nothing_where_something_was_stops_and_asks(make, shelf, bench):
    shelf.objects = {f"books/{number}.md": b"text %d" % number for number in range(5)}
    bench(make())
    shelf.objects.clear()
    with pytest.raises(MassDeletion):
        bench(make())
    assert make().list().failed == [("s3://shelf/books", "there is no object below this address; check `url`")]


def test_a_server_that_is_down(make):
    with pytest.raises(SourceError, match="cannot be read"):
        make(endpoint_url="http://127.0.0.1:9", options={"key": "k", "secret": "s"}).list()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"url": "bucket/folder"}, "expected an address"),
        ({"url": "s3://"}, "expected an address"),
        ({"url": "sftp://me:secret@host/x"}, "without a password"),
        ({"url": "simplecache::s3://b/x"}, "expected an address"),
        ({"url": "https://example.org/x"}, "use kind = 'web'"),
        ({"url": "file:///etc"}, "use kind = 'folder'"),
        ({"url": "gcs://b/x", "anon": True}, "for s3:// alone"),
    ],
)
def test_wrong_addresses_are_refused(given, said):
    with pytest.raises(ValidationError, match=said):
        ObjectsSource(id="s", kind="objects", **given)


def test_a_missing_package_is_named(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install .*\[s3\]"):
        make().list()
    other = Objects(ObjectsSource(id="s", kind="objects", url="gcs://bucket/x"), environ={})
    with pytest.raises(SourceError, match=r"needs a package.*gcsfs"):
        other.list()


def test_one_folder_that_cannot_be_listed_is_an_error(tmp_path, monkeypatch):
    storage = fsspec.filesystem("memory")
    root = f"memory://{tmp_path}"
    for name in ("a/1.md", "b/2.md", "b/c/3.md"):
        storage.pipe_file(f"{root}/{name}", b"text")
    source = Objects(ObjectsSource(id="s", kind="objects", url=root), environ={})
    assert uris(source) == [f"{root}/a/1.md", f"{root}/b/2.md", f"{root}/b/c/3.md"]
    inner = type(storage).ls

    def ls(self, path, **options):
        if path.endswith("/c"):
            raise PermissionError(path)
        return inner(self, path, **options)

    monkeypatch.setattr(type(storage), "ls", ls)  # this storage has no permissions of its own to take away
    with pytest.raises(SourceError, match="/c"):
        source.list()


def test_a_sync_by_the_command_says_nothing_on_stderr(shelf, tmp_path, model_folder):
    shelf.objects = {"books/a.txt": b"The keeper of the lighthouse counts the ships that pass at night."}
    (tmp_path / "rag.toml").write_text(
        f'[[sources]]\nid = "shelf"\nkind = "objects"\nurl = "{shelf.settings["url"]}"\n'
        f'endpoint_url = "{shelf.settings["endpoint_url"]}"\noptions = {{ key = "reader", secret = "secret" }}\n'
    )
    command = [sys.executable, "-m", "rag_platform", "--home", str(tmp_path), "sync", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(done.stdout)["sources"]["shelf"]["new"] == 1
    assert done.stderr == ""
