"""Git repositories, read by the real Git: from a folder, and over HTTP from Git's own server."""

import base64
import os
import shutil
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic import ValidationError

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.sources.repositories.git import Git, GitSource
from tests.loopback import LoopbackHandler, LoopbackServer, free_port, running

PLAIN = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": os.devnull}
LONG = "".join(f"Line {number} of what the weir is for.\n" for number in range(20))


class Repository:
    """A repository that people work in; each commit is a day later than the one before."""

    def __init__(self, folder):
        self.folder, self.days = folder, 0
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments, author="Ada"):
        date = f"2026-01-{self.days:02}T12:00:00Z"
        about = {"NAME": author, "EMAIL": f"{author}@example.org", "DATE": date}
        names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in about.items()}
        command = ["git", "-C", self.folder, *arguments]
        return subprocess.run(command, check=True, capture_output=True, env=PLAIN | names).stdout.decode().strip()

    def commit(self, *, author="Ada", **files):
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_md", ".md")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.days += 1
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change", author=author)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    made = Repository(tmp_path / "work")
    made.commit(weir_md=LONG, guide__mill_md="The mill grinds from dawn to dusk.", **{".hidden": "secret"})
    return made


@pytest.fixture
def opened(tmp_path, repository):
    def opened(url=None, **given):
        given = {"id": "docs", "kind": "git", "url": url or str(repository.folder), **given}
        return Git(GitSource(**given), Context(tmp_path, cache=tmp_path / "cache"))

    return opened


def texts(source):
    listing = source.list()
    listing.expect(listing.items)
    return {item.uri: source.fetch(item, Validators()).content.decode() for item in listing.items}


def facts(source, uri):
    return next(item.metadata for item in source.list().items if item.uri == uri)


def test_files_of_the_branch_are_read_and_nothing_is_checked_out(opened, repository, tmp_path):
    assert texts(opened()) == {"docs/weir.md": LONG, "docs/guide/mill.md": "The mill grinds from dawn to dusk."}
    assert not [*(tmp_path / "cache").rglob("weir.md")]


def test_only_commits_and_directories_are_kept(opened, tmp_path):
    texts(opened())
    command = ["git", "--git-dir", tmp_path / "cache" / "clone.git", "cat-file", "--batch-all-objects", "--batch-check"]
    kept = subprocess.run(command, check=True, capture_output=True, env=PLAIN).stdout.decode()
    assert {line.split()[1] for line in kept.splitlines()} == {"commit", "tree"}


def test_dates_and_authors_come_from_history(opened, repository):
    repository.commit(author="Grace", weir_md=LONG + "More.\n")
    repository.commit(author="Grace", weir_md=LONG + "Still more.\n")
    found = facts(opened(), "docs/weir.md")
    assert (found["published_at"], found["updated_at"]) == ("2026-01-01T12:00:00+00:00", "2026-01-03T12:00:00+00:00")
    assert found["author"] == "Grace"
    assert facts(opened(), "docs/guide/mill.md")["updated_at"] == "2026-01-01T12:00:00+00:00"


def test_a_renamed_file_stays_the_same_document_also_when_its_text_changed(opened, repository, bench):
    bench(opened(), source_id="docs")
    repository.git("mv", "weir.md", "dam.md")
    repository.commit(dam_md=LONG + "It is called a dam now.\n")
    tally = bench(opened(), source_id="docs")
    row = next(row for row in bench.table.iter_rows(named=True) if row["uri"] == "docs/dam.md")
    assert (tally.new, tally.gone, row["renamed_from"]) == (1, 1, "docs/weir.md")
    assert facts(opened(), "docs/dam.md")["published_at"] == "2026-01-01T12:00:00+00:00"


def test_a_folder_may_be_renamed_though_all_files_move(opened, repository, bench):
    bench(opened(), source_id="docs")
    (repository.folder / "all").mkdir()
    repository.git("mv", "weir.md", "guide", "all")
    repository.commit()
    tally = bench(opened(), source_id="docs")
    assert (tally.new, tally.gone) == (2, 2)


