"""A model on a real server that searches a real index: what it may see, what bounds it, and what it gets wrong."""

import json

import pytest

from rag_platform.answering import Answerer
from rag_platform.answering.agentic.hit_pool import HitPool
from rag_platform.config.settings import GeneratorSettings, RetrievalSettings, Settings
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Reasoning
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.journal.journal import Journal
from rag_platform.llm import OpenAICompatible
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import ABSTENTION
from tests.chat_server import END, ROLE, USAGE, chunk, refusal, tool_call
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

DOCUMENTS = [
    document("ferry", "The red ferry crosses the river at noon.", collection="boats"),
    document("mill", "The mill by the weir grinds corn in autumn.", collection="guides"),
    document("muehle", "Die alte Mühle mahlt im Herbst Korn für das Dorf.", collection="guides", language="de"),
    document("plan", "The secret zeppelin plan of the weir is dated 1931.", collection="minutes", principals=["alice"]),
]
TITLES = {"boats": "Boats: ferries and their hours", "minutes": "Minutes of the board", "guides": "Guides"}
QUESTION = "When does the red ferry cross, and when does the mill grind?"
ANSWER = "The red ferry crosses the river at noon [1]. The mill by the weir grinds corn in autumn [2]."


def calls(*queries, thought=None, **more):
    """Stream one call for each query."""
    arguments = [query if query.startswith("{") else json.dumps({"query": query} | more) for query in queries]
    thoughts = [chunk(reasoning=thought)] if thought else []
    made = [tool_call(place, text, "search", f"call-{place}") for place, text in enumerate(arguments)]
    return [ROLE, *thoughts, *made, chunk(finish="tool_calls"), USAGE, "[DONE]"]


def says(text):
    return [ROLE, chunk(text), *END]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory):
    versions = Versions(tmp_path_factory.mktemp("agentic"))
    versions.promote(build(corpus(*DOCUMENTS), versions, partitions={}).version, why="test")
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(mode="hybrid", min_relevance=0))


@pytest.fixture
def answerer(server, retriever, tmp_path):
    def make(**settings):
        answer = {"search": "agentic", "sources": 1} | settings
        model = OpenAICompatible(GeneratorSettings(base_url=server.address), pause=0.01)
        journal = Journal(tmp_path / "app.sqlite")
        shown = Settings(home=tmp_path, answer=answer)
        return Answerer(retriever, model, WordEmbedder(), journal, shown, titles=lambda _: TITLES)

    return make


def test_several_searches_become_one_numbered_list_a_verified_answer_and_a_receipt(answerer, server):
    server.script = [calls("red ferry", thought="two things"), calls("mill grinds"), says("DONE"), says(ANSWER)]
    asked = answerer()
    *events, answer = asked.stream(QUESTION)
    rounds = [event for event in events if isinstance(event, SearchResult)]
    assert [(one.question, [(hit.rank, hit.uri) for hit in one.hits]) for one in rounds] == [
        ("red ferry", [(1, "ferry")]),
        ("mill grinds", [(2, "mill")]),
    ]
    assert Reasoning("two things") in events and answer.queries == ("red ferry", "mill grinds")
    assert [(one.n, one.uri) for one in answer.citations] == [(1, "ferry"), (2, "mill")] and not answer.warnings
    told = server.requests[2]["messages"][-1]
    assert told["role"] == "tool" and '<source n="2">' in told["content"] and "grinds corn" in told["content"]
    assert 'n="2"' in server.requests[3]["messages"][1]["content"], "what writes the answer sees the same numbers"
    assert "tools" not in server.requests[3]
    receipt = asked.journal.receipt(answer.receipt_id)
    assert (receipt.queries, receipt.question, receipt.standalone) == (answer.queries, QUESTION, "")


def test_an_answer_is_given_again_from_its_queries_without_asking_what_to_search_for(answerer, server):
    server.script = [calls("red ferry", "mill grinds"), says("DONE"), says(ANSWER)]
    first = answerer().ask(QUESTION)
    server.requests.clear()
    again = answerer().ask(QUESTION, queries=first.queries)
    assert (again.hits, again.answer, again.citations) == (first.hits, first.answer, first.citations)
    assert len(server.requests) == 1 and "tools" not in server.requests[0]


