"""Nobody learns what they may not read: direct probes through every interface, and statistics of what is not shown.

The first attack asks as random people with random filters, and looks for anything of others in all that comes back. The
second puts words that only a hidden document has into every way in that a workspace has, every operation of the API
among them. The third is `side_channels`.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import get_args
from unittest.mock import patch

import polars as pl
from fastapi.testclient import TestClient
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from app import frame
from benchmarks.attack.agents import agent_replies
from benchmarks.attack.api_operations import requests
from benchmarks.attack.chats import chat_replies
from benchmarks.attack.corpora import PEOPLE, corpus_of, published
from benchmarks.attack.outcome import Budget, Outcome
from benchmarks.attack.side_channels import side_channels
from rag_platform.api.application import application
from rag_platform.cli import app as command_line
from rag_platform.core.answers import Answer
from rag_platform.core.hits import Filters
from rag_platform.core.principals import PUBLIC
from rag_platform.operations.asking.chat_turns import answer_in_chat, shared_messages
from rag_platform.operations.exporting.layouts import Layout
from rag_platform.operations.watching.watching import watch_answer
from rag_platform.people.identity import local_person
from rag_platform.people.tokens import Tokens
from rag_platform.pipeline.stages import Pipeline
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace, open_workspace

_MODES = ("lexical", "vector", "hybrid")
_SECRETS = ("zarkovian", "4821077", "quillhopper", "vexmoor")
_ROOT = Path(__file__).resolve().parents[2]
_HIDDEN = "ledger-of-the-board.md"
_BOARD = ("group:board",)


def run(chance: Random, budget: Budget) -> list[Outcome]:
    """Attack; half of the time is for random questions."""
    seconds = 60 * budget.minutes
    return [
        _random_questions(chance, budget.scratch / "random", 0.4 * seconds),
        _every_way_in(budget.scratch / "home"),
        *side_channels(chance, budget.scratch / "guesses", 0.5 * seconds),
    ]


# --- random questions of random people ------------------------------------------------------------------------


def _random_questions(chance: Random, folder: Path, seconds: float) -> Outcome:
    corpus = corpus_of(chance, 600)
    readers = {doc_id: set(names) for doc_id, names in corpus.documents.select("doc_id", "principals").iter_rows()}
    uris = dict(corpus.documents.select("uri", "doc_id").iter_rows())
    retriever, texts = published(corpus, folder), corpus.chunks["text"].to_list()
    tries, leaked, ends = 0, [], time.monotonic() + seconds
    while time.monotonic() < ends and tries < 30_000:
        filters = Filters(
            principals=tuple(chance.sample(PEOPLE, chance.randrange(1, 3))),
            collections=tuple(chance.sample(("guides", "news", "plans"), chance.randrange(3))),
            tags=tuple(chance.sample(("wet", "old", "cold"), chance.randrange(2))),
        )
        question, mode = " ".join(chance.choices(chance.choice(texts).split(), k=4)), chance.choice(_MODES)
        found = retriever.search(question, mode=mode, filters=filters, explain=True)
        counted = retriever.facets(filters, question, mode=mode, known=found)
        me = {PUBLIC, *filters.principals}
        strange = [doc_id for doc_id in _shown(found, uris) if not readers[doc_id] & me]
        mine = sum(bool(names & me) for names in readers.values())
        if strange or counted.documents > mine:
            leaked.append(f"{filters.principals} saw {strange or counted.documents} for {question!r} ({mode})")
        tries += 1
    return Outcome("random questions of people who may read a part", tries, len(leaked), notes=tuple(leaked[:3]))


def _shown(found: SearchResult, uris: dict[str, str]) -> set[str]:
    """Return every document that a result names."""
    hits = {hit.doc_id for hit in found.hits} | {one.doc_id for hit in found.hits for one in hit.duplicates}
    return hits | {uris[entry["uri"]] for entry in found.explanation or ()}


# --- words of a hidden document through every way in --------------------------------------------------------------


def _every_way_in(home: Path) -> Outcome:
    workspace = _workspace(home)
    tries, leaked = 0, []
    for way, said in _replies(workspace, home):
        tries += 1
        words = (secret for secret in _SECRETS if secret not in way)  # those that the question itself does not name
        shown = [secret for secret in (*words, _HIDDEN.partition(".")[0], "board's ledger") if secret in said]
        if shown:
            leaked.append(f"{way} showed {shown}")
    return Outcome("a hidden document's words and name, through every way in", tries, len(leaked), notes=tuple(leaked))


def _workspace(home: Path) -> Workspace:
    """Publish notes for everybody, and a ledger that only the board may read."""
    for name in ("notes", "board"):
        (home / name).mkdir(parents=True)
    for number in range(12):
        text = f"# Lock {number}\n\nThe lock of mile {number} is opened at noon by the warden of the weir.\n"
        (home / "notes" / f"lock{number}.md").write_text(text)
    (home / "board" / _HIDDEN).write_text(f"# The board's ledger\n\nThe warden {' '.join(_SECRETS)} opens the lock.\n")
    board = '[[sources]]\nid = "board"\nkind = "folder"\npath = "board"\nprincipals = ["group:board"]\n'
    local = '[access]\nlocal_role = "reader"\nlocal_principals = ["user:bob"]\n'
    local += "searches_per_minute = 0\nquestions_per_minute = 0\n"
    (home / "rag.toml").write_text(f'[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\n{board}{local}')
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    for source in ("notes", "board"):
        pipeline.sync_source(source)
    workspace.versions.promote(pipeline.build().version, why="attack")
    return workspace


def _of_programs(workspace: Workspace, reader: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield what agents and chat apps tell somebody, and the words of theirs that it repeats."""
    words = (*_SECRETS, "warden")
    for way, said in agent_replies(workspace, reader, words, _HIDDEN):
        yield way, said, _HIDDEN
    for way, said in chat_replies(workspace, reader, words):
        yield way, said, way.partition(" ")[2].strip("'")


