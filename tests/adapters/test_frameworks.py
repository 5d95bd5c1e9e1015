"""A workspace as the retriever of other frameworks, by those frameworks themselves."""

import asyncio
import importlib
import re
import sys

import pytest

from rag_platform.core.errors import MissingExtra
from tests.doc_sessions import ROOT, published

FERRY = "When does the ferry run?"
DUSK = "six until dusk"


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_model_folder, tiny_embedder):
    return published(tmp_path_factory.mktemp("adapted") / "home", tiny_model_folder, tiny_embedder)


@pytest.fixture(autouse=True)
def chosen(home, monkeypatch):
    monkeypatch.setenv("RAG_HOME", str(home))
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")


def test_the_retriever_of_langchain(home):
    from langchain_core.runnables import RunnableLambda

    from rag_platform.adapters.langchain import RagRetriever

    retriever = RagRetriever(home=str(home), k=1)
    chain = retriever | RunnableLambda(lambda documents: documents[0])
    first = chain.invoke(FERRY)
    assert DUSK in first.page_content and first.metadata["source"] == "handbook/ferry.md" and first.id
    assert asyncio.run(chain.ainvoke(FERRY)) == first
    assert RagRetriever(options={"sources": ["other"]}).invoke(FERRY) == []


def test_the_retriever_and_the_query_engine_of_llamaindex(home):
    from rag_platform.adapters.llamaindex import RagQueryEngine, RagRetriever

    found = RagRetriever(k=1).retrieve(FERRY)
    assert DUSK in found[0].node.text and found[0].score > 0 and found[0].node.start_char_idx == 0
    assert asyncio.run(RagRetriever(k=1).aretrieve(FERRY))[0].node.id_ == found[0].node.id_
    answered = RagQueryEngine(home=str(home)).query(FERRY)
    assert DUSK in str(answered) and answered.metadata["receipt_id"] and not answered.metadata["abstained"]
    assert [one.node.metadata["title"] for one in answered.source_nodes] == ["Ferry"]
    assert answered.metadata["citations"][0]["quote"] in answered.source_nodes[0].node.text
    assert DUSK in str(asyncio.run(RagQueryEngine(options={"k": 2}).aquery(FERRY)))


def test_the_component_of_haystack(home):
    from haystack import Pipeline

    from rag_platform.adapters.haystack import RagRetriever

    made = Pipeline()
    made.add_component("retriever", RagRetriever(home=str(home), top_k=1, options={"collections": ["handbook"]}))
    asked = {"retriever": {"query": FERRY}}
    again = Pipeline.loads(made.dumps(), allowed_modules=[RagRetriever.__module__])
    found = again.run(asked)["retriever"]["documents"]
    assert DUSK in found[0].content and found[0].meta["title"] == "Ferry" and found[0].score > 0
    assert asyncio.run(again.run_async(asked))["retriever"]["documents"] == found


def test_the_retriever_of_dspy(home):
    import dspy

    from rag_platform.adapters.dspy import RagRetriever

    with dspy.context(rm=RagRetriever(home=str(home))):
        assert DUSK in dspy.Retrieve(k=1)(FERRY).passages[0]
    assert RagRetriever(k=1, sources=["handbook"])(FERRY)[0].title == "Ferry"


def test_the_page_about_frameworks_runs_as_it_stands(capsys):
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        exec(block, {})
        assert "Ferry" in capsys.readouterr().out
    assert len(blocks) == 4


@pytest.mark.parametrize("name", ["langchain", "llamaindex", "haystack", "dspy"])
def test_a_framework_that_is_not_installed_is_named_with_what_installs_it(name, monkeypatch):
    package = {"langchain": "langchain_core.callbacks", "llamaindex": "llama_index.core.query_engine"}.get(name, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"rag_platform.adapters.{name}", raising=False)
    with pytest.raises(MissingExtra, match=rf"\[{name}\]"):
        importlib.import_module(f"rag_platform.adapters.{name}")