def test_the_tool_names_what_the_asker_may_read_and_nothing_else(answerer, server):
    server.script = [says("DONE"), says(ABSTENTION)]
    for principals in ((), ("alice",)):
        answerer().ask("What is planned?", filters=Filters(principals=principals))
    tools = [request["tools"][0]["function"] for request in server.requests if "tools" in request]
    public, private = (tool["description"] for tool in tools)
    assert "boats: Boats: ferries and their hours (in en; 1 documents)" in public and "guides" in public
    assert "(in de, en; 2 documents)" in public
    assert "minutes" not in json.dumps(tools[0]) and "minutes: Minutes of the board" in private
    assert tools[1]["parameters"]["properties"]["collection"]["enum"] == ["guides", "boats", "minutes"]


def test_every_round_sees_with_the_askers_eyes_and_filters(answerer, server):
    secret = ["secret zeppelin plan", 'collection:"minutes" zeppelin']
    server.script = [calls(*secret), calls("zeppelin date"), says(ABSTENTION)]
    answer = answerer(sources=5).ask("What was planned?", filters=Filters(principals=("bob",)))
    assert len(answer.queries) >= 3 and "plan" not in {hit.uri for hit in answer.hits}
    assert "1931" not in json.dumps(server.requests)
    server.script = [calls("mill", collection="guides"), says("DONE"), says(ABSTENTION)]
    answer = answerer(sources=5).ask("What grinds?", filters=Filters(collections=("boats",)))
    assert {hit.collection for hit in answer.hits} <= {"boats"}


def test_a_call_may_name_a_collection(answerer, server):
    server.script = [calls("mill corn river", collection="boats"), says("DONE"), says(ABSTENTION)]
    answer = answerer(sources=5).ask("What grinds?")
    assert answer.queries == ('collection:"boats" mill corn river',) and {hit.uri for hit in answer.hits} == {"ferry"}


@pytest.mark.parametrize(
    "mistaken",
    ['{"query": ', "{}", '{"query": 7}', '{"query": "x", "delete": "all"}', '{"query": "x", "collection": "minutes"}'],
)
def test_a_call_that_cannot_be_carried_out_is_told_once_and_then_the_question_is_searched(answerer, server, mistaken):
    server.script = [calls(mistaken), calls("red ferry"), says("DONE"), says(ANSWER)]
    answer = answerer().ask(QUESTION)
    assert answer.queries == ("red ferry",)
    asked, told = server.requests[1]["messages"][-2:]
    assert told["role"] == "tool" and not told["content"].startswith("<source")
    json.loads(asked["tool_calls"][0]["function"]["arguments"])  # servers read what they are sent back
    server.script = [calls(mistaken), calls(mistaken), says("The red ferry crosses the river at noon [1].")]
    answer = answerer().ask(QUESTION)
    assert answer.queries == (QUESTION,) and answer.citations


def test_there_is_no_other_tool(answerer, server):
    other = [ROLE, tool_call(0, '{"query": "x"}', "delete_everything", "call-1"), chunk(finish="tool_calls"), "[DONE]"]
    server.script = [other, calls("red ferry"), says("DONE"), says(ANSWER)]
    assert answerer().ask(QUESTION).queries == ("red ferry",)
    assert "no tool 'delete_everything'" in server.requests[1]["messages"][-1]["content"]


def test_a_model_that_answers_without_searching_is_not_believed(answerer, server):
    server.script = [says("It crosses at midnight [1]."), says("It crosses at midnight [1].")]
    answer = answerer().ask("When does the red ferry cross the river?")
    assert answer.queries == ("When does the red ferry cross the river?",)
    assert not answer.citations and [claim.state for claim in answer.claims] == ["unverified"]


