"""Forget: write down what, remove it everywhere, prove it. Whoever is killed is finished by the next one."""

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.answering.checks.registry import judgement_file
from rag_platform.audit.audit_log import erasing
from rag_platform.config.source_kinds import CACHES
from rag_platform.documents.vision import kept_pages
from rag_platform.erasure.erasure_report import markdown
from rag_platform.erasure.proof import prove
from rag_platform.erasure.recorded_answers import erase_answers, reindex_answers
from rag_platform.erasure.stage_tables import erase_blobs, erase_tables, erase_uploads
from rag_platform.erasure.targets import Remains, Target, remains, retained_texts
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.erasure.traces import Scrubber, erase_questions, erase_traces
from rag_platform.index.build.redaction import holding, redact
from rag_platform.index.releases.release_log import acting_user
from rag_platform.raw.suppression import Entry, target_hash
from rag_platform.shards.shard_files import FOLDER as SHARDS
from rag_platform.sources.bridges.saved_state import STATES
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.table_files import QUARANTINE
from rag_platform.storage.relational.copied_tables import scrub_texts
from rag_platform.storage.upgrades import upgrade_copies
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Plan:
    """What forgetting would remove."""

    kind: str
    name: str
    documents: int
    versions: tuple[str, ...]
    """That hold one of the documents."""
    answers: int
    """That cite one of the documents, or were given to the principal."""
    sources: tuple[str, ...]
    """Whose documents are read again if they are not suppressed."""


def plan(workspace: Workspace, target: Target) -> Plan:
    """Return what forgetting would remove, removing nothing."""
    journal, versions = workspace.journal, workspace.versions
    answers = {receipt.id for doc_id in target.doc_ids for receipt in journal.receipts(-1, doc_id)}
    if target.kind == "principal":
        answers |= {receipt.id for receipt in journal.receipts(-1) if receipt.principal == target.name}
    held = tuple(holding(versions, target.doc_ids)) if target.doc_ids else ()
    sources = tuple(source.id for source in workspace.settings.sources)
    return Plan(target.kind, target.name, len(target.doc_ids), held, len(answers), sources)


def forget(workspace: Workspace, target: Target, *, why: str = "") -> dict[str, Any]:
    """Remove a target everywhere, for good, and return the report that proves it.

    Raises:
        WorkspaceBusy: a sync is writing; nothing was done.
    """
    with alone(workspace):
        entry = Entry(
            id=secrets.token_hex(6),
            kind=target.kind,
            target=target_hash(target.kind, target.name),
            doc_ids=tuple(sorted(target.doc_ids)),
            at=datetime.now(UTC).isoformat(),
            who=acting_user(),
            why=why,
        )
        workspace.suppression.add(entry)
        return _carry_out(workspace, entry)


def finish(workspace: Workspace) -> list[dict[str, Any]]:
    """Finish what killed processes began; returns the reports."""
    if not workspace.suppression.unfinished():
        return []
    with alone(workspace):
        return [_carry_out(workspace, entry) for entry in workspace.suppression.unfinished()]


def undo(workspace: Workspace, entry: Entry) -> None:
    """Let the next sync read again what a source still has. What was removed stays removed."""
    reindex_answers(workspace.journal, entry.doc_ids)
    workspace.suppression.undo(entry)


def report_path(workspace: Workspace, entry_id: str) -> Path:
    """Return where a report lies; beside it, as ``.md``, its readable form."""
    return workspace.settings.data / "forgotten" / f"{entry_id}.json"


