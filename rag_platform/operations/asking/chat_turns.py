"""A question within somebody's chat: understood from what was said before, answered, and both kept, however it ends."""

from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from rag_platform.answering.attached.attached_index import ATTACHED
from rag_platform.answering.events import AnswerEvents
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.generation import PartialAnswer, Reply
from rag_platform.core.hits import Filters
from rag_platform.journal.permissions import closed
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.assisting import asker_of, assisted
from rag_platform.operations.asking.attaching import attached_to, let_go
from rag_platform.people.chats import Message, Shared, turns_of
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace

REMEMBERED = 40
"""Messages of a chat that may be read to understand the next question."""


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message as its chat's owner may read it now."""

    message: Message
    receipt: Receipt | None
    withheld: bool
    """It rests on a document that they may no longer read, and must not be shown."""


def chat_messages(
    workspace: Workspace, chat: str, owner: str, principals: Sequence[str] | None, *, last: int | None = None
) -> list[ShownMessage]:
    """Return the messages of somebody's chat, oldest first, or the last ones; `principals` None: of who reads all."""
    return _shown(workspace, workspace.chats.messages(chat, owner, last=last), principals)


def messages_beside(
    workspace: Workspace, chat: str, owner: str, principals: Sequence[str], ids: Collection[int]
) -> list[ShownMessage]:
    """Return messages of somebody's chat, oldest first, whichever of its branches is shown."""
    return _shown(workspace, workspace.chats.said(chat, ids, owner), principals)


def shared_messages(workspace: Workspace, shared: Shared, principals: Sequence[str] | None) -> list[ShownMessage]:
    """Return the messages of a chat that somebody shared, as its reader may read them."""
    shown = _shown(workspace, shared.messages, principals)
    return [replace(one, withheld=one.withheld or from_files(one.receipt)) for one in shown]


def from_files(receipt: Receipt | None) -> bool:
    """Return whether an answer rests on files of its chat, which are nobody's but its owner's."""
    return receipt is not None and any(hit["source"] == ATTACHED for hit in receipt.hits)


def delete_chat(workspace: Workspace, chat: str, owner: str) -> None:
    """Remove somebody's chat with its files; `NotFound` when it is not theirs."""
    workspace.chats.delete(chat, owner)
    let_go(chat)


def _shown(workspace: Workspace, messages: Sequence[Message], principals: Sequence[str] | None) -> list[ShownMessage]:
    receipts = workspace.chats.receipts(messages)
    documents = {doc_id for receipt in receipts.values() for doc_id in receipt.documents}
    hidden = frozenset[str]() if principals is None else closed(workspace.versions, documents, principals)
    shown = ((message, receipts.get(message.receipt_id or "")) for message in messages)
    return [ShownMessage(message, one, bool(one and one.documents & hidden)) for message, one in shown]


def remembered(workspace: Workspace, chat: str, owner: str, principals: Sequence[str], last: int) -> list[Turn]:
    """Return what a question is understood from: of the last messages those that its asker may still read."""
    said = chat_messages(workspace, chat, owner, principals, last=last)
    return turns_of(one.message for one in said if not one.withheld)


def ask_in_chat(workspace: Workspace, chat: str, owner: str, question: str) -> int:
    """Put the next question into somebody's chat, and return its message's id; one that waits there is not repeated.

    Raises:
        NotFound: it is not this person's chat.
    """
    chats = workspace.chats
    chats.own(chat, owner)
    for last in chats.messages(chat, owner, last=1):
        if (last.role, last.content) == ("user", question):  # it was stopped before anything was written, or failed
            return last.id
    return chats.say(chat, "user", question)


def answer_in_chat(workspace: Workspace, chat: str, owner: str, question: str, **options: Any) -> AnswerEvents:
    """Yield what `Answerer.stream` does, in a chat; one that is closed before its end keeps what was written so far.

    Args:
        workspace: where.
        chat: its id.
        owner: whose chat it is; who asks, unless `options` names an `asker`.
        question: the next one.
        options: of `Answerer.stream`.

    Raises:
        NotFound: it is not this person's chat.
    """
    chats, answerer = workspace.chats, workspace.answerer
    asked = ask_in_chat(workspace, chat, owner, question)
    scope = workspace.chat_scopes.of(chat, owner)
    filters = scope.within(options.get("filters", Filters()))
    readers = filters.principals
    given: dict[str, Any] = {
        "asker": owner,
        **options,
        "filters": filters,
        "history": remembered(workspace, chat, owner, readers, REMEMBERED),
    }
    asking = assisted(workspace, given, chats.own(chat, owner).assistant, asker_of(workspace, owner, readers))
    found: list[SearchResult] = []
    draft, whole = PartialAnswer(), None
    try:
        asking["attached"] = attached_to(workspace, chat, owner, alone=scope.attached_only)
        with closing(answerer.stream(question, **asking)) as parts:
            for part in parts:
                if isinstance(part, Answer):
                    whole = part
                    chats.say(chat, "assistant", part.answer, part.receipt_id, after=asked)
                elif isinstance(part, SearchResult):
                    found.append(part)
                elif not isinstance(part, Reply):
                    draft.add(part)
                yield part
    finally:
        if whole is None and draft.text.strip() and found:
            partial = answerer.stopped(question, found, draft, **asking)
            chats.say(chat, "assistant", partial.answer, partial.receipt_id, stopped=True, after=asked)
