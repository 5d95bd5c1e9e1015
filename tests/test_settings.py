"""rag.toml and RAG_* variables to one frozen object; errors that name the key."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from rag_platform.config.settings import load_settings
from rag_platform.core.errors import SettingsError


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAG_HOME", raising=False)


def _write(folder: Path, text: str) -> Path:
    (folder / "rag.toml").write_text(text, encoding="utf-8")
    return folder


FOLDER = '[[sources]]\nid = "docs"\nkind = "folder"\npath = "docs"\n'


def test_without_a_file_there_are_defaults_and_no_sources(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert settings.sources == ()
    assert settings.data == tmp_path / "data"


def test_a_variable_overrides_one_key_and_leaves_its_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_RETRIEVAL__MODE", "lexical")
    settings = load_settings(_write(tmp_path, '[retrieval]\nmode = "vector"\ndepth = 7\n'))
    assert (settings.retrieval.mode, settings.retrieval.depth) == ("lexical", 7)


def test_home_comes_from_the_variable_when_no_argument_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_HOME", str(_write(tmp_path, FOLDER)))
    assert load_settings().home == tmp_path
    other = tmp_path / "other"
    other.mkdir()
    assert load_settings(other).home == other


def test_a_source_starts_from_the_common_fetch_table(tmp_path: Path) -> None:
    source = '[[sources]]\nid = "n"\nkind = "feed"\nurls = ["https://e.org/f"]\nfetch = {delay = 3}\n'
    text = f"[fetch]\ndelay = 2\nretries = 5\n{source}"
    (source,) = load_settings(_write(tmp_path, text)).sources
    assert (source.fetch.delay, source.fetch.retries) == (3, 5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FOLDER + "pth = 1\n", "sources[docs].pth: there is no such key"),
        (FOLDER + 'schedule = "daily"\n', "sources[docs].schedule = 'daily': expected five cron fields"),
        (FOLDER + FOLDER, "two sources have the id 'docs'"),
        ('[[sources]]\nid = "a"\nkind = "folder"\n', "sources[a].path: this key is required"),
        (
            '[[sources]]\nid = "a"\nkind = "ftp"\n',
            "sources[a]: there is no kind of source 'ftp'; expected one of feed, folder, objects, ",
        ),
        ('[[sources]]\nid = "a"\nkind = "web"\n', "expected `urls`, `sitemap` or `crawl`"),
        ('[[sources]]\nid = "A b"\nkind = "folder"\npath = "x"\n', "sources[A b].id = 'A b'"),
        ("[chunks]\nsize = 20\noverlap = 15\n", "overlap 15 is more than half of size 20"),
        ('[retrieval]\nmode = "magic"\n', "retrieval.mode = 'magic': Input should be 'lexical', 'vector'"),
        ("[retrieval\n", "not valid TOML"),
        ('home = "/x"\n', "home cannot be set in the file"),
    ],
)
def test_an_error_names_file_key_and_what_was_expected(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(_write(tmp_path, text))
    assert told in str(raised.value)
    assert "rag.toml" in str(raised.value)
    assert raised.value.exit_code == 2


def test_a_source_names_a_model_that_is_there(tmp_path: Path) -> None:
    source = '[[sources]]\nid = "minutes"\nkind = "folder"\npath = "."\nmodel = "new"\n'
    (tmp_path / "rag.toml").write_text(source + '[models.new]\nname = "multilingual-e5-small"\n')
    settings = load_settings(tmp_path)
    assert settings.model_of("minutes").name == "multilingual-e5-small"
    (tmp_path / "rag.toml").write_text(source + "[models.other]\n")
    with pytest.raises(SettingsError, match=r"sources: source 'minutes' has model = 'new'; expected one of: other"):
        load_settings(tmp_path)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_RETRIEVAL__DEPTH", "many")
    with pytest.raises(SettingsError, match=r"the variable RAG_RETRIEVAL__DEPTH: retrieval\.depth = 'many'"):
        load_settings(tmp_path)


def test_settings_are_frozen_and_an_unknown_source_is_told(tmp_path: Path) -> None:
    settings = load_settings(_write(tmp_path, FOLDER))
    with pytest.raises(ValidationError):
        settings.chunks.size = 3
    with pytest.raises(SettingsError, match="no source has the id 'news'; known: docs"):
        settings.source("news")
