"""What we ask of the parts that can be swapped. `Workspace` chooses; contract tests hold every adapter to it."""

from rag_platform.core.ports.gate_port import Gate, Judgement, SourceJudgement
from rag_platform.core.ports.model_ports import (
    Converser,
    Embedder,
    Generator,
    Memo,
    Obliging,
    PassageTokens,
    Reranker,
    SpaceReranker,
)
from rag_platform.core.ports.progress_ports import Progress, Reporter, quiet, silent, within
from rag_platform.core.ports.source_ports import (
    REMOVED,
    Fetched,
    Gone,
    Item,
    Last,
    Listing,
    Resuming,
    Source,
    Validators,
    Watched,
    nothing,
    nothing_below,
)

__all__ = [
    "REMOVED",
    "Converser",
    "Embedder",
    "Fetched",
    "Gate",
    "Generator",
    "Gone",
    "Item",
    "Judgement",
    "Last",
    "Listing",
    "Memo",
    "Obliging",
    "PassageTokens",
    "Progress",
    "Reporter",
    "Reranker",
    "Resuming",
    "Source",
    "SourceJudgement",
    "SpaceReranker",
    "Validators",
    "Watched",
    "nothing",
    "nothing_below",
    "quiet",
    "silent",
    "within",
]
