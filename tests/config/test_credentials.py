"""Secrets: encrypted at rest, for their owner alone, in nothing that is shown or kept."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest
import zstandard

from rag_platform.config.os_keyring import Keyring
from rag_platform.config.placeholders import expand
from rag_platform.config.secrets import open_secrets
from rag_platform.config.vault import Vault
from rag_platform.core.errors import SecretError
from tests.sources.sakai_site import PASSWORD, USER, Sakai

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["passphrase", "key file"])
def vault(request, tmp_path):
    return Vault(tmp_path / "secrets.enc", "correct horse" if request.param == "passphrase" else None, tmp_path / "key")


def test_secrets_are_kept_encrypted_and_for_their_owner_alone(vault, tmp_path):
    old = os.umask(0)
    try:
        vault.put("moodle", "canary ☂")
        vault.put("desk", "other")
    finally:
        os.umask(old)
    assert (vault.get("moodle"), vault.get("desk"), vault.get("none")) == ("canary ☂", "other", None)
    assert vault.names() == ["desk", "moodle"]
    assert b"canary" not in vault.path.read_bytes()
    assert b"moodle" not in vault.path.read_bytes()
    files = [path for path in (vault.path, tmp_path / "key") if path.exists()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert (vault.delete("desk"), vault.delete("desk"), vault.names()) == (True, False, ["moodle"])


def test_every_changed_byte_is_noticed(vault):
    vault.put("moodle", "canary")
    content = vault.path.read_bytes()
    for place in range(0, len(content), 3):
        vault.path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(SecretError) as told:
            vault.get("moodle")
        assert "canary" not in str(told.value)
    vault.path.write_bytes(content[:-1])
    with pytest.raises(SecretError, match="cannot be opened"):
        vault.get("moodle")


@pytest.mark.parametrize(
    ("kept", "asked", "message"),
    [
        ("one", "two", "RAG_SECRETS_KEY is another passphrase"),
        ("one", None, "RAG_SECRETS_KEY is not set"),
        (None, "two", "written with the key file"),
    ],
)
def test_a_wrong_key_says_what_to_do(tmp_path, kept, asked, message):
    Vault(tmp_path / "s", kept, tmp_path / "key").put("a", "b")
    with pytest.raises(SecretError, match=message):
        Vault(tmp_path / "s", asked, tmp_path / "key").put("a", "c")


def test_a_lost_or_exchanged_key_file_is_told(tmp_path):
    vault = Vault(tmp_path / "s", None, tmp_path / "key")
    vault.put("a", "b")
    (tmp_path / "key").unlink()
    with pytest.raises(SecretError, match="bring the file back"):
        vault.get("a")
    Vault(tmp_path / "t", None, tmp_path / "key").put("a", "b")
    with pytest.raises(SecretError, match=r"the key file .* is another one"):
        vault.get("a")


def test_two_writers_lose_nothing(tmp_path):
    def write(name):
        Vault(tmp_path / "s", None, tmp_path / "key").put(name, name)

    Vault(tmp_path / "s", None, tmp_path / "key").put("first", "1")
    threads = [threading.Thread(target=write, args=(f"n{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(Vault(tmp_path / "s", None, tmp_path / "key").names()) == 9


@pytest.fixture
def ring():
    """A real keyring of the package `keyring`, in memory."""
    keyring = pytest.importorskip("keyring")

    class Memory(keyring.backend.KeyringBackend):
        priority = 1

        def __init__(self):
            super().__init__()
            self.kept = {}

        def get_password(self, service, username):
            return self.kept.get((service, username))

        def set_password(self, service, username, password):
            self.kept[service, username] = password

        def delete_password(self, service, username):
            del self.kept[service, username]

    before, memory = keyring.get_keyring(), Memory()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


def test_the_keyring_is_used_where_there_is_one(ring, tmp_path):
    secrets = open_secrets("auto", tmp_path, tmp_path / "s", None)
    assert isinstance(secrets, Keyring)
    secrets.put("moodle", "canary")
    assert (secrets.get("moodle"), secrets.names()) == ("canary", ["moodle"])
    assert Keyring(tmp_path / "another").get("moodle") is None
    assert (secrets.delete("moodle"), secrets.delete("moodle"), secrets.names()) == (True, False, [])
    assert not (tmp_path / "s").exists()


def test_without_a_keyring_there_is_the_file(tmp_path):
    keyring = pytest.importorskip("keyring")
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    try:
        assert isinstance(open_secrets("auto", tmp_path, tmp_path / "s", None), Vault)
        with pytest.raises(SecretError, match="this machine has no keyring"):
            open_secrets("keyring", tmp_path, tmp_path / "s", None)
    finally:
        keyring.set_keyring(before)


def test_placeholders_stand_for_secrets_and_variables(tmp_path):
    vault = Vault(tmp_path / "s", None, tmp_path / "key")
    vault.put("desk", "p@ss")
    made = expand("db://${DB_USER}:${secret:desk}@host", vault, {"DB_USER": "ada"})
    assert made.value == "db://ada:p@ss@host"
    assert "p@ss" not in repr(made)
    assert made.hide("no login for ada with p%40ss or p@ss") == "no login for *** with *** or ***"
    with pytest.raises(SecretError, match="rag secret set none"):
        expand("${secret:none}", vault, {})
    with pytest.raises(SecretError, match="the variable NONE is not set"):
        expand("${NONE}", vault, {})


# --- the command line: no terminal is needed, and the secret is nowhere ----------------------------------


def rag(home, *arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "rag_platform", "--home", str(home), *arguments],
        cwd=ROOT,
        env={**os.environ, "RAG_SECRETS_KEY": "correct horse", "RAG_SECRETS__STORE": "file"},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        start_new_session=True,  # as under cron: no terminal
    )


def everything(folder):
    """Yield each file below a folder with its bytes, unpacked where it is packed."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes()
        yield path, content
        if path.suffix == ".zst":
            yield path, zstandard.decompress(content)
        elif path.suffix == ".parquet":
            yield path, json.dumps(pl.read_parquet(path).drop("vector", strict=False).to_dicts(), default=str).encode()
        elif content.startswith(b"SQLite format 3"):
            with sqlite3.connect(path) as connection:
                yield path, "\n".join(connection.iterdump()).encode("utf-8", "surrogateescape")
            connection.close()