def test_history_learnt_bit_by_bit_equals_history_read_at_once(opened, repository, tmp_path):
    for number in range(4):
        opened().list()
        repository.git("checkout", "-q", "-b", f"side{number}")
        repository.commit(author="Grace", **{f"n{number}_md": LONG * number})
        repository.git("checkout", "-q", "main")
        repository.commit(weir_md=LONG + str(number))
        repository.git("merge", "-q", "--no-edit", f"side{number}")
        repository.git("mv", f"n{number}.md", f"m{number}.md")
        repository.commit()
    step_by_step = opened().list().items
    whole = Git(opened()._settings, Context(tmp_path, cache=tmp_path / "other")).list().items
    assert [(item.uri, item.metadata) for item in step_by_step] == [(item.uri, item.metadata) for item in whole]
    assert "Grace" in {item.metadata["author"] for item in whole}


def test_rewritten_history_is_read_anew(opened, repository):
    opened().list()
    repository.git("checkout", "-q", "--orphan", "fresh")
    repository.commit(weir_md="Another weir.")
    repository.git("branch", "-M", "main")
    assert facts(opened(), "docs/weir.md")["published_at"] == "2026-01-02T12:00:00+00:00"


def test_without_history_there_are_no_dates(opened, repository):
    repository.commit(weir_md="Another weir.")
    assert facts(opened(history=False), "docs/weir.md") == {}
    assert "updated_at" in facts(opened(history=True), "docs/weir.md")


def test_a_branch_a_tag_and_a_commit_can_be_named(opened, repository):
    first = repository.git("rev-parse", "HEAD")
    repository.git("tag", "v1")
    repository.git("branch", "stable/one")
    repository.commit(weir_md="Another weir.")
    assert texts(opened())["docs/weir.md"] == "Another weir."
    for ref in ("v1", "stable/one", first):
        assert texts(opened(ref=ref))["docs/weir.md"] == LONG
    with pytest.raises(SourceError, match="couldn't find remote ref"):
        opened(ref="none").list()


def test_addresses_follow_a_template(opened, repository):
    repository.commit(**{"a b_md": "A page with a space."})
    uris = {item.uri for item in opened(uri="https://wiki.example.org/-/wikis/{page}").list().items}
    assert "https://wiki.example.org/-/wikis/guide/mill" in uris
    assert "https://wiki.example.org/-/wikis/a%20b" in uris


def test_of_two_files_with_one_address_the_first_is_read_and_the_other_said(opened, repository, bench):
    repository.commit(**{"weir.txt": "Another weir."})
    source = opened(uri="https://wiki.example.org/{page}", include=["weir.*"])
    tally = bench(source, source_id="docs")
    assert [uri for uri, why in tally.failed if "more than once" in why] == ["https://wiki.example.org/weir"]
    first = source.list().items[0]
    assert source.fetch(first, Validators()).content.decode() == LONG


def test_a_pointer_of_lfs_and_a_submodule_are_said(opened, repository):
    repository.commit(big_md="version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    head = repository.git("rev-parse", "HEAD")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},part")
    repository.git("commit", "-q", "-m", "a submodule")
    source = opened()
    listing = source.list()
    assert [uri for uri, why in listing.failed if "submodule" in why] == ["docs/part"]
    [big] = [item for item in listing.items if item.uri == "docs/big.md"]
    with pytest.raises(FetchError, match="Git LFS"):
        source.fetch(big, Validators())


def test_a_file_that_is_too_large_is_not_read(opened):
    source = opened(max_bytes=50)
    listing = source.list()
    [weir] = [item for item in listing.items if item.uri == "docs/weir.md"]
    with pytest.raises(FetchError, match="more than max_bytes = 50"):
        source.fetch(weir, Validators())


