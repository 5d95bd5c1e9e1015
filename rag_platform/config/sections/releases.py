"""What is published, and what a sync may do by itself: [index], [gate], [shadow], [health] and [sync] of rag.toml."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from rag_platform.config.sections.section import Section


class IndexSettings(Section):
    """How versions are built and kept."""

    exact_below: int = Field(50_000, ge=0)
    """Up to this many chunks the vector search is exact; above, it walks the HNSW graph."""
    keep: int = Field(10, ge=1)
    """Versions kept."""
    token_bits: int = Field(2, ge=0, le=2)
    """Of each dimension of the token vectors that are stored for late interaction; 0: none are stored."""
    tokens_up_to: int = Field(2_000_000, ge=0)
    """In a workspace of more chunks none are stored."""


class GateSettings(Section):
    """What a candidate version must reach to be published."""

    questions: tuple[Path, ...] = ()
    """Question sets, relative to the workspace; ``questions/*.jsonl`` is always read."""
    metric: str = "nDCG@10"
    noise: float = Field(0.01, ge=0, le=1)
    """A mean this much lower than the live version's is not yet called worse."""
    floors: dict[str, float] = Field({})
    """Metric -> the least value accepted, whatever the live version has."""
    takeover: float = Field(0.1, ge=0, le=1)
    """Share of the questions answered so far that new documents of one origin may take over; 1: any."""
    synthetic: int = Field(24, ge=0, le=1000)
    """Questions made from the documents of a workspace that has none; 0: none are made."""
    per_source: int = Field(5, ge=0, le=1000)
    """Questions that each source has at least: where there are fewer, some are made from its live documents."""
    judged: int = Field(20, ge=0, le=1000)
    """Answers that a language model judges, when one is set; 0: none. It is reported and decides nothing."""


class ShadowSettings(Section):
    """Which real questions are kept, masked, to compare a candidate with the live version on them."""

    sample: float = Field(0.0, ge=0, le=1)
    """Share of the questions that are kept; 0: none."""
    leave: Literal["given", "assumed"] = "given"
    """given: only of people who gave leave; assumed: of all who did not refuse."""
    questions: int = Field(200, ge=1, le=10_000)
    """Most that are kept; the oldest go."""
    keep_days: int = Field(90, ge=1)
    """After which a question goes."""
    compared: int = Field(50, ge=0)
    """Most of them on which a candidate is compared with the live version; 0: none."""
    judged: int = Field(10, ge=0, le=1000)
    """Pairs of answers, of those that differ, that a language model judges, where one is set; 0: none."""


class HealthSettings(Section):
    """From where on `rag health` and Dagster's checks call something worth a look."""

    failed: float = Field(0.1, ge=0, le=1)
    """Share of a source's items that could not be fetched or read."""
    boilerplate: float = Field(0.5, ge=0, le=1)
    """Share of its texts that are mostly boilerplate, or have no main content."""
    change: float = Field(0.5, ge=0)
    """Change of its number of documents, or of their median length, against the live version."""
    languages: float = Field(0.2, ge=0, le=1)
    """How much the share of a language may move against the live version."""
    undetermined: float = Field(0.3, ge=0, le=1)
    """Share of documents whose language is not known."""
    instructing: float = Field(0.0, ge=0, le=1)
    """Share of documents that try to instruct a language model."""
    scrub_mb: int = Field(10_000, ge=0)
    """Megabytes of files that are read each day to find damage; 0: none."""


class SyncSettings(Section):
    """What a sync may do by itself."""

    max_deleted_share: float = Field(0.2, ge=0, le=1)
    """A sync that would remove a larger share of a source stops and asks."""
    max_changed_share: float = Field(0.2, ge=0, le=1)
    """A source of which a larger share changed in one implausible way is held, until its own history tells more."""