def _replies(workspace: Workspace, home: Path) -> Iterator[tuple[str, str]]:
    """Yield all that somebody who is not of the board is told, by the way in which they ask."""
    bob = ("user:bob",)
    token = Tokens(workspace.journal).create("bob", principals=bob)
    client = TestClient(application(workspace), headers={"authorization": f"Bearer {token}"})
    for word in (*_SECRETS, "warden", "ledger", "board"):
        for question in (word, f"warden {word}", f'"warden {word}"', f"warden -{word}", f"{word[:-1]}", "source:board"):
            for mode in ("lexical", "hybrid", "rerank"):
                asked = {"q": question, "mode": mode, "explain": True}
                yield f"GET /v1/search {question!r}", _without(client.get("/v1/search", params=asked).text, question)
            said = client.post("/v1/ask", json={"question": question}).text
            yield f"POST /v1/ask {question!r}", _without(said, question)
            heard = client.post("/v1/ask", json={"question": question}, headers={"accept": "text/event-stream"}).text
            yield f"POST /v1/ask as events {question!r}", _without(heard, question)
            chat = {"model": "rag/all", "messages": [{"role": "user", "content": question}]}
            said = client.post("/v1/chat/completions", json=chat).text
            yield f"POST /v1/chat/completions {question!r}", _without(said, question)
            found = workspace.retriever.search(question, filters=Filters(principals=bob), explain=True)
            told = json.dumps([asdict(hit) for hit in found.hits], default=str) + str(found.explanation)
            yield f"Python {question!r}", told + str(workspace.retriever.facets(Filters(principals=bob), question))
        named = client.get("/v1/why", params={"q": word, "document": _HIDDEN}).text
        yield f"GET /v1/why {word!r}", _without(named, _HIDDEN)
    for way, said, asked_for in _of_programs(workspace, bob):
        yield way, _without(said, asked_for)
    yield from _operations(workspace)
    for path in ("/v1/openapi.json", "/healthz", "/readyz", "/metrics"):
        yield f"GET {path}", client.get(path).text
    scraper = Tokens(workspace.journal).create("prometheus", ["metrics"])
    yield "metrics", client.get("/metrics", headers={"authorization": f"Bearer {scraper}"}).text
    yield "the page's examples", str(workspace.suggestions.examples(bob))
    for word in (*_SECRETS, "warden"):
        yield f"the page's search for {word!r}", _without(_page(workspace, "views/search.py", q=word), word)
    for view in ("views/chat.py", "views/watches.py", "views/collections.py", "views/quality.py", "views/operate.py"):
        yield f"the page's {view}", _page(workspace, view)
    for layout in get_args(Layout):
        yield f"rag export --format {layout}", _exported(home, layout)
    for given in (["search", "warden", "--as", "user:bob"], ["why", "warden", _HIDDEN, "--as", "user:bob"]):
        said = CliRunner().invoke(command_line, ["--home", str(home), *given]).output
        yield f"rag {' '.join(given)}", _without(said, _HIDDEN)