def test_nothing_that_a_repository_or_a_person_set_up_is_run(opened, repository, tmp_path, monkeypatch):
    trace = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> {trace}\ncat\n")
    program.chmod(0o755)
    for hook in ("post-checkout", "reference-transaction", "post-merge", "pre-auto-gc"):
        (tmp_path / "hooks").mkdir(exist_ok=True)
        (tmp_path / "hooks" / hook).symlink_to(program)
    mine = tmp_path / "gitconfig"
    mine.write_text(f'[core]\nhooksPath = {tmp_path}/hooks\nfsmonitor = {program}\n[filter "x"]\nsmudge = {program}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
    repository.commit(**{".gitattributes": "* filter=x diff=x\n"})
    texts(opened())
    assert not trace.exists()


@pytest.mark.parametrize("url", ["ext::sh -c touch% /tmp/x", "--upload-pack=touch", "ftp://example.org/x", "fd::17"])
def test_addresses_that_run_something_are_refused(url):
    with pytest.raises(ValidationError, match="expected https://"):
        GitSource(id="docs", kind="git", url=url)


def test_a_password_does_not_stand_in_the_file():
    with pytest.raises(ValidationError, match="secret:NAME"):
        GitSource(id="docs", kind="git", url="https://ada:hunter2@example.org/x.git")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://ada:hunter2@example.org/x", "expected https://"),
        ("https://ada:hunter2@example.org:99999/x", "Port out of range"),
        ("ssh://ada:hunter2@example.org/x", "a key"),
    ],
)
def test_an_address_that_is_a_secret_is_refused_without_showing_it(opened, monkeypatch, url, why):
    monkeypatch.setenv("WHERE", url)
    with pytest.raises(SourceError, match=why) as refusal:
        opened("${WHERE}").list()
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize("ref", ["--upload-pack=x", "a:b", "+main", "a b", "../x"])
def test_refs_that_are_no_names_are_refused(ref):
    with pytest.raises(ValidationError):
        GitSource(id="docs", kind="git", url="https://example.org/x.git", ref=ref)


def test_what_is_no_repository_is_an_error(opened, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="Nothing was deleted"):
        opened(str(tmp_path / "empty")).list()
    with pytest.raises(SourceError, match="there is no folder"):
        opened(str(tmp_path / "none")).list()


class Backend(LoopbackHandler):
    """Git's own program for servers, for those who give the password."""

    def do_GET(self):
        self.server.asked.append(self.path)
        self.server.awake.wait()
        body = self.body()
        if (self.headers.get("authorization") or "") != self.server.expected:
            self.answer(b"", 401, {"www-authenticate": "Basic"})
            return
        parts = urlsplit(self.path)
        variables = {
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": parts.path,
            "QUERY_STRING": parts.query,
            "CONTENT_TYPE": self.headers.get("content-type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": self.headers.get("git-protocol", ""),
        }
        command = ["git", "http-backend"]
        made = subprocess.run(command, check=True, input=body, capture_output=True, env=PLAIN | variables).stdout
        head, _, content = made.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        headers = {name.lower(): value for name, value in headers.items()}
        self.answer(content, int(headers.pop("status", "200").split()[0]), headers)

    def do_POST(self):
        self.do_GET()


@pytest.fixture
def server(repository):
    server = LoopbackServer(Backend)
    server.root, server.asked, server.awake = repository.folder.parent, [], threading.Event()
    server.awake.set()
    server.expected = "Basic " + base64.b64encode(b"ada:x y").decode()
    with running(server):
        yield server


def test_a_repository_is_read_over_http_with_a_password(opened, repository, server, monkeypatch, tmp_path):
    monkeypatch.setenv("GIT_PASSWORD_HERE", "x y")
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"http://ada:${{GIT_PASSWORD_HERE}}@127.0.0.1:{server.server_port}/work/.git"
    near = {"fetch": FetchSettings(allow_private=True)}
    assert texts(opened(url, **near))["docs/weir.md"] == LONG
    before = len(server.asked)
    repository.commit(weir_md="Another weir.")
    assert texts(opened(url, **near))["docs/weir.md"] == "Another weir."
    assert len(server.asked) - before < 10
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file() and b"x y" in path.read_bytes()]
    monkeypatch.setenv("GIT_PASSWORD_HERE", "wrong")
    with pytest.raises(SourceError) as refusal:
        opened(url, **near).list()
    assert "wrong" not in str(refusal.value)
    with pytest.raises(SourceError, match="not public"):
        opened(url).list()