def test_a_server_without_tools_searches_once_and_says_so(answerer, server):
    refused = refusal(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')
    server.script = [refused, says("The red ferry crosses the river at noon [1].")]
    answer = answerer().ask(QUESTION)
    assert answer.queries == (QUESTION,) and answer.citations and "own search ended early" in answer.warnings[0]


def test_searches_are_counted_and_not_repeated(answerer, server):
    server.script = [calls("red ferry", "RED  ferry", "mill", "noon"), says(ANSWER)]
    answer = answerer(max_searches=2).ask(QUESTION)
    assert answer.queries == ("red ferry", "mill") and len(server.requests) == 2
    server.requests.clear()
    server.script = [calls("red ferry"), calls("red ferry"), calls("red ferry"), says(ANSWER)]
    assert answerer().ask(QUESTION).queries == ("red ferry",)
    assert len(server.requests) == 4, "told once, then not asked again"


def test_the_conversation_is_bounded_in_tokens_and_in_time(answerer, server):
    endless = iter(f"ferry number {n} {'river ' * 40}" for n in range(1000))
    server.script = [lambda request: calls(next(endless)) if "tools" in request else says(ABSTENTION)]
    answer = answerer(max_searches=20, search_tokens=1000).ask(QUESTION)
    assert 1 <= len(answer.queries) < 10
    server.script = [[ROLE, chunk(reasoning="hm"), 1.0, chunk("DONE"), *END], says(ANSWER)]
    answer = answerer(search_seconds=0.2).ask(QUESTION)
    assert answer.queries == (QUESTION,) and "answer.search_seconds" in answer.warnings[0]


def test_a_model_that_writes_an_answer_instead_of_a_query_is_stopped(answerer, server):
    server.script = [[ROLE, *[chunk("word " * 100)] * 20, *END], says(ABSTENTION)]
    assert "characters" in answerer().ask(QUESTION).warnings[0]


def test_all_rounds_are_of_the_version_of_the_first(server, tmp_path):
    versions = Versions(tmp_path / "index")
    first, second = (build(corpus(*some), versions, partitions={}).version for some in (DOCUMENTS[:1], DOCUMENTS[:2]))
    versions.promote(first, why="test")
    settings = Settings(home=tmp_path, answer={"search": "agentic", "sources": 1})
    searching = Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(mode="hybrid", min_relevance=0))
    model = OpenAICompatible(GeneratorSettings(base_url=server.address), pause=0.01)

    def meanwhile(_):
        versions.promote(second, why="test")
        return calls("mill grinds corn")

    server.script = [calls("red ferry"), meanwhile, says("DONE"), says(ANSWER)]
    answer = Answerer(searching, model, WordEmbedder(), None, settings).ask(QUESTION)
    assert answer.version == first and {hit.uri for hit in answer.hits} == {"ferry"} and len(answer.queries) == 2


def test_a_server_that_dies_between_rounds_keeps_what_was_found(answerer, server):
    server.script = [calls("red ferry"), refusal(400, "broken"), refusal(400, "broken")]
    *_, answer = answerer().stream("When does the red ferry cross the river at noon?")
    assert isinstance(answer, Answer) and answer.queries == ("red ferry",) and answer.model == "extractive"
    assert len(answer.warnings) >= 2


def test_a_place_that_is_found_again_keeps_its_number(make_hit):
    first, second, third = make_hit(1, "a b c"), make_hit(2, "d"), make_hit(3, "e")
    wider = make_hit(1, "x a b c y", doc_id=first.doc_id, start=first.span[0] - 2)
    rounds = iter([(first, second), (third, wider), (second,)])
    shown = HitPool(lambda query, _: SearchResult(query, "v1", "hybrid", {"total": 1.0}, next(rounds)))
    assert [[hit.rank for hit in shown.search(query).hits] for query in "abc"] == [[1, 2], [3, 1], [2]]
    merged = shown.as_result("why?")
    assert [hit.text for hit in merged.hits] == ["x a b c y", "d", "e"] and merged.question == "why?"
    assert [hit.rank for hit in merged.hits] == [1, 2, 3] and shown.queries == ("a", "b", "c")


def test_without_a_model_agentic_search_is_a_plain_one(retriever, tmp_path, server):
    from rag_platform.answering.generators.extractive import Extractive

    settings = Settings(home=tmp_path, answer={"search": "agentic"})
    answer = Answerer(retriever, Extractive(WordEmbedder()), WordEmbedder(), None, settings).ask(QUESTION)
    assert answer.queries == (QUESTION,) and not server.requests
