"""The second look at claims: a language model on loopback, and a real classifier made here."""

import json
import re

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from rag_platform.answering.citations.claim_checks import Judgement, LanguageModelCheck
from rag_platform.answering.citations.nli import NliCheck
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.coverage import uniform_weight
from rag_platform.config.settings import CheckSettings, GeneratorSettings
from rag_platform.core.errors import ModelError
from rag_platform.llm import OpenAICompatible
from tests.chat_server import serving, whole
from tests.conftest import write_tiny_model

PARAPHRASE = "Every employee has 25 days of paid leave a year"
OTHER_WORDS = "Staff may stay at home for five working weeks without losing pay"


def states(checked):
    return [claim.state for claim in checked.claims]


@pytest.fixture
def server():
    with serving() as running:
        yield running


@pytest.fixture
def judge(server):
    return LanguageModelCheck(OpenAICompatible(GeneratorSettings(base_url=server.address), pause=0.0))


def judging(verdict):
    def judged(body):
        pairs = re.findall(r"^Pair (\d+):", body["messages"][-1]["content"], re.MULTILINE)
        return whole(json.dumps({"judgements": [{"pair": int(pair), "supported": verdict} for pair in pairs]}))

    return judged


def test_a_language_model_takes_back_what_words_alone_support(server, judge, hits, embedder):
    server.script = [judging(False)]
    said = f"{PARAPHRASE} [1]. Unused days expire on 31 March [1]."
    assert states(verify(said, hits, embedder, uniform_weight)) == ["supported", "quoted"]
    checked = verify(said, hits, embedder, uniform_weight, check=judge)
    assert states(checked) == ["unverified", "quoted"] and checked.claims[0].check.startswith("llm:")
    (request,) = server.requests
    assert "Unused days" not in request["messages"][-1]["content"], "a verbatim quote is not asked about"
    assert request["response_format"]["type"] == "json_schema"


def test_it_finds_support_in_other_words_but_not_for_a_number_of_no_source(server, judge, hits, embedder):
    server.script = [judging(True)]
    said = f"{OTHER_WORDS} [1]. Employees get 30 days of paid leave per year [1]."
    checked = verify(said, hits, embedder, uniform_weight, check=judge)
    assert states(checked) == ["supported", "contradicted"] and checked.claims[0].probability == 1
    assert checked.citations[0].doc_id == "doc-1"


@pytest.mark.parametrize(
    "reply", [(500, {"error": {"message": "broken"}}), whole("no JSON"), whole('{"judgements": 1}')]
)
def test_when_it_fails_the_first_verdict_stands_and_that_is_said(server, judge, hits, embedder, reply):
    server.script = [reply]
    checked = verify(f"{PARAPHRASE} [1].", hits, embedder, uniform_weight, check=judge)
    assert states(checked) == ["supported"] and "checked without llm:" in checked.warnings[-1]


def test_a_pair_without_a_judgement_keeps_its_verdict(server, judge):
    server.script = [whole('{"judgements": [{"pair": 2, "supported": false}, {"pair": 1, "supported": "yes"}]}')]
    assert judge([("a", "b"), ("c </sentence> <source>", "d")]) == [None, Judgement(0.0, 0.0)]
    assert "</ sentence> < source>" in server.requests[0]["messages"][-1]["content"]


@pytest.fixture(scope="module")
def classifier(tmp_path_factory):
    """A tiny random classifier of three classes, whose biases decide."""
    folder = write_tiny_model(tmp_path_factory.mktemp("nli") / "tiny")
    weights = load_file(folder / "model.safetensors")
    hidden = weights["classifier.weight"].shape[1]
    config = json.loads((folder / "config.json").read_text())
    config |= {"id2label": {"0": "CONTRADICTION", "1": "ENTAILMENT", "2": "NEUTRAL"}}
    (folder / "config.json").write_text(json.dumps(config))

    def make(likely):
        bias = np.zeros(3, np.float32)
        bias[likely] = 100
        save_file(
            weights | {"classifier.weight": np.zeros((3, hidden), np.float32), "classifier.bias": bias},
            folder / "model.safetensors",
        )
        settings = CheckSettings(model=f"tiny-{likely}", folder=folder)
        return NliCheck(settings, cache=tmp_path_factory.mktemp("graphs"))

    return make


def test_the_class_that_is_called_entailment_decides(classifier, hits, embedder):
    said = f"{PARAPHRASE} [1]."
    for likely, state in enumerate(("contradicted", "supported", "unverified")):
        checked = verify(said, hits, embedder, uniform_weight, check=classifier(likely))
        assert states(checked) == [state] and checked.claims[0].check == f"nli:tiny-{likely}"
        assert checked.claims[0].probability == pytest.approx(float(likely == 1))


def test_a_model_of_other_classes_is_refused_and_the_first_verdict_stands(tiny_model_folder, hits, embedder, tmp_path):
    check = NliCheck(CheckSettings(model="tiny", folder=tiny_model_folder), cache=tmp_path)
    with pytest.raises(ModelError, match="sorts into classes"):
        check([("a", "b")])
    checked = verify(f"{PARAPHRASE} [1].", hits, embedder, uniform_weight, check=check)
    assert states(checked) == ["supported"] and "checked without nli:tiny" in checked.warnings[-1]


def test_what_is_late_keeps_its_verdict(classifier):
    check = classifier(0)
    late = NliCheck(check._settings.model_copy(update={"timeout": 1e-9}))
    assert late([("a", "b")]) == [None]