@pytest.mark.slow
@pytest.mark.browser
def test_a_sync_leaves_the_secret_and_the_session_nowhere(tmp_path, model_folder):
    pytest.importorskip("playwright.sync_api")
    home, sakai = tmp_path / "home", Sakai()
    home.mkdir()
    (home / "rag.toml").write_text(
        f'[[sources]]\nid = "uni"\nkind = "portal"\nprofile = "sakai"\nurl = "{sakai.url}"\nuser = "{USER}"\n'
        'password = "${secret:moodle}"\ntools = ["announcement", "lesson", "resource", "assignment"]\n'
        "fetch = { allow_private = true }\n"
    )
    said = []
    try:
        said.append(rag(home, "secret", "set", "moodle", stdin="wrong-canary-1\n"))
        said.append(rag(home, "portal", "login", "uni"))
        assert said[-1].returncode == 1
        assert "did not accept the user and the password" in said[-1].stderr
        assert len(sakai.logins) == 1
        said.append(rag(home, "secret", "set", "moodle", stdin=f"{PASSWORD}\n"))
        said.append(rag(home, "sync", "uni", "--json"))
        assert said[-1].returncode == 0, said[-1].stdout + said[-1].stderr
        assert json.loads(said[-1].stdout)["sources"]["uni"]["new"] == 8
        (tmp_path / "cookies.txt").write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tJSESSIONID\t{sakai.log_in_by_hand()}\n")
        said.append(rag(home, "portal", "cookies", "uni", str(tmp_path / "cookies.txt"), "--json"))
        assert json.loads(said[-1].stdout) == {"source": "uni", "logged_in": True, "cookies": 1}
        said.append(rag(home, "secret", "list"))
        assert said[-1].stdout == "moodle\n"
    finally:
        sakai.close()
    hidden = ["wrong-canary-1", PASSWORD, "canary-Pa55", *sakai.sessions, "correct horse"]
    files = list(everything(home))
    assert sum(path.suffix == ".zst" for path, _ in files) >= 8
    assert (home / "data" / "sessions.enc").stat().st_mode & 0o777 == 0o600
    for secret in hidden:
        for form in {secret, json.dumps(secret)[1:-1]}:
            assert not [path for path, content in files if form.encode() in content], secret
            assert not [done.args for done in said if form in done.stdout + done.stderr], secret
