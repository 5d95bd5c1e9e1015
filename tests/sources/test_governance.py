"""A governance database through the whole pipeline: the worked example of docs/sources.md, over real tables.

With RAG_SHARED_DATA the tables are also made from the Aave Improvement Proposals (github.com/aave/aip).
"""

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest
import sqlalchemy

from rag_platform.core.errors import SourceError
from rag_platform.core.hits import Filters
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

DOCS = Path(__file__).parents[2] / "docs" / "sources.md"
SOURCES = ("proposals", "stages", "comments")
TABLES = """
drop table if exists posts, topics, stages, proposals;
create table proposals (id text primary key, title text, author text, body text, category text, status text,
    created_at timestamptz, updated_at timestamptz);
create table stages (id serial primary key, proposal_id text references proposals on delete cascade, stage text,
    status text, options jsonb, updated_at timestamptz);
create table topics (id serial primary key, proposal_id text references proposals on delete cascade, title text,
    updated_at timestamptz);
create table posts (id serial primary key, topic_id integer references topics on delete cascade, author text, body text,
    created_at timestamptz, updated_at timestamptz);
"""
SPELLINGS = ("Active", "ACTIVE ", "Executed", "queued", "Succeeded", "Defeated", "Pending", "Canceled", None)
NAMES = {"executed": "passed", "queued": "passed", "succeeded": "passed", "defeated": "failed", "pending": "open"}
TIME = datetime(2023, 5, 1, 10, tzinfo=UTC)


def invented():
    """Twelve proposals of our own."""
    subjects = ("ferry tolls", "river gauges", "heron reserves", "mill repairs", "lock keepers", "tow paths")
    for number in range(12):
        subject = f"{subjects[number % 6]} {'again' if number > 5 else ''}".strip()
        body = f"# Summary\n\nProposal {number} changes the {subject}.\n\n# Motivation\n\nThe {subject} are old.\n"
        yield {
            "id": f"AIP-{number}",
            "title": f"Change the {subject}",
            "author": f"Warden {number % 4}",
            "body": body,
            "category": ("risk", "listing", "treasury")[number % 3],
            "status": ("Proposed", "Implemented", "WIP", "proposed ", None)[number % 5],
            "topic": f"[ARFC] {subject}",
            "ballot": {"name": f"AIP-{number}", "choices": ["YAE", "NAY"]},
        }


def real():
    """Proposals from the files of a repository: front matter, text, and the ballot's JSON where there is one."""
    folder = Path(os.environ["RAG_SHARED_DATA"]) / "governance_aave_aip"
    for path in sorted((folder / "aips").glob("*.md")):
        _, front, body = path.read_text(encoding="utf-8").split("---", 2)
        facts = {}
        for line in front.splitlines():  # some of it is no valid YAML
            name, colon, value = line.partition(":")
            facts |= {name.strip(): value.strip() or None} if colon else {}
        ballot = folder / "ipfs-aips" / f"{path.stem}-Ipfs-hashes.json"
        yield {
            "id": path.stem,
            "title": facts.get("title") or path.stem,
            "author": facts.get("author"),
            "body": body,
            "category": "polygon" if "POLY" in path.stem.upper() else "ethereum",
            "status": facts.get("status"),
            "topic": facts.get("discussions"),
            "ballot": json.loads(ballot.read_text()) if ballot.exists() else None,
        }


class Governance:
    """The database and a workspace that reads it."""

    def __init__(self, url, home, embedder, proposals):
        self.engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
        self.home, self.embedder = home, embedder
        self.run(*filter(str.strip, TABLES.split(";")))
        for number, proposal in enumerate(proposals):
            self.add(number, proposal)
        (home / "rag.toml").write_text(example())
        self.workspace = self.open(home)

    def open(self, home):
        workspace = open_workspace(home)
        workspace.embedder = self.embedder
        return workspace

    def add(self, number, proposal):
        columns = ("id", "title", "author", "body", "category", "status")
        values = ", ".join(f":{name}" for name in columns)
        times = f"'{TIME}', '{TIME}'"
        into = f"insert into proposals ({', '.join(columns)}, created_at, updated_at)"
        self.run((f"{into} values ({values}, {times})", proposal))
        for place, stage in enumerate(("forum", "snapshot", "tally")):
            if stage == "forum" and not proposal["topic"]:
                continue
            row = {
                "id": proposal["id"],
                "stage": stage,
                "status": SPELLINGS[(number + 2 * place) % len(SPELLINGS)],
                "options": json.dumps(proposal["ballot"]) if stage != "forum" else None,
            }
            into = "insert into stages (proposal_id, stage, status, options, updated_at)"
            self.run((f"{into} values (:id, :stage, :status, :options, '{TIME}')", row))
        topic = {"id": proposal["id"], "title": proposal["topic"] or "No topic"}
        self.run((f"insert into topics (proposal_id, title, updated_at) values (:id, :title, '{TIME}')", topic))
        for place in range(number % 3):
            self.comment(proposal["id"], f"Comment {place} of delegate {number}: I am in favour.", TIME)

    def comment(self, proposal, body, time):
        post = {"id": proposal, "body": body, "time": time}
        columns = "topic_id, author, body, created_at, updated_at"
        values = "select id, 'delegate', :body, :time, :time from topics where proposal_id = :id"
        self.run((f"insert into posts ({columns}) {values}", post))

    def run(self, *commands):
        with self.engine.begin() as connection:
            for command in commands:
                text, values = command if isinstance(command, tuple) else (command, {})
                connection.execute(sqlalchemy.text(text), values)

    def rows(self, query):
        with self.engine.connect() as connection:
            return connection.execute(sqlalchemy.text(query)).all()

    def sync(self, workspace=None):
        """Sync all sources and publish; returns what was fetched and how many texts were embedded."""
        workspace = workspace or self.workspace
        pipeline, tallies, embedded = Pipeline(workspace), {}, 0
        for source in SOURCES:
            scrape, _, _, embedding = pipeline.sync_source(source)
            tallies[source] = scrape.tally
            embedded += embedding.embedded
            assert scrape.tally.failed == ()
        workspace.versions.promote(pipeline.build().version, why="test")
        return tallies, embedded

    def found(self, *tags, question="proposal", **filters):
        hits = self.workspace.retriever.search(
            question, k=1000, mode="vector", filters=Filters(tags=tags, **filters)
        ).hits
        return {uri for hit in hits for uri in (hit.uri, *(folded.uri for folded in hit.duplicates))}

    def content(self, workspace):
        documents = workspace.versions.open(workspace.versions.live_id()).documents()
        return sorted(documents.select("uri", "title", "text", "type", "tags", "author").rows())


