"""What the journal refers to elsewhere: documents, raw bytes, people."""

from rag_platform.storage.relational.app_database import Database


def referenced_documents(journal: Database) -> set[tuple[str, str, str]]:
    """Return the documents among the hits of all receipts: (source, uri, doc_id)."""
    columns = ", ".join(f"json_extract(hit.value, '$.{name}')" for name in ("source", "uri", "doc_id"))
    with journal.reading() as connection:
        rows = connection.execute(f"select distinct {columns} from receipts, json_each(hits) hit")
        return {(source, uri, doc_id) for source, uri, doc_id in rows}


def referenced_blobs(journal: Database) -> set[str]:
    """Return the sha256 of the raw bytes that the hits of all receipts were read from."""
    sql = "select distinct json_extract(hit.value, '$.raw_sha256') from receipts, json_each(hits) hit"
    with journal.reading() as connection:
        return {sha256 for (sha256,) in connection.execute(sql)}


def known_principals(journal: Database) -> set[str]:
    """Return everyone who asked, chatted or gave feedback."""
    tables = " union ".join(f"select principal from {table}" for table in ("receipts", "chats", "feedback"))
    with journal.reading() as connection:
        return {principal for (principal,) in connection.execute(tables)}