def _operations(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield what every operation of the API tells of a word, and of all that has to do with a hidden document.

    An editor who may not read it either is asked what can be read; they may change what others hold.
    """
    tokens, app = Tokens(workspace.journal), application(workspace)
    made = tokens.create("dan", principals=("user:dan",)), tokens.create("eve", ("read", "ask", "edit"), ("user:eve",))
    reader, editor = (TestClient(app, headers={"authorization": f"Bearer {token}"}) for token in made)
    hidden = str(workspace.store.read("documents", "board")["doc_id"][0])
    description = reader.get("/v1/openapi.json").json()
    for name in (hidden, _HIDDEN, "board", *_shared_by_the_board(workspace)):
        for method, path, given in requests(description, _SECRETS[0], name):
            for client in (reader, editor)[: 1 + (method == "GET")]:
                said = client.request(method, **given).text
                yield f"{method} {path} for {_SECRETS[0]!r} and {name!r}", _without(_without(said, name), _SECRETS[0])


def _shared_by_the_board(workspace: Workspace) -> tuple[str, str, str, str]:
    """Return a chat of the board's about the hidden document, its receipt, the token that shares it, and a watch."""
    chat = workspace.chats.begin("The warden", "carol")
    question, filters = "Who opens the lock, by the ledger?", Filters(principals=_BOARD)
    asked = answer_in_chat(workspace, chat, "carol", question, filters=filters)
    receipt = next(part.receipt_id for part in asked if isinstance(part, Answer))
    token = workspace.chats.share(chat, "carol")
    told = shared_messages(workspace, found, _BOARD) if (found := workspace.chats.opened(token)) else ()
    if not any(secret in (one.message.content or "") for one in told for secret in _SECRETS):
        raise AssertionError("the board's answer does not rest on the hidden document")
    kept = workspace.journal.receipt(receipt or "")
    if kept is None:
        raise AssertionError("the board's answer has no receipt")
    return chat, kept.id, token, watch_answer(workspace, "carol", kept, principals=_BOARD)


def _exported(home: Path, layout: str) -> str:
    """Return all that bob takes with him, names of files too."""
    folder = home.parent / f"exported-{layout}"
    given = ["export", str(folder), "--format", layout, "--as", "user:bob", "--json"]
    said = [CliRunner().invoke(command_line, ["--home", str(home), *given]).output.replace(str(folder), "")]
    for path in (path for path in folder.rglob("*") if path.is_file()):
        parquet = path.suffix == ".parquet"
        said += [path.name, str(pl.read_parquet(path).to_dicts()) if parquet else path.read_text(encoding="utf-8")]
    return "\n".join(said)


def _page(workspace: Workspace, view: str, **query: str) -> str:
    """Return all that a view of the page shows to bob, as its protocol has it."""
    bob = local_person("bob", workspace.settings.access)
    with patch.object(frame, "workspace", lambda: workspace), patch.object(frame, "person", lambda: bob):
        test = AppTest.from_file(str(_ROOT / "app" / "main.py"), default_timeout=120)
        test.query_params.update(query)
        if view != "views/chat.py":
            test.switch_page(view)
        test.run()
    return "\n".join(str(getattr(element, "proto", "")) for element in test.main)


def _without(said: str, question: str) -> str:
    """Take out of a reply what only repeats the question."""
    return said.replace(json.dumps(question)[1:-1], "").replace(question, "")
