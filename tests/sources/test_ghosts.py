"""No ghosts: after any number of edits, search finds exactly what the source holds."""

import importlib.util
import random
import re
from pathlib import Path

import pytest

from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace

spec = importlib.util.spec_from_file_location("source_worlds", Path(__file__).with_name("source_worlds.py"))
source_worlds = importlib.util.module_from_spec(spec)
spec.loader.exec_module(source_worlds)

SYNCS, EDITS = 4, 250
"""A thousand edits over each kind of source."""


class History:
    """Random edits of a world, and what it must hold after them."""

    def __init__(self, world, seed):
        self.world, self.chance = world, random.Random(seed)
        self.texts: dict[str, str] = {}
        self.words: set[str] = set()
        """A word for each text that there ever was; no two texts share one."""

    def edit(self):
        action = self.chance.choices(("add", "change", "move", "delete"), (4, 3, 2, 3))[0]
        if action == "add" or len(self.texts) < 3:
            self.put(f"doc{self.chance.randrange(60)}", self.text())
            return
        name = self.chance.choice(sorted(self.texts))
        if action == "change":
            self.put(name, self.text())
        elif action == "move":
            text = self.texts[name]
            self.remove(name)
            self.put(f"moved{self.chance.randrange(60)}", text)
        else:
            self.remove(name)

    def put(self, name, text):
        self.world.put(name, text)
        self.texts[name] = text

    def remove(self, name):
        if self.world.deletes:
            self.world.remove(name)
            del self.texts[name]

    def text(self):
        word = "".join(self.chance.choices("bdfgklmnprstv", k=9))
        self.words.add(word)
        return f"The warden of the {word} lock keeps the gauge and the weir in order."

    def now(self):
        return {word_of(text) for text in self.texts.values()}


def word_of(text: str) -> str:
    return re.search(r"of the (\w+) lock", text)[1]


@pytest.fixture(params=source_worlds.WORLDS)
def world(request, tmp_path):
    (tmp_path / "world").mkdir()
    return source_worlds.make(request, tmp_path / "world")


@pytest.fixture
def workspace(tmp_path, tiny_embedder, world, monkeypatch):
    home = tmp_path / "home"
    (home / "files").mkdir(parents=True)
    (home / "rag.toml").write_text('[[sources]]\nid = "s"\nkind = "folder"\npath = "files"\nmin_words = 1\n')
    workspace = open_workspace(home)
    workspace.embedder = tiny_embedder
    monkeypatch.setattr(workspace, "source", lambda _: world.source())
    return workspace


def sync(workspace: Workspace, times: int) -> None:
    for _ in range(times):
        pipeline = Pipeline(workspace, run_id="r")
        pipeline.fetch("s", allow_mass_delete=True)
    pipeline.extract("s")
    pipeline.chunk("s")
    pipeline.embed("s")
    workspace.versions.promote(pipeline.build().version, why="test")


def found(workspace: Workspace, word: str) -> set[str]:
    return {word_of(hit.text) for hit in workspace.retriever.search(word, k=3, mode="lexical").hits}


def test_search_finds_exactly_what_the_source_holds(workspace, world):
    history = History(world, seed=7)
    for _ in range(30):
        history.put(f"doc{len(history.texts)}", history.text())
    confirmations = world.source().list().confirmations
    sync(workspace, 1)
    for _ in range(SYNCS):
        for _ in range(EDITS):
            history.edit()
        sync(workspace, confirmations)
        held = history.now()
        index = workspace.versions.live()
        assert {word_of(text) for text in index.documents()["text"]} == held
        assert index.verify() == []
        for word in [*sorted(held)[:12], *sorted(history.words - held)[-12:]]:
            assert found(workspace, word) == ({word} & held), word
