"""Removal from what people asked and were answered: receipts, chats, grids and feedback."""

import json

from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.ids import answer_digest
from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.journal.journal import Journal
from rag_platform.storage.relational.app_database import Connection, Row

_TELLING = (
    *("question", "answer", "citations", "warnings", "standalone", "queries", "reasoning"),
    *("also", "claims", "disagreements"),
)
"""Columns of a receipt that may quote a document."""
_CHATS = """
select id from chats where principal = ? union
select chat_id from messages join receipts on receipts.id = receipt_id where receipts.principal = ?
"""
"""Chats of a person, and those of a place, such as a thread of Slack, in which they asked."""
REMOVED = "(This was removed, because a document that it rests on was forgotten.)"


def erase_answers(journal: Journal, remains: Remains, prints: Fingerprints) -> dict[str, int]:
    """Remove what rests on these documents or was said by this principal; returns how much of what.

    An answer goes when it cites such a document, quotes one, or was written by a language model that had read one, or
    an answer that goes. From the others the document is struck as a hit.
    """
    with journal.writing(erasing=True) as connection:
        forget = "insert into forgotten_documents values (?) on conflict do nothing"
        connection.executemany(forget, [(doc_id,) for doc_id in remains.doc_ids])
        gone = {"receipts": 0, "messages": 0, "chats": 0, "feedback": 0, "hits": 0}
        for row in connection.execute("select * from receipts").fetchall():
            _treat_receipt(connection, row, remains, prints, gone)
        _remove_followers(connection, gone)
        _erase_own(connection, remains.principal, gone)
        connection.execute("update repeated_requests set status = 410, headers = '{}', body = null")  # any may quote it
        gone["watches"] = _erase_watches(connection, remains, prints)
        gone["shared"] = _erase_shelf(connection, remains.principal, prints)
        gone["grids"] = _erase_grids(connection, remains, prints)
        gone["messages"] += _replace(connection, "messages", "content", prints)
        _remove_files(connection, prints)
        gone["chats"] += _replace(connection, "chats", "title", prints)
        gone["chats"] += _replace(connection, "chats", "folder", prints, by="")
        gone["feedback"] += _replace(connection, "feedback", "comment", prints)
    return gone


def reindex_answers(journal: Journal, doc_ids: tuple[str, ...]) -> None:
    """Let answers rest on these documents again."""
    with journal.writing() as connection:
        for table in ("forgotten_documents", "forgotten_answers"):
            connection.executemany(f"delete from {table} where doc_id = ?", [(one,) for one in doc_ids])


def _treat_receipt(
    connection: Connection, row: Row, remains: Remains, prints: Fingerprints, gone: dict[str, int]
) -> None:
    hits = json.loads(row["hits"])
    seen = [hit for hit in hits if hit["doc_id"] in remains.doc_ids]
    told = [one[side] for one in json.loads(row["disagreements"]) for side in ("said", "against")]
    said = not row["abstained"] or row["claims"] != "[]"  # a sentence that was taken away is still told of
    written = seen and row["model"] != Extractive.name and said
    quoted = [*json.loads(row["citations"]), *json.loads(row["also"]), *told]
    cited = any(citation["doc_id"] in remains.doc_ids for citation in quoted)
    text = "\n".join(row[column] for column in _TELLING)
    if cited or written or prints.quotes(text):
        _remove(connection, row, seen[0]["doc_id"] if seen else min(remains.doc_ids, default=""), gone)
    elif seen:
        others = json.dumps([hit for hit in hits if hit not in seen], ensure_ascii=False)
        thought = "" if row["model"] != Extractive.name else row["reasoning"]  # by a model that had read the document
        connection.execute("update receipts set hits = ?, reasoning = ? where id = ?", (others, thought, row["id"]))
        for hit in seen:
            forget = (row["id"], hit["doc_id"])
            connection.execute("delete from receipt_documents where receipt_id = ? and doc_id = ?", forget)
        gone["hits"] += len(seen)


def _remove(connection: Connection, row: Row, doc_id: str, gone: dict[str, int]) -> None:
    """Remove an answer that rests on a document; its mark stays, to know it when a chat refers to it."""
    if not row["abstained"]:
        known = (answer_digest(row["answer"]), doc_id)
        connection.execute("insert into forgotten_answers values (?, ?) on conflict do nothing", known)
    gone["messages"] += connection.execute(
        "update messages set content = ? where receipt_id = ? and role = 'assistant'", (REMOVED, row["id"])
    ).rowcount
    connection.execute("delete from receipts where id = ?", (row["id"],))
    gone["receipts"] += 1


def _remove_followers(connection: Connection, gone: dict[str, int]) -> None:
    """Remove the answers to questions that a model understood from an answer that is removed, and so on."""
    while True:
        removed = dict(connection.execute("select mark, doc_id from forgotten_answers").fetchall())
        rows = connection.execute("select * from receipts where history <> '[]'").fetchall()
        following = [(row, removed.keys() & set(json.loads(row["history"]))) for row in rows]
        following = [(row, marks) for row, marks in following if marks]
        if not following:
            return
        for row, marks in following:
            _remove(connection, row, removed[min(marks)], gone)


