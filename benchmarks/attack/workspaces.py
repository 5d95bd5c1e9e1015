"""A small workspace whose sources change by chance, the commands that write to it, and what must hold of it."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from benchmarks.attack.commands import run_rag
from rag_platform.operations.backup.making import verify
from rag_platform.operations.backup.target import open_target
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace, open_workspace

SOURCES = ("notes", "rules")
STEADY = "When is a gauge calibrated?"
QUESTIONS = (STEADY, "log line of the ferry", "Entry of the lock log", "herons")
_WORDS = ("ferry", "lock", "weir", "heron", "gauge", "flood", "reed", "mill", "keys", "warden")
_OTHER_CHUNKS = {"RAG_CHUNKS__SIZE": "120"}
"""Another form of every table after the documents, and of the versions."""
_SENSIBLE = (
    "is writing",  # WorkspaceBusy
    "another process",
    "there is nothing to go back to",
    "was removed while it was scored",
    "there is no version",
    "has not been judged",
    "it was not published",
    "exists already",
    "is no document",
    "no document known",
    "known here",
    "there is a token",
    "two sources have the id",
    "already",
)
"""What a command may say when another one was first, or its turn has not come."""


@dataclass
class Attacked:
    """The workspace, and what its commands said was done: that must be there to the end."""

    home: Path
    chance: random.Random
    tokens: set[str] = field(default_factory=set)
    uploads: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    receipts: set[str] = field(default_factory=set)
    backups: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    number: int = 0

    @property
    def copies(self) -> Path:
        """Where backups go."""
        return self.home.parent / f"{self.home.name}-copies"

    def start(self) -> None:
        """Write the workspace, one document of which never changes, and sync it."""
        self.home.mkdir(parents=True, exist_ok=True)
        tables = [f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n' for name in SOURCES]
        drop = '[[sources]]\nid = "drop"\nkind = "upload"\n'
        (self.home / "rag.toml").write_text("\n".join([*tables, drop, "[gate]\nsynthetic = 0\n"]))
        for name in SOURCES:
            (self.home / name).mkdir()
        (self.home / "notes" / "steady.md").write_text(
            "# Gauges\n\nA gauge is calibrated every spring by two wardens.\n"
        )
        edit(self.home, random.Random(0), count=12)
        for words in (["sync"], ["collection", "create", "Letters"], ["backup", str(self.copies)]):
            if code := run_rag(self.home, words)[0]:
                raise RuntimeError(f"rag {words[0]} ended with {code} before anything was attacked")

    def commands(self) -> dict[str, "Callable[[], Command]"]:
        """Return a maker of each command that writes, by its name."""
        return {
            "sync": lambda: Command(["sync", "--allow-mass-delete"]),
            "sync, other chunks": lambda: Command(["sync", "--allow-mass-delete"], variables=_OTHER_CHUNKS),
            "eval": lambda: Command(["eval"]),
            "rollback": lambda: Command(["index", "rollback", "--why", "attack"]),
            "promote": lambda: Command(["index", "promote", "--force", "--why", "attack"]),
            "gc": lambda: Command(["index", "gc", "--keep", "2"]),
            "ask": lambda: Command(["ask", STEADY, "--json"], self._asked),
            "token": self._token,
            "upload": self._upload,
            "forget": self._forget,
            "backup": lambda: Command(["backup", str(self.copies), "--keep", "4", "--json"], self._backed_up),
            "restore": self._restore,
            "source": self._source,
            "acl": self._acl,
            "quarantine": self._quarantine,
            "repair": lambda: Command(["repair", "--deep"]),
        }

    def _token(self) -> "Command":
        self.number += 1
        name = f"t{self.number}"
        return Command(["token", "create", name], lambda _: self.tokens.add(name))

    def _upload(self) -> "Command":
        self.number += 1
        path = self.home.parent / f"letter-{self.number}.md"
        path.write_text(f"# Letter {self.number}\n\n{sentence(self.chance)} {sentence(self.chance)}\n")
        return Command(["collection", "add", "letters", str(path)], lambda _: self.uploads.add(path.name))

    def _forget(self) -> "Command":
        self.number += 1
        uri = f"notes/gone-{self.number}.md"  # of the last sync or two: a document that may be there
        (self.home / uri).write_text(f"# Gone {self.number}\n\n{sentence(self.chance)}\n")
        target = f"notes/gone-{self.chance.randrange(1, self.number + 1)}.md"
        return Command(["forget", target, "--yes"], lambda _: self.forgotten.add(target))

    def _restore(self) -> "Command":
        return Command(["restore", str(self.copies), "--replace", "--json"], self._restored)

    def _source(self) -> "Command":
        self.number += 1
        table = self.home.parent / f"source-{self.number}.toml"
        name = self.chance.choice(("more", "most"))
        (self.home / name).mkdir(exist_ok=True)
        (self.home / name / "a.md").write_text(f"# Of {name}\n\n{sentence(random.Random(name))}\n")
        table.write_text(f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n')
        if self.chance.random() < 0.5:
            return Command(["source", "add", str(table)])
        return Command(["source", "pause", self.chance.choice(SOURCES)])

    def _acl(self) -> "Command":
        self.number += 1
        target, who = f"{self.chance.choice(SOURCES)}/{self.number}*", f"user:u{self.number}"
        rule = f"deny {target} {who}"
        return Command(["acl", "set", target, "--deny", who, "--why", "attack"], lambda _: self.rules.add(rule))

    def _quarantine(self) -> "Command":
        """Hold a document of the live version, and let a command accept or reject it."""
        workspace = open_workspace(self.home)
        documents = workspace.versions.live().documents().filter(~pl.col("uri").str.contains("steady"))
        doc_id, revision = self.chance.choice(documents.select("doc_id", "revision").sort("doc_id").rows())
        workspace.access.rules.quarantine({doc_id: revision}, who="attack", why="attack")
        if self.chance.random() < 0.8:
            return Command(["quarantine", "accept", doc_id])
        rule = f"deny {doc_id} *"
        return Command(["quarantine", "reject", doc_id], lambda _: self.rules.add(rule))

    def damage(self) -> None:
        """Cut a file that a version or a table is made of, as a disk may."""
        workspace = open_workspace(self.home)
        live = workspace.versions.path(workspace.versions.live_id() or "")
        files = [*live.rglob("catalog.*"), *live.rglob("vectors.*"), *live.rglob("postings/*")]
        files += [*self.home.glob("data/chunks/*.parquet"), *self.home.glob("data/documents/*.parquet")]
        path = self.chance.choice(sorted(files))
        content = path.read_bytes()
        path.unlink()  # a file may be that of other versions too
        path.write_bytes(content[: len(content) // 2])

    def _asked(self, out: str) -> None:
        self.receipts.add(json.loads(out)["receipt_id"])

    def _backed_up(self, out: str) -> None:
        self.backups = {*self.backups, json.loads(out)["id"]} - set(json.loads(out)["removed"])

    def _restored(self, _: str) -> None:
        """Take what the backup had for what there is; what was forgotten stays so."""
        workspace = open_workspace(self.home)
        self.tokens = {token.name for token in Tokens(workspace.journal).list()}
        self.uploads = {file.name for file in workspace.collections("drop").files()}
        self.receipts = {receipt.id for receipt in workspace.journal.receipts(-1)}
        self.rules = _rules(workspace)

    def complaints(self) -> list[str]:
        """Return what is wrong with the live version."""
        workspace = open_workspace(self.home)
        hits = workspace.retriever_of(None).search(STEADY, mode="lexical").hits
        wrong = [] if hits and "spring" in hits[0].text else [f"{STEADY!r} found {[hit.uri for hit in hits]}"]
        return [*workspace.versions.live().verify(), *wrong]

    def lost(self) -> list[str]:
        """Return what a command said was done, and is not there any more."""
        workspace = open_workspace(self.home)
        uris = set(workspace.versions.live().documents()["uri"])
        target = open_target(str(self.copies))
        damaged = [problem for problems in verify(target).values() for problem in problems[:1]]
        return [
            *(f"token {one}" for one in self.tokens - {token.name for token in Tokens(workspace.journal).list()}),
            *(f"upload {one}" for one in self.uploads - {file.name for file in workspace.collections("drop").files()}),
            *(f"receipt {one}" for one in self.receipts - {one.id for one in workspace.journal.receipts(-1)}),
            *(f"rule {one}" for one in self.rules - _rules(workspace)),
            *(f"forgotten and back: {one}" for one in self.forgotten & uris),
            *(f"audit: {problem}" for problem in workspace.audit.verify().problems),
            *(f"backup: {problem}" for problem in damaged),
        ]

    def differences(self) -> list[str]:
        """Build the same sources from nothing and compare."""
        clean = self.home.with_name("clean")
        clean.mkdir()
        grown = state(self.home)
        for name in [path.name for path in self.home.iterdir() if path.name != "data" and path.name[0] != "."]:
            (self.home / name).rename(clean / name)
        (clean / "data").mkdir(exist_ok=True)
        for path in [self.home / "data" / name for name in ("uploads", "forgotten.jsonl")]:
            if path.exists():
                path.rename(clean / "data" / path.name)
        for path in self.home.glob("data/access.sqlite*"):
            path.rename(clean / "data" / path.name)
        if code := run_rag(clean, ["sync"])[0]:
            return [f"the clean build ended with {code}"]
        both = zip(("documents", "chunks", "hits"), grown, state(clean), strict=True)
        return [f"{name} differ from a clean build" for name, one, two in both if one != two]


def _rules(workspace: Workspace) -> set[str]:
    return {f"{one.effect} {one.target.name} {one.principal}" for one in workspace.access.rules.list()}


@dataclass
class Command:
    """A call of `rag`, and what to take down of it when it has ended well."""

    words: Sequence[str]
    done: Callable[[str], object] = lambda _: None
    variables: dict[str, str] = field(default_factory=dict)


def unexpected(name: str, code: int, out: str, err: str) -> list[str]:
    """Return what is wrong with how a command ended that was not killed."""
    if code in (0, 3) and "Traceback" not in err:
        return []
    if code in (1, 2) and "Traceback" not in err and any(said in out + err for said in _SENSIBLE):
        return []
    return [f"{name} ended with {code}: {(err or out)[-300:]}"]


def sentence(chance: random.Random) -> str:
    """Return a sentence of chance."""
    return f"Entry {chance.random()} tells of the " + " ".join(chance.choices(_WORDS, k=9)) + "."


def edit(home: Path, chance: random.Random, count: int = 6) -> None:
    """Add, change, move or delete so many files."""
    for _ in range(count):
        folder = home / chance.choice(SOURCES)
        path = folder / f"{chance.randrange(40)}.md"
        action = chance.choice(("write", "write", "write", "move", "delete"))
        if action == "write" or not path.exists():
            said = " ".join(sentence(chance) for _ in range(chance.randrange(2, 12)))
            path.write_text(f"# Log of the {chance.choice(_WORDS)}\n\n{said}\n")
        elif action == "move":
            path.rename(folder / f"{chance.randrange(40)}.md")
        else:
            path.unlink()


def settle(home: Path) -> list[str]:
    """Finish what was begun, and bring all up to date; returns what went wrong."""
    for name in SOURCES:
        run_rag(home, ["source", "resume", name])
    code, out, err = run_rag(home, ["sync", "--allow-mass-delete"])
    problems = [f"the last sync ended with {code}: {(err or out)[-300:]}"] if code else []
    code, _, err = run_rag(home, ["index", "promote", "--why", "settled"])
    return problems + ([f"the last promotion ended with {code}: {err[-300:]}"] if code else [])


def state(home: Path) -> tuple[object, ...]:
    """Return all that a reader of the live version can see."""
    workspace = open_workspace(home)
    live, searching = workspace.versions.live(), workspace.retriever_of(None)
    documents = sorted(live.documents().select("doc_id", "uri", "text", "raw_sha256").rows())
    chunks = sorted(live.catalog.chunks().select("chunk_id", "start", "end", "text").rows())
    hits = [
        [(hit.chunk_id, round(hit.score, 4)) for hit in searching.search(question, mode=mode).hits]
        for question in QUESTIONS
        for mode in ("lexical", "rerank")
    ]
    return documents, chunks, hits


def leftovers(home: Path) -> list[str]:
    """Name unfinished files that no later run has cleared away."""
    left = [*home.glob("data/*/.*.new"), *home.glob("data/*/*/.*.new"), *home.glob("data/index/versions/.*")]
    return [f"left behind: {path.relative_to(home)}" for path in left]
