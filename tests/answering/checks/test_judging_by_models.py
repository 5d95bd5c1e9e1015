"""The sentences of an answer, judged by a model besides: a language model on loopback, and a classifier made here."""

import json
import re

import numpy as np
import pytest

from rag_platform.answering.checks.nli import NliCheck
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.coverage import uniform_weight
from rag_platform.config.settings import CheckSettings
from rag_platform.core.errors import ModelError
from tests.chat_server import whole

PARAPHRASE = "Every employee has 25 days of paid leave a year"
OTHER_WORDS = "Staff may stay at home for five working weeks without losing pay"


def states(checked):
    return [claim.state for claim in checked.claims]


def judging(verdict):
    def judged(body):
        pairs = re.findall(r"^Pair (\d+):", body["messages"][-1]["content"], re.MULTILINE)
        return whole(json.dumps({"judgements": [{"pair": int(pair), "verdict": verdict} for pair in pairs]}))

    return judged


@pytest.mark.parametrize(("verdict", "state"), [("unsupported", "unverified"), ("contradicted", "contradicted")])
def test_a_language_model_takes_back_what_words_alone_support(server, judge, hits, embedder, verdict, state):
    server.script = [judging(verdict)]
    said = f"{PARAPHRASE} [1]. Unused days expire on 31 March [1]."
    assert states(verify(said, hits, embedder, uniform_weight)) == ["supported", "quoted"]
    checked = verify(said, hits, embedder, uniform_weight, check=judge)
    assert states(checked) == [state, "quoted"] and checked.claims[0].check.startswith("llm:")
    (request,) = server.requests
    asked = request["messages"][-1]["content"]
    assert asked.count("<sentence>") == 1, "a verbatim quote is not asked about"
    assert hits[0].title in asked and hits[0].text in asked, "it reads the whole passage, and whose it is"


def test_it_finds_support_in_other_words_but_not_for_a_number_of_no_source(server, judge, hits, embedder):
    server.script = [judging("supported")]
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


def test_the_likeliest_class_decides(write_classifier, hits, embedder, tmp_path):
    for likely, state in enumerate(("contradicted", "supported", "unverified")):
        folder = write_classifier(100 * np.eye(3)[likely], ("contradiction", "entailment", "neutral"))
        check = NliCheck(CheckSettings(model=f"tiny-{likely}", folder=folder), cache=tmp_path)
        checked = verify(f"{PARAPHRASE} [1].", hits, embedder, uniform_weight, check=check)
        assert states(checked) == [state] and checked.claims[0].check == check.name
        assert checked.claims[0].probability == pytest.approx(float(likely == 1))


def test_a_model_of_other_classes_is_refused_and_the_first_verdict_stands(write_classifier, hits, embedder, tmp_path):
    check = NliCheck(CheckSettings(model="tiny", folder=write_classifier([0.0] * 3)), cache=tmp_path)
    with pytest.raises(ModelError):
        check([("a", "b")])
    checked = verify(f"{PARAPHRASE} [1].", hits, embedder, uniform_weight, check=check)
    assert states(checked) == ["supported"] and "checked without nli:tiny" in checked.warnings[-1]