def test_a_server_that_sends_all_is_read_too(opened, server, monkeypatch):
    monkeypatch.setenv("GIT_PASSWORD_HERE", "x y")
    url = f"http://ada:${{GIT_PASSWORD_HERE}}@127.0.0.1:{server.server_port}/work/.git"
    assert texts(opened(url, fetch=FetchSettings(allow_private=True)))["docs/weir.md"] == LONG


def test_a_server_that_falls_silent_is_not_waited_for(opened, server, repository, monkeypatch):
    monkeypatch.setenv("GIT_PASSWORD_HERE", "x y")
    repository.git("config", "uploadpack.allowFilter", "true")
    url = f"http://ada:${{GIT_PASSWORD_HERE}}@127.0.0.1:{server.server_port}/work/.git"
    source = opened(url, fetch=FetchSettings(allow_private=True))
    items = source.list().items
    server.awake.clear()
    server.handle_error = lambda *_: None  # it will write to who has gone
    source._process._seconds = 0.2
    timer = threading.Timer(20, server.awake.set)
    timer.start()
    with pytest.raises(FetchError, match="could not be had"):
        source.fetch(items[0], Validators())
    assert not server.awake.is_set()
    timer.cancel()
    server.awake.set()


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    """Serve the machine's repositories over SSH on loopback, with a key of its own; gives the address before a path."""
    sshd = shutil.which("sshd", path=os.pathsep.join(("/usr/sbin", os.environ["PATH"])))
    client = shutil.which("ssh")
    if not (sshd and client and shutil.which("ssh-keygen")) or os.geteuid():
        pytest.skip("no OpenSSH server that may be started is installed (apt-get install openssh-server)")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    port = free_port()
    (tmp_path / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {tmp_path}/host\nPidFile none\nStrictModes no\nUsePAM no\n"
        f"AuthorizedKeysFile {tmp_path}/user.pub\nPermitRootLogin prohibit-password\n"
    )
    key = (tmp_path / "host.pub").read_text()
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {key}")
    (tmp_path / "config").write_text(f"IdentityFile {tmp_path}/user\nUserKnownHostsFile {tmp_path}/known\n")
    (tmp_path / "bin").mkdir()
    own = tmp_path / "bin" / "ssh"  # the user's own keys and hosts are left alone
    own.write_text(f'#!/bin/sh\nexec {client} -F {tmp_path}/config "$@"\n')
    own.chmod(0o755)
    monkeypatch.setenv("PATH", f"{own.parent}{os.pathsep}{os.environ['PATH']}")
    Path("/run/sshd").mkdir(exist_ok=True)
    server = subprocess.Popen([sshd, "-D", "-e", "-f", tmp_path / "sshd_config"], stderr=subprocess.PIPE)
    assert b"listening" in server.stderr.readline()
    yield f"ssh://root@127.0.0.1:{port}"
    server.terminate()
    server.communicate()


def test_a_repository_is_read_over_ssh(ssh, opened, repository, tmp_path):
    source = opened(f"{ssh}{repository.folder}", fetch={"allow_private": True})
    assert any("The mill grinds" in text for text in texts(source).values())
    repository.commit(weir_md="The weir was opened.")
    assert "The weir was opened." in texts(opened(f"{ssh}{repository.folder}", fetch={"allow_private": True})).values()
    (tmp_path / "known").write_text("")
    with pytest.raises(SourceError, match="Host key verification failed"):
        opened(f"{ssh}{repository.folder}", fetch={"allow_private": True}).list()
