"""rag.toml and RAG_* variables to one frozen object; errors that name the key."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from rag_platform.config.settings import Settings
from rag_platform.config.settings_file import load_settings, settings_from
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
            "sources[a]: there is no kind of source 'ftp'; expected one of dlt, feed, folder, git, ",
        ),
        ('[[sources]]\nid = "a"\nkind = "web"\n', "expected `urls`, `sitemap` or `crawl`"),
        ('[[sources]]\nid = "A b"\nkind = "folder"\npath = "x"\n', "sources[A b].id = 'A b'"),
        ("[chunks]\nsize = 20\noverlap = 15\n", "overlap 15 is more than half of size 20"),
        ('[retrieval]\nmode = "magic"\n', "retrieval.mode = 'magic': expected 'lexical', 'vector'"),
        ('[retrieval]\ndepth = "x"\n', "retrieval.depth = 'x': expected a whole number"),
        ("[retrieval]\ndepth = 1.5\n", "retrieval.depth = 1.5: expected a whole number"),
        ("[retrieval]\ndepth = 0\n", "retrieval.depth = 0: expected at least 1"),
        ("[generator]\ntimeout = 0\n", "generator.timeout = 0: expected more than 0"),
        ('[retrieval]\nlexical_weight = "a"\n', "retrieval.lexical_weight = 'a': expected a number"),
        ('[retrieval]\nmerge = "maybe"\n', "retrieval.merge = 'maybe': expected true or false"),
        ("[model]\nname = 1\n", "model.name = 1: expected text"),
        ("[model]\nfolder = 1\n", "model.folder = 1: expected a path"),
        ('[access]\nadmins = "user:a"\n', "access.admins = 'user:a': expected a list"),
        ("retrieval = 1\n", "retrieval = 1: expected a table"),
        ("models = 1\n", "models = 1: expected a table"),
        ("sources = 1\n", "sources: expected a list"),
        ('[gate.floors]\nR = "x"\n', "gate.floors.R = 'x': expected a number"),
        (FOLDER + 'language = "English"\n', "sources[docs].language = 'English': expected an ISO 639 code"),
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[retreival]\nmode = "lexical"\n', "retreival: there is no such key; did you mean 'retrieval'?"),
        ('[retrieval]\nmdoe = "lexical"\n', "retrieval.mdoe: there is no such key; did you mean 'mode'?"),
        ('[models.new]\nnmae = "x"\n', "models.new.nmae: there is no such key; did you mean 'name'?"),
        (FOLDER + 'pth = "x"\n', "sources[docs].pth: there is no such key; did you mean 'path'?"),
        (
            '[[sources]]\nid = "a"\nkind = "feed"\nurls = ["https://e.org"]\nfetch = {dely = 3}\n',
            "sources[a].fetch.dely: there is no such key; did you mean 'delay'?",
        ),
        ('[[sources]]\nid = "a"\nkind = "fodler"\n', "did you mean 'folder'?"),
        ("[retrieval]\nzzz = 1\n", "there is no such key; see docs/settings.md"),
    ],
)
def test_a_mistyped_key_is_told_with_what_may_be_meant(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(_write(tmp_path, text))
    assert told in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [
        'pdf_passwords = ["hunter2"]',
        'pdf_passwords = "hunter2"',
        'secret_token = "hunter2"',
        "pdf_passwords = {hunter2 = 1}",
    ],
)
def test_a_wrong_value_that_may_be_a_secret_is_not_shown(tmp_path: Path, line: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(_write(tmp_path, FOLDER + line))
    assert "rag.toml: sources[docs]." in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_variable_of_a_whole_table_that_is_no_json_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_GATE", "ndcg")
    with pytest.raises(SettingsError, match="the variable RAG_GATE: expected the value of gate in JSON"):
        load_settings(tmp_path)


def test_an_address_with_a_password_is_shown_without_it(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(_write(tmp_path, '[dagster]\nurl = "ftp://ilse:hunter2@example.org"\n'))
    assert "dagster.url = 'ftp://example.org': expected the address" in str(raised.value)


def test_a_source_names_a_model_that_is_there(tmp_path: Path) -> None:
    source = '[[sources]]\nid = "minutes"\nkind = "folder"\npath = "."\nmodel = "new"\n'
    (tmp_path / "rag.toml").write_text(source + '[models.new]\nname = "multilingual-e5-small"\n')
    settings = load_settings(tmp_path)
    assert settings.model_of("minutes").name == "multilingual-e5-small"
    (tmp_path / "rag.toml").write_text(source + "[models.other]\n")
    with pytest.raises(SettingsError, match=r"sources: source 'minutes' has model = 'new'; expected one of: other"):
        load_settings(tmp_path)


def test_a_check_names_a_generator_that_is_there(tmp_path: Path) -> None:
    judge = '[generators.judge]\nbase_url = "http://127.0.0.1:1/v1"\n[check]\ngenerator = '
    assert settings_from(judge + '"judge"', tmp_path).check.generator == "judge"
    with pytest.raises(SettingsError, match=r"check.generator = 'judg'; expected one of: judge"):
        settings_from(judge + '"judg"', tmp_path)


def test_a_wrong_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_RETRIEVAL__DEPTH", "many")
    with pytest.raises(SettingsError, match=r"the variable RAG_RETRIEVAL__DEPTH: retrieval\.depth = 'many'"):
        load_settings(tmp_path)


def test_settings_are_frozen_and_an_unknown_source_is_told(tmp_path: Path) -> None:
    settings = load_settings(_write(tmp_path, FOLDER))
    with pytest.raises(ValidationError):
        settings.chunks.size = 3
    with pytest.raises(SettingsError, match=r"no source has the id 'news'; known: docs$"):
        settings.source("news")
    with pytest.raises(SettingsError, match="known: docs; did you mean 'docs'"):
        settings.source("dosc")


def test_the_multilingual_model_is_a_known_one_or_a_table_of_models(tmp_path) -> None:
    def read(text: str) -> Settings:
        return settings_from(text, tmp_path)

    default = read('[model]\nprecision = "fp32"')
    assert (default.multilingual.name, default.multilingual.precision) == ("multilingual-e5-small", "fp32")
    assert read('[model]\nmultilingual = ""').multilingual is None
    assert read('[model]\nname = "m"\nmultilingual = "m"').multilingual is None
    named = read('[model]\nmultilingual = "mine"\n[models.mine]\nname = "own"')
    assert named.multilingual == named.models["mine"]


@pytest.mark.parametrize(("stated", "read"), [('"auto"', "auto"), ("true", True), ("false", False)])
def test_cross_language_is_automatic_or_not(tmp_path, stated, read) -> None:
    assert settings_from(f"[model]\ncross_language = {stated}", tmp_path).model.cross_language == read


def test_cross_language_may_come_from_the_environment(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RAG_MODEL__CROSS_LANGUAGE", "false")
    assert settings_from("", tmp_path).model.cross_language is False
