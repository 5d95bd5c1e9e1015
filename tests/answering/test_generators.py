"""Several generators by name, one chosen for a question."""

import json

import pytest

from rag_platform.config.settings import GeneratorSettings, Settings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import GenerationError, SettingsError
from rag_platform.llm import OpenAICompatible
from rag_platform.workspace import open_workspace
from tests.chat_server import END, ROLE, chunk, refusal, serving

SAYS = [ROLE, chunk(reasoning="hm"), chunk("Employees get 25 days of paid leave [1]."), *END]
SECRETS = ("sk-very-secret", "hunter2", "open-sesame")


@pytest.fixture
def server():
    with serving() as running:
        running.script = [SAYS]
        yield running


@pytest.fixture
def home(tmp_path, server, monkeypatch):
    """A workspace with two servers of the same address, one of which needs a key and a header."""
    monkeypatch.setenv("FAST_KEY", SECRETS[0])
    monkeypatch.setenv("TEAM", SECRETS[2])
    (tmp_path / "rag.toml").write_text(
        f'[generator]\nbase_url = "{server.address}"\n\n'
        f'[generators.fast]\nbase_url = "{server.address}"\nmodel = "tiny"\napi_key_env = "FAST_KEY"\nmax_tokens = 99\n'
        'headers = { X-Team = "${TEAM}" }\nextra_body = { chat_template_kwargs = { enable_thinking = false } }\n'
    )
    return tmp_path


def test_a_request_is_made_as_its_table_says(home, server, hits):
    generator = open_workspace(home).generators.of("fast")
    assert "".join(piece for piece in generator.stream("Leave?", hits) if isinstance(piece, str)).startswith(
        "Employees"
    )
    (request,) = server.requests
    assert request["max_tokens"] == 99 and request["chat_template_kwargs"] == {"enable_thinking": False}
    assert server.keys == [f"Bearer {SECRETS[0]}"] and server.headers[0]["x-team"] == SECRETS[2]
    assert not any(secret in json.dumps(generator.parameters) for secret in SECRETS)


def test_names_and_health(home, server):
    generators = open_workspace(home).generators
    assert generators.names() == ("default", "fast", "extractive")
    first, fast, own = generators.health()
    assert (first.model, first.models, first.context, first.problem) == ("tiny", ("tiny",), 2048, None)
    assert fast.url == server.address and fast.took_ms > 0
    assert (own.name, own.url, own.problem) == ("extractive", None, None)
    server.health = (500, b"")
    assert "500" in generators.health()[0].problem
    server.models = refusal(401, f"Incorrect API key provided: {SECRETS[0]}, {SECRETS[2]}")
    asleep, fast, _ = generators.health()
    assert "OPENAI_API_KEY" in asleep.problem and "FAST_KEY" in fast.problem
    assert not any(secret in str(generators.health()[1]) for secret in SECRETS)


def test_a_password_in_an_address_is_not_shown(server):
    settings = GeneratorSettings(base_url=server.address.replace("http://", f"http://me:{SECRETS[1]}@"))
    client = OpenAICompatible(settings, pause=0.01)
    assert settings.shown_url == server.address and client.health().url == server.address
    server.script = [refusal(400, f"who is {SECRETS[1]}?")]
    with pytest.raises(GenerationError, match=r"who is \*\*\*\?") as caught:
        client.complete([])
    assert SECRETS[1] not in str(caught.value)


def test_a_generator_that_is_not_there(home):
    with pytest.raises(SettingsError, match="no generator 'slow'; expected one of: default, fast, extractive"):
        open_workspace(home).generators.of("slow")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ('[generators.a]\nmodel = "x"', "generators.a needs a base_url"),
        ('[generators.extractive]\nbase_url = "http://x/v1"', "names must differ"),
        ('[generator]\nname = "a"\nbase_url = "http://x/v1"\n[generators.a]\nbase_url = "http://x/v1"', "must differ"),
        ('[generators.a]\nname = "b"\nbase_url = "http://x/v1"', "leave its key `name` out"),
        ('[generators.a]\nbase_url = "http://x/v1"\nheader = 1', "generators.a.header"),
    ],
)
def test_tables_that_cannot_be(tmp_path, table, told):
    (tmp_path / "rag.toml").write_text(table)
    with pytest.raises(SettingsError, match=told):
        load_settings(tmp_path)


def test_a_variable_that_a_header_names_must_be_set(home, monkeypatch):
    monkeypatch.delenv("TEAM")
    with pytest.raises(SettingsError, match=r"generators\.fast\.headers\.X-Team: the variable TEAM is not set"):
        list(open_workspace(home).generators.of("fast").converse([]))
    assert "TEAM" in open_workspace(home).generators.health()[1].problem


def test_the_first_server_need_not_be_the_default():
    settings = Settings(generators={"a": {"base_url": "http://x/v1"}})
    assert list(settings.servers) == ["a"]
