"""Which check the settings name."""

from rag_platform.answering.checks.registry import open_check
from rag_platform.config.settings_file import settings_from
from rag_platform.llm.client import OpenAICompatible
from tests.chat_server import whole

VERDICT = '{"judgements": [{"pair": 1, "verdict": "contradicted"}]}'


def opened(text, folder, server=None):
    settings = settings_from(text, folder)
    return open_check(settings, lambda name: OpenAICompatible(settings.servers[name]) if server else object())


def test_without_a_check_or_a_server_for_it_there_is_none(tmp_path):
    assert opened("", tmp_path) is None
    assert opened('[answer]\ncheck = "llm"', tmp_path) is None


def test_a_classifier_is_opened_when_it_is_needed(tmp_path):
    assert opened('[answer]\ncheck = "nli"', tmp_path).name == "nli:nli-MiniLM2-L6-H768 b95119ce"


def test_the_generator_that_check_names_judges_and_its_judgements_are_kept(tmp_path, server):
    text = f"""
        [generators.judge]
        base_url = "{server.address}"
        [answer]
        check = "llm"
        [check]
        generator = "judge"
        timeout = 30
    """
    server.script = [whole(VERDICT)]
    for _ in range(2):
        (judgement,) = opened(text, tmp_path, server)([("claim", "source")])
        assert judgement.contradicted == 1
    assert len(server.requests) == 1 and (tmp_path / "data" / "checks" / "judgements.sqlite").exists()