def example():
    """The sources of the worked example in the handbook."""
    text = DOCS.read_text(encoding="utf-8")
    section = text[text.index("### A worked example: proposals") :]
    return re.search(r"```toml\n(.*?)```", section, re.DOTALL)[1]


@pytest.fixture(params=["invented", pytest.param("real", marks=pytest.mark.slow)])
def governance(request, postgres, tmp_path, tiny_embedder, monkeypatch):
    if request.param == "real" and not os.environ.get("RAG_SHARED_DATA"):
        pytest.skip("RAG_SHARED_DATA does not name a folder with data")
    monkeypatch.setenv("GOVERNANCE_DB", postgres)
    made = Governance(postgres, tmp_path, tiny_embedder, real() if request.param == "real" else invented())
    made.sync()
    return made


def expected(governance, stage, status):
    def name(status):
        return NAMES.get(status.strip().lower(), status.strip().lower())

    rows = governance.rows("select id, stage, status from stages where status is not null")
    return {f"sql://stages/{row.id}" for row in rows if row.stage == stage and name(row.status) == status}


def check_filters(governance):
    for stage in ("forum", "snapshot", "tally"):
        for status in ("active", "passed", "failed", "open", "canceled"):
            assert governance.found(f"stage:{stage}", f"status:{status}") == expected(governance, stage, status)


def test_governance_tables_as_they_change(governance, tmp_path, monkeypatch):
    check_filters(governance)
    comments = governance.workspace.store.read("documents", "comments")
    titles = dict(governance.rows("select id, title from proposals"))
    for row in comments.iter_rows(named=True):
        (proposal,) = [tag.removeprefix("proposal:") for tag in row["tags"]]
        assert " ".join(titles[proposal].split()) in row["title"]
        assert f"/ {proposal} /" in row["text"]
    assert governance.found(types=("comment",)) == set(comments["uri"])
    (before,) = governance.rows("select count(*) from stages")

    _, again = governance.sync()
    assert again == 0
    changed, gone = governance.rows("select id from proposals where status is not null order by id limit 2")
    defeat = (
        "update stages set status = 'DEFEATED', updated_at = '2023-06-01' where proposal_id = :id and stage = 'tally'"
    )
    governance.run((defeat, {"id": changed.id}), ("delete from proposals where id = :id", {"id": gone.id}))
    governance.comment(changed.id, "A late word.", datetime.now(UTC))
    tallies, embedded = governance.sync()
    assert (tallies["proposals"].changed, tallies["proposals"].gone) == (1, 1)
    assert (tallies["stages"].changed, tallies["comments"].new) == (1, 1)
    (after,) = governance.rows("select count(*) from stages")
    assert tallies["stages"].gone == before[0] - after[0]
    assert 3 <= embedded <= 8  # the edited proposal's first chunks, its stage, the new comment
    check_filters(governance)
    assert f"sql://proposals/{quote(gone.id, safe='')}" not in governance.found(types=("proposal",))

    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "rag.toml").write_text((tmp_path / "rag.toml").read_text())
    fresh = governance.open(tmp_path / "fresh")
    governance.sync(fresh)
    assert governance.content(governance.workspace) == governance.content(fresh)

    answers = governance.found("stage:tally", "status:failed")
    governance.run("alter table stages rename column status to state")
    with pytest.raises(SourceError, match=r"status.*stages \(id, proposal_id, stage, state, options, updated_at\)"):
        governance.sync()
    assert governance.found("stage:tally", "status:failed") == answers
    governance.run("alter table stages rename column state to status")
    assert governance.sync()[1] == 0