def _carry_out(workspace: Workspace, entry: Entry) -> dict[str, Any]:
    """Remove and prove. Every step can be repeated: what is gone already is not looked for."""
    work = report_path(workspace, entry.id).with_name(f".{entry.id}.work")
    for half_written in work.parent.glob(".*.new"):  # by a killed process; it may hold what is to be forgotten
        half_written.unlink()
    if work.exists():
        left = Remains.load(work)
    else:
        left = remains(workspace, entry)
        left.save(work)
    prints = Fingerprints(left.texts, retained_texts(workspace, left.doc_ids))
    removed, own = _erase(workspace, entry, left, prints)
    proof = prove(workspace, left, prints, ignore=work)
    report = {
        **{name: value for name, value in asdict(entry).items() if name not in ("done_at", "undone_at")},
        "finished_at": datetime.now(UTC).isoformat(),
        "removed": removed,
        "own_questions": own,
        "proof": proof.to_dict(),
        "proven": proof.holds and not removed["unremoved"],
    }
    path = report_path(workspace, entry.id)
    write_bytes(path, json.dumps(report, indent=1, ensure_ascii=False).encode())
    write_bytes(path.with_suffix(".md"), markdown(report).encode())
    if not removed["unremoved"]:  # else the next one tries again
        workspace.suppression.finish(entry)
        work.unlink()
    return report


def _erase(workspace: Workspace, entry: Entry, left: Remains, prints: Fingerprints) -> tuple[dict[str, Any], list[str]]:
    """Remove from one place after another; returns how much of what, and the questions left to people.

    First what people can see, then what it was made from. The bytes go last, when it is known what still needs them.
    """
    scrubber = Scrubber(left, prints)
    answers = erase_answers(workspace.journal, left, prints)
    asked = [receipt.id for receipt in workspace.journal.receipts(-1)]
    answers["shadow_questions"] = workspace.shadow_set.keep_only(asked, left.principal)
    answers["audit"] = workspace.audit.erase(erasing(left.doc_ids, left.principal, scrubber.found))
    why = f"forgotten: {entry.id}"
    versions = redact(workspace.versions, left.doc_ids, why=why, scrub=scrubber.value) if left.doc_ids else {}
    tables = erase_tables(workspace.store, left.doc_ids)
    workspace.access.rules.erase(left.doc_ids, left.principal)
    uploads = erase_uploads(workspace, left.doc_ids)
    _erase_session(workspace, entry)
    unremoved = _remove_kept(workspace)
    answers["judged_pairs"] = judgement_file(workspace.settings).clear()
    answers["pages_kept_of_models"] = kept_pages(workspace.settings).clear()
    blobs = erase_blobs(workspace, left.archives)
    workspace.store.sweep()
    unremoved += workspace.store.out_of_reach()
    traces = erase_traces(workspace.settings.data, scrubber)
    for schema in workspace.server_tables()[1:]:  # the first is the journal's
        traces["rows_changed"] += scrub_texts(schema, scrubber.found, scrubber.text)
    questions, own = erase_questions(workspace.settings.home, scrubber)
    workspace.journal.compact()
    for copy in upgrade_copies(workspace.settings.data):
        copy.unlink()
    made = {
        "blobs": blobs,
        "versions": versions,
        "answers": answers,
        "synthetic_questions": questions,
        "uploads": uploads,
        "unremoved": unremoved,
    }
    return tables | made | traces, own


def _remove_kept(workspace: Workspace) -> list[str]:
    """Remove folders of which nobody can tell what is in them; returns what could not be removed, and why.

    A clone holds texts in forms of its own, what libraries remember is theirs, shards are of a sync that did not end,
    and damaged files cannot be read. All of it can be had again.
    """
    problems = []
    data, store = workspace.settings.data, workspace.store.folder
    for folder in (data / CACHES, data / SHARDS, store / STATES, store / QUARANTINE):
        shutil.rmtree(folder, ignore_errors=True)
        try:
            if folder.exists():
                shutil.rmtree(folder)
        except OSError as error:
            problems.append(str(error))
    return problems


def _erase_session(workspace: Workspace, entry: Entry) -> None:
    """Remove the cookies with which a forgotten source was read."""
    for name in workspace.sessions.names() if entry.kind == "source" else ():
        if target_hash("source", name) == entry.target:
            workspace.sessions.delete(name)


@contextmanager
def alone(workspace: Workspace) -> Iterator[None]:
    """Keep every other writer out; `WorkspaceBusy` names one that is writing."""
    store = workspace.store
    sources = {source.id for source in workspace.settings.sources}
    tables = {source for stage in ("raw", "documents", "chunks") for source in store.sources(stage)}
    with ExitStack() as locks:
        for name in (*sorted(sources | tables), "index"):
            locks.enter_context(store.lock(name))
        yield
