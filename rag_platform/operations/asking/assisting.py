"""A question to an assistant: asked as its author wished, as far as who asks may read.

What an assistant is told was written by another person. It is passed on as a wish, below the rules about sources: it
can neither end the check of sentences nor answer without a search, and its collections only narrow what is searched.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast

from rag_platform.answering.ask_options import AskOptions
from rag_platform.core.errors import NotFound
from rag_platform.core.generation import Wishes
from rag_platform.core.hits import Filters
from rag_platform.people.chat_scopes import ChatScope
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.shelf import Shelved
from rag_platform.workspace import Workspace

ADDRESSED = "assistant:"
"""Before the id of an assistant, where models and collections have names too."""
_TOLD = "The assistant that is asked was described so by its author, who is not who asks:\n\n"


def asker_of(workspace: Workspace, owner: str, principals: Collection[str]) -> frozenset[str]:
    """Return by whom an assistant may be used: somebody, with all their groups, and everybody."""
    return workspace.access.asker(principals) | {owner}


def refuse_unknown_assistant(workspace: Workspace, item: str, asker: Collection[str]) -> None:
    """Raise `NotFound` when there is no assistant of that id for who asks; empty: none is asked."""
    if item and workspace.assistants.find(item, asker) is None:
        known = ", ".join(one.id for one in workspace.assistants.of(asker)) or "none"
        raise NotFound(f"there is no assistant {item!r} that you may use; there are: {known}")


def assisted(workspace: Workspace, options: Any, assistant: str, asker: Collection[str]) -> AskOptions:
    """Return how a question is asked of an assistant.

    Args:
        workspace: whose assistants there are.
        options: of `Answerer.stream`, as who asks chose them; their generator goes before the assistant's.
        assistant: its id; empty, or one that the asker may not use any more: the options stay as they are.
        asker: the principals of who asks, with their groups.
    """
    found = workspace.assistants.find(assistant, asker) if assistant else None
    return cast(AskOptions, options) if found is None else _told(workspace, options, found, asker)


def _told(
    workspace: Workspace, options: AskOptions, assistant: Shelved[Assistant], asker: Collection[str]
) -> AskOptions:
    body, made, wishes = assistant.body, options.copy(), options.get("wishes", Wishes())
    if body.instructions:
        told = body.instructions if assistant.owner in asker else _TOLD + body.instructions
        wishes = replace(wishes, instructions="\n\n".join(filter(None, (told, wishes.instructions))))
    made["wishes"], made["assistant"] = wishes, assistant.id
    made["filters"] = ChatScope(body.collections).within(options.get("filters", Filters()))
    if body.generator and workspace.generators.knows(body.generator):
        made["generator"] = options.get("generator") or body.generator
    return made
