"""The report of a removal, for people. Like its data it names nothing of what was removed."""

from typing import Any


def markdown(report: dict[str, Any]) -> str:
    """Return a report's readable form."""
    removed, proof = report["removed"], report["proof"]
    versions = [f"- {old} → {new or 'nothing left of it: removed'}" for old, new in removed["versions"].items()] or [
        "- none held it"
    ]
    answers = removed["answers"]
    what = "document" if report["kind"] == "uri" else report["kind"]
    lines = [
        f"# Forgotten: {report['id']}",
        "",
        f"A {what} was forgotten on {report['finished_at'][:19]} by {report['who']}"
        + (f": {report['why']}" if report["why"] else "."),
        "",
        f"**{'Proven' if report['proven'] else 'Not proven'}:** {_finding(proof, removed['unremoved'])}",
        "",
        "## What was removed",
        "",
        f"- documents: {len(report['doc_ids'])} ({removed['documents']} rows of texts, {removed['raw']} of sources)",
        f"- chunks: {removed['chunks']}; vectors: {removed['vectors']}; files of raw bytes: {removed['blobs']}",
        f"- answers: {answers['receipts']}, messages: {answers['messages']}, chats: {answers['chats']}, "
        f"judgements: {answers['feedback']}, hits struck from other receipts: {answers['hits']}",
        f"- events of the audit of which the name or the question was erased: {answers['audit']}",
        f"- kept judgements of claims, of all documents: {answers['judged_pairs']}",
        f"- kept texts of pages that a model read, of all documents: {answers['pages_kept_of_models']}",
        f"- synthetic questions: {removed['synthetic_questions']}",
        f"- reports and records of runs: {removed['files_removed']} files removed, {removed['files_changed']} changed, "
        f"{removed['rows_changed']} rows changed",
        *(
            f"- left to you: the question {name!r} of your own sets, which rests on one of the documents"
            for name in report["own_questions"]
        ),
        *(f"- **not removed:** {problem}" for problem in removed["unremoved"]),
        "",
        "## Versions",
        "",
        *versions,
        "",
        "## What was searched for",
        "",
        f"- {len(proof['sentences'])} sentences of the removed documents in {len(proof['versions'])} versions, ways of "
        f"searching: {', '.join(proof['modes']) or 'none'}; {proof['searches']} searches, {proof['hits']} hits, of "
        f"which {len(proof['found_by_search'])} searches found something of them",
        f"- {proof['passages']} passages in {proof['files']} files with {proof['bytes']} characters: found in "
        f"{len(proof['found_in_files'])}",
        *(f"- found in {path}" for path in proof["found_in_files"]),
        *(f"- not read: {problem}" for problem in proof["unread"]),
        *(f"- {note}" for note in proof["notes"]),
        "",
        "## Documents, by id",
        "",
        *(f"- {doc_id}" for doc_id in report["doc_ids"]),
    ]
    return "\n".join(lines) + "\n"


def _finding(proof: dict[str, Any], unremoved: list[str]) -> str:
    if unremoved:
        return (
            f"{len(unremoved)} files or folders that may hold it could not be removed. Close what uses them, or change "
            "their permissions; the next `rag forget` or `rag sync` tries again."
        )
    if proof["holds"]:
        return "nothing of it was found, neither by searching nor in any file."
    return (
        f"{len(proof['found_by_search'])} searches and {len(proof['found_in_files'])} files still show something of "
        f"it, and {len(proof['unread'])} files could not be read."
    )
