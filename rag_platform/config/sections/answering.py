"""How hits become an answer: [generator], [answer] and [check] of rag.toml."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from rag_platform.config.sections.section import Section
from rag_platform.config.sections.servers import ServerSettings

Contradicted = Literal["remove", "mark"]
EXTRACTIVE = "extractive"
"""The generator that needs no server: sentences of the sources."""
UNNAMED = "default"
"""The name of the table [generator] that has none of its own."""


class GeneratorSettings(ServerSettings):
    """A server that writes answers; without `base_url`, answers are extracted sentences."""

    name: str = Field(UNNAMED, pattern=r"^[\w.-]+$")
    """How a question asks for it; a table [generators.NAME] has its own."""


class PromptSettings(Section):
    """A saved prompt: how a language model is to answer, of which collections."""

    text: str = Field(min_length=1)
    """What the model is told beside the rules about sources."""
    collections: tuple[str, ...] = ()
    """Those that are searched; empty: as the question says."""
    search: bool = True
    """False: the model answers by itself, from what was said; nothing is searched for, and nothing checked."""


class AnswerSettings(Section):
    """How hits become an answer."""

    sources: int = Field(6, ge=1, le=50)
    """Hits that the generator sees."""
    sentences: int = Field(3, ge=1, le=20)
    """Most sentences for which an answer of quotes is made; their neighbours do not count."""
    threshold: float | None = Field(None, ge=0, le=1)
    """Estimated probability that the hits hold an answer, from which an extractive answer is given; None: measured."""
    search: Literal["once", "agentic"] = "once"
    """Search for the question, or let the language model choose what to search for."""
    max_searches: int = Field(4, ge=1, le=20)
    """Most searches of the language model for one question."""
    search_tokens: int = Field(6000, ge=500)
    """Most tokens of the conversation in which the language model searches, by estimate."""
    search_seconds: float = Field(30.0, gt=0)
    """After which the language model's search is ended."""
    contradicted: Contradicted = "remove"
    """Leave out a sentence that a source denies, or mark it with [!]."""
    check: Literal["off", "nli", "llm"] = "off"
    """Look again at what is no verbatim quote: with a model of natural language inference, or the language model."""
    suggestions: Literal["sections", "llm", "off"] = "sections"
    """What is suggested to ask next: sections beside what was cited, what the language model proposes, or nothing."""
    history_tokens: int = Field(1500, ge=0)
    """Most tokens of what was said before in a chat that are read to understand a question; 0: none."""


class CheckSettings(Section):
    """The model that `check` in [answer] asks."""

    generator: str | None = None
    """With "llm": a table of [generators], or the name of [generator]; None: that of [generator]."""
    model: str | None = None
    """With "nli": a known model or a repository on the hub (owner/name); None: the default one."""
    folder: Path | None = None
    """A folder that holds its weights; None: the cache, then the hub."""
    revision: str | None = None
    """The commit of a repository on the hub."""
    labels: tuple[str, ...] | None = None
    """What its classes mean, in their order; None: as its own configuration says."""
    window: int = Field(128, ge=32)
    """Tokens of a source that it reads at a time; a longer one counts by its best piece."""
    precision: Literal["int8", "fp32"] = "int8"
    timeout: float = Field(15.0, gt=0)
    """Seconds for one answer; sentences that are not judged by then keep their first verdict."""
