"""A tiny cross-encoder, and servers on loopback that judge by a rule that tests know."""

import json
import re

import pytest

from rag_platform.config.settings import ModelSettings
from rag_platform.models.cards import find_card
from rag_platform.reranking.cross_encoder import CrossEncoder
from tests.chat_server import whole


def relevance(question: str, passage: str) -> float:
    """Return the share of the question's words that the passage holds, in [0, 1]."""
    words = set(question.lower().split())
    return len(words & set(passage.lower().split())) / max(1, len(words))


def ranked(body: dict) -> tuple[int, dict]:
    """Answer a request for `/rerank` as Jina, Cohere and vLLM do: best first, the passages sent back."""
    scored = [(relevance(body["query"], text), index) for index, text in enumerate(body["documents"])]
    results = [
        {"index": index, "relevance_score": score, "document": {"text": body["documents"][index]}}
        for score, index in sorted(scored, reverse=True)
    ]
    return 200, {"id": "1", "model": "ranker", "results": results}


def curated(body: dict) -> tuple[int, dict]:
    """Answer a prompt for judgements: ten times the relevance; what has none is dropped."""
    asked = body["messages"][-1]["content"]
    question = re.search(r"Question: (.*?)\n\nPassages:", asked, re.DOTALL)[1]
    passages = re.findall(r'<source n="(\d+)">\n(.*?)\n</source>', asked, re.DOTALL)
    judgements = [
        {"passage": int(number), "score": round(10 * score), "keep": score > 0}
        for number, text in passages
        for score in [relevance(question, text)]
    ]
    return whole(json.dumps({"judgements": judgements}))


@pytest.fixture(scope="session")
def make_cross_encoder(tiny_model_folder, tmp_path_factory):
    cache = tmp_path_factory.mktemp("graphs")
    card = find_card(ModelSettings(name="tiny", folder=tiny_model_folder), "reranking")
    return lambda **options: CrossEncoder(tiny_model_folder, card, cache=cache, **options)
