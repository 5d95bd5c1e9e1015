"""How a question is asked, and what a saved prompt makes of that."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypedDict

from rag_platform.answering.attached.beside import Attachments
from rag_platform.answering.search_step import SearchRequest
from rag_platform.config.settings import Mode, PromptSettings
from rag_platform.core.answers import Turn
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.errors import SettingsError
from rag_platform.core.generation import Wishes
from rag_platform.core.hits import Filters

LONGEST = 2000
"""Characters of a question that are read; the middle of a longer one is left out."""


class AskOptions(TypedDict, total=False):
    """How a question is asked, beside its text."""

    history: Sequence[Turn]
    """What was asked and answered before in the same chat, oldest first."""
    queries: Sequence[str]
    """What to search for instead of the question."""
    generator: str | None
    """The name of the one that writes the answer; None: the default."""
    k: int | None
    """How many hits the generator sees; None: as set in ``answer.sources``."""
    mode: Mode | None
    """Of the search; None: as set in ``retrieval.mode``."""
    filters: Filters
    """What may be searched, and who asks."""
    now: datetime | None
    """The moment from which age is counted; None: this one."""
    asker: str | None
    """Owner of the receipt; None: the first of the principals."""
    who: str | None
    """Named in the audit; None: `asker`, else whoever runs this process."""
    prompt: str | None
    """The name of a saved prompt, which says how to write, what is searched and whether."""
    search: bool
    """False: a language model answers by itself, and nothing of it is checked."""
    wishes: Wishes
    """Of the language model that writes; one that cannot be told anything writes as always."""
    assistant: str
    """The id of the assistant whose wishes and scope these are, which is noted with the answer; empty: none."""
    attached: Attachments | None
    """The files of the chat, searched beside what is published or instead of it."""
    session: str
    """Who or what asks several questions in a row, which all are answered from one version while it is live."""


def prompted(options: AskOptions, prompts: Mapping[str, PromptSettings]) -> AskOptions:
    """Return the options as the saved prompt that they name has them; what the asker wishes besides is kept.

    Raises:
        SettingsError: there is no prompt of that name.
    """
    name = options.get("prompt")
    if not name:
        return options
    if name not in prompts:
        known = f"{did_you_mean(name, prompts)} There are: {', '.join(prompts) or 'none'}".strip()
        raise SettingsError(f"there is no saved prompt {name!r}; {known}; write a table [prompts.{name}] in rag.toml")
    prompt, wishes, filters = prompts[name], options.get("wishes", Wishes()), options.get("filters", Filters())
    made = options.copy()
    made["wishes"] = replace(wishes, instructions="\n\n".join(filter(None, (prompt.text, wishes.instructions))))
    made["filters"] = replace(filters, collections=filters.collections or prompt.collections)
    made["search"] = prompt.search and options.get("search", True)
    return made


def search_request(options: AskOptions, sources: int) -> SearchRequest:
    """Return how to search; `sources` hits, where the options name no number."""
    return SearchRequest(
        options.get("k") or sources,
        options.get("mode"),
        options.get("filters", Filters()),
        options.get("now") or datetime.now(UTC),
        options.get("asker"),
        options.get("who"),
        options.get("session", ""),
        options.get("attached"),
    )


def clipped(question: str) -> tuple[str, tuple[str, ...]]:
    """Return the question as it is searched for, with a warning when its middle is left out."""
    question = question.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if len(question) <= LONGEST:
        return question, ()
    half = LONGEST // 2
    return (
        f"{question[:half].rsplit(None, 1)[0]} … {question[-half:].split(None, 1)[-1]}",
        (f"the question has {len(question)} characters; only its first and last {half} were read",),
    )
