"""Beginning to watch an answer that was given: its question as it was understood, and how it was asked."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rag_platform.journal.receipts import Receipt
from rag_platform.workspace import Workspace

_KEPT = ("collections", "sources", "languages", "types", "tags", "since", "until", "match", "archived")


def watch_answer(
    workspace: Workspace,
    owner: str,
    receipt: Receipt,
    *,
    principals: Sequence[str],
    token: str = "",
    mail: bool = False,
) -> str:
    """Watch the question of an answer from that answer on; returns the watch's id.

    The caller has made sure that the receipt is the owner's, and that they may read what it rests on.
    """
    options = {name: receipt.filters.get(name) for name in _KEPT} | {"mode": receipt.mode}
    options["generator"] = (receipt.settings.get("generator") or {}).get("name")
    kept = {name: value for name, value in options.items() if value}
    question = receipt.standalone or receipt.question
    watch_id = workspace.watches.begin(
        owner, question, datetime.now(UTC), options=kept, principals=principals, token=token, mail=mail
    )
    watch = workspace.watches.find(watch_id, owner)
    if watch and not workspace.watches.findings(watch_id, 1):
        workspace.watches.add(watch, receipt.version, receipt.asked_at, receipt_id=receipt.id)
    return watch_id