def _erase_own(connection: Connection, principal: str | None, gone: dict[str, int]) -> None:
    if not principal:
        return
    chats = connection.execute(_CHATS, (principal, principal)).fetchall()
    for table, column in (("messages", "chat_id"), ("chats", "id")):
        for (chat,) in chats:
            gone[table] += connection.execute(f"delete from {table} where {column} = ?", (chat,)).rowcount
    for table in ("feedback", "receipts"):
        gone[table] += connection.execute(f"delete from {table} where principal = ?", (principal,)).rowcount
    _erase_reader(connection, principal)
    connection.execute("delete from preferred_answers where principal = ?", (principal,))
    connection.execute("delete from preferences where principal = ?", (principal,))
    connection.execute("delete from repeated_requests where who = ?", (principal,))


def _erase_reader(connection: Connection, principal: str) -> None:
    """Name somebody nowhere among those who may open a chat; one that was for them alone is shared no longer."""
    for token, readers in connection.execute("select token, readers from shares").fetchall():
        left = [one for one in json.loads(readers) if one != principal]
        if len(left) == len(json.loads(readers)):
            continue
        if left:
            connection.execute("update shares set readers = ? where token = ?", (json.dumps(left), token))
        else:  # no reader named would be everybody
            connection.execute("delete from shares where token = ?", (token,))


def _erase_shelf(connection: Connection, principal: str | None, prints: Fingerprints) -> int:
    """Remove what this principal keeps for themselves or others, and what quotes a document; name them nowhere."""
    gone = 0
    for row in connection.execute("select kind, id, owner, name, body, readers from shelf").fetchall():
        readers = json.loads(row["readers"])
        left = [one for one in readers if one != principal]
        texts = (text for one in json.loads(row["body"]).values() for text in ([one] if isinstance(one, str) else one))
        if row["owner"] == (principal or None) or prints.quotes("\n".join((row["name"], *texts))):
            gone += connection.execute("delete from shelf where (kind, id) = (?, ?)", (row["kind"], row["id"])).rowcount
        elif left != readers:
            named = json.dumps(left), row["kind"], row["id"]
            connection.execute("update shelf set readers = ? where (kind, id) = (?, ?)", named)
    return gone


def _erase_watches(connection: Connection, remains: Remains, prints: Fingerprints) -> int:
    """Remove watches of this principal, and those whose question quotes a document; others find it no more."""
    connection.executemany("delete from found_documents where doc_id = ?", [(one,) for one in remains.doc_ids])
    quoting = [
        row["id"] for row in connection.execute("select id, question from watches") if prints.quotes(row["question"])
    ]
    connection.executemany("delete from watches where id = ?", [(one,) for one in quoting])
    own = connection.execute("delete from watches where owner = ?", (remains.principal or None,)).rowcount
    return len(quoting) + own


def _erase_grids(connection: Connection, remains: Remains, prints: Fingerprints) -> int:
    """Remove grids of this principal, rows of these documents, columns and names that quote one; name nobody else."""
    own = connection.execute("delete from grids where owner = ?", (remains.principal or None,)).rowcount
    for table in ("grid_rows", "grid_cells"):
        connection.executemany(f"delete from {table} where doc_id = ?", [(one,) for one in remains.doc_ids])
    connection.execute("delete from grid_cells where receipt_id is null")
    for column, name, question in connection.execute("select id, name, question from grid_columns").fetchall():
        if prints.quotes(f"{name}\n{question}"):
            connection.execute("delete from grid_columns where id = ?", (column,))
    quoting = _replace(connection, "grids", "name", prints)
    for grid, readers in connection.execute("select id, readers from grids").fetchall():
        left = [one for one in json.loads(readers) if one != remains.principal]
        connection.execute("update grids set readers = ? where id = ?", (json.dumps(left), grid))
    return own + quoting


def _remove_files(connection: Connection, prints: Fingerprints) -> None:
    """Remove the files of chats that quote what is forgotten."""
    rows = connection.execute("select rowid, text, title, name from attached_documents")
    quoting = [(place,) for place, *texts in rows if any(prints.quotes(text) for text in texts)]
    connection.executemany("delete from attached_documents where rowid = ?", quoting)
    connection.execute("delete from attachments where id not in (select attachment_id from attached_documents)")


def _replace(connection: Connection, table: str, column: str, prints: Fingerprints, by: str = REMOVED) -> int:
    """Write that it was removed in the place of each text that quotes it; returns how many there were."""
    texts = {text for (text,) in connection.execute(f"select distinct {column} from {table}")}
    quoting = [text for text in texts if prints.quotes(text)]
    change = f"update {table} set {column} = ? where {column} = ?"
    return sum(connection.execute(change, (by, one)).rowcount for one in quoting)
