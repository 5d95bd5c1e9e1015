"""A workspace's questions in the layout of BEIR, beside the corpus of an export."""

import json
from collections.abc import Collection
from pathlib import Path

from evals.questions.labels import named_documents
from evals.questions.sets import workspace_questions
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.workspace import Workspace


def add_questions(
    workspace: Workspace, version: OpenVersion, principals: Collection[str], folder: Path, doc_ids: Collection[str]
) -> None:
    """Write ``queries.jsonl`` and ``qrels/test.tsv`` into a folder.

    Only questions that these principals ask, or everybody, and only judgements of documents that are in the export.
    """
    asked = [one for one in workspace_questions(workspace) if one.principal is None or one.principal in principals]
    exported = frozenset(doc_ids)
    named = named_documents(asked, version.catalog.documents("doc_id", "uri"))
    (folder / "qrels").mkdir()
    with (
        (folder / "queries.jsonl").open("w", encoding="utf-8") as queries,
        (folder / "qrels" / "test.tsv").open("w", encoding="utf-8") as qrels,
    ):
        qrels.write("query-id\tcorpus-id\tscore\n")
        for question in asked:
            relevant = sorted(named[question.id] & exported)
            if question.answerable and not relevant:
                continue  # what answers it is not in the export
            metadata = {"answers": list(question.answers), "answerable": question.answerable}
            row = {"_id": question.id, "text": question.question, "metadata": metadata}
            queries.write(json.dumps(row, ensure_ascii=False) + "\n")
            qrels.writelines(f"{question.id}\t{doc_id}\t1\n" for doc_id in relevant)
