"""Letting others use an assistant or a template, or open a chat; the audit notes who may, and who said so."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rag_platform.core.errors import RuleRefused
from rag_platform.core.principals import PUBLIC
from rag_platform.people.sharing.shelf import Body, Shelf
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Sharer:
    """Who shares something."""

    id: str
    """Who owns it."""
    principals: Sequence[str]
    who: str
    """How the audit calls them."""
    editor: bool = False
    """Whether they may share with anyone; others may with groups that they are in."""


def keep_item(
    workspace: Workspace,
    shelf: Shelf[Body],
    name: str,
    body: Body,
    readers: Sequence[str],
    sharer: Sharer,
    item: str | None = None,
) -> str:
    """Keep an assistant or a template, new or changed, and note in the audit when others may use it; returns its id.

    Args:
        workspace: whose audit it is.
        shelf: that holds it.
        name: by which people find it.
        body: what it is.
        readers: people and groups who may use it; `*`: everybody; none: its owner alone.
        sharer: its owner.
        item: its id, when it is changed.

    Raises:
        RuleRefused: one of the readers is not theirs to share with.
        NotFound, SettingsError: as of `Shelf.put`.
    """
    found = shelf.find(item, {sharer.id}) if item else None
    before = {*found.readers} if found and found.owner == sharer.id else set[str]()
    refuse_others(workspace, readers, before, sharer)
    kept = shelf.put(sharer.id, name, body, readers, item)
    if {*readers} != before:
        record_sharing(workspace, sharer, shelf.kind, kept, readers=sorted({*readers}))
    return kept


def refuse_others(workspace: Workspace, readers: Collection[str], before: Collection[str], sharer: Sharer) -> None:
    """Raise `RuleRefused` when one of the readers is not the sharer's to share with, and was none before."""
    own = {*workspace.access.asker(sharer.principals)} - {PUBLIC}
    if not sharer.editor and (others := sorted({*readers} - own - {*before})):
        raise RuleRefused(
            f"{', '.join(others)}: you may share with groups that you are in ({', '.join(sorted(own)) or 'none'}); "
            "an editor may share with everybody"
        )


def share_chat(workspace: Workspace, chat: str, readers: Sequence[str] | None, sharer: Sharer) -> str:
    """Share somebody's chat as `Chats.share` does, and note that in the audit; returns the link's token."""
    token = workspace.chats.share(chat, sharer.id, readers)
    record_sharing(workspace, sharer, "chat", chat, readers=workspace.chats.shared_with(chat, sharer.id))
    return token


def end_share(workspace: Workspace, chat: str, sharer: Sharer) -> Callable[[], None]:
    """Share a chat no longer, note that, and return what restores the link; `NotFound` when it is not theirs."""
    back = workspace.chats.unshare(chat, sharer.id)
    record_sharing(workspace, sharer, "chat", chat, ended=True)

    def restore() -> None:
        back()
        record_sharing(workspace, sharer, "chat", chat, readers=workspace.chats.shared_with(chat, sharer.id))

    return restore


def record_sharing(workspace: Workspace, sharer: Sharer, kind: str, item: str, **more: Any) -> None:
    """Note in the audit who may use something, and who said so."""
    workspace.audit.record("share", sharer.who, sharer.principals, shown={"kind": kind, "id": item, **more})
