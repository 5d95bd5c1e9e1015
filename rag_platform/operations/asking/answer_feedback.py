"""Receipts as those who asked may see them, and what they think of the answers."""

from collections.abc import Iterable, Sequence
from typing import cast

from rag_platform.core.errors import NotFound
from rag_platform.journal.answer_judgements import Judgement, Reason
from rag_platform.journal.permissions import closed
from rag_platform.journal.receipts import Receipt
from rag_platform.workspace import Workspace


def readable_receipts(
    workspace: Workspace, receipts: Iterable[Receipt], readers: Sequence[str] | None
) -> list[Receipt]:
    """Return those that rest on nothing that `readers` may not read now; None: whoever may read everything."""
    found = [*receipts]
    if readers is None:
        return found
    documents = {doc_id for receipt in found for doc_id in receipt.documents}
    hidden = closed(workspace.versions, documents, readers)
    return [receipt for receipt in found if not receipt.documents & hidden]


def receipts_page(
    workspace: Workspace,
    owner: str | None,
    readers: Sequence[str] | None,
    count: int,
    before: tuple[str, str] | None = None,
) -> list[Receipt]:
    """Return the newest `count` receipts of somebody's that `readers` may read; no more of the journal is read.

    Args:
        workspace: whose receipts they are.
        owner: whose questions; None: everybody's.
        readers: as of `readable_receipts`.
        count: most of them.
        before: after which one the page begins, as of `Journal.receipts`.
    """
    found: list[Receipt] = []
    while len(found) < count:
        read = workspace.journal.receipts(count, principal=owner, before=before)
        found += readable_receipts(workspace, read, readers)
        if len(read) < count:
            break
        before = read[-1].asked_at.isoformat(), read[-1].id
    return found[:count]


def own_receipt(
    workspace: Workspace, receipt_id: str, owner: str | None, readers: Sequence[str] | None
) -> Receipt | None:
    """Return a receipt of what `owner` asked, or, without one, of anybody; None: there is none that they may read."""
    found = workspace.journal.receipt(receipt_id)
    if found is None or (owner is not None and found.principal != owner):
        return None
    return next(iter(readable_receipts(workspace, [found], readers)), None)


def give_feedback(
    workspace: Workspace, receipt_id: str, judged: Judgement, *, owner: str, readers: Sequence[str] | None
) -> None:
    """Keep what somebody thinks of an answer of theirs; it replaces what they thought before.

    Args:
        workspace: where it was answered.
        receipt_id: of the answer.
        judged: what they think.
        owner: of their receipts, who judges; each is counted once.
        readers: as whom they read now; None: everything.

    Raises:
        NotFound: there is no such receipt, it is of what somebody else asked, or rests on what they may not read now.
    """
    if own_receipt(workspace, receipt_id, owner, readers) is None:
        raise NotFound("no answer of yours has this receipt; the answer itself tells its receipt's id")
    reason = cast(Reason | None, judged.reason or None)
    workspace.feedback.give(receipt_id, judged.good, judged.comment, owner, reason)
