"""An answer given again from its receipt: the same question to the same version, under the same settings.

With extracted answers a replay is identical to the byte. What differs is named, with its cause as far as it can be
known; no receipt is written.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast

from rag_platform.answering import Answerer
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.config.sections.retrieval import Mode
from rag_platform.config.settings import EXTRACTIVE, AnswerSettings, GeneratorSettings, RetrievalSettings
from rag_platform.core import ports
from rag_platform.core.answers import Answer, JudgedClaim, State
from rag_platform.core.errors import SettingsError, VersionError
from rag_platform.core.generation import Wishes
from rag_platform.core.hits import Filters, Hit
from rag_platform.journal.journal import Journal
from rag_platform.journal.receipts import Receipt
from rag_platform.llm import OpenAICompatible
from rag_platform.retrieval import Retriever
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of a replay."""

    receipt_id: str
    identical: bool
    version: str | None
    """The version that was searched; None: it is no longer there."""
    differences: tuple[str, ...]
    """What is not as it was, in sentences."""
    causes: tuple[str, ...]
    """Why, as far as it can be known."""
    answer: Answer | None


def replay(workspace: Workspace, receipt: Receipt) -> Replay:
    """Search and answer again as the receipt says, and compare."""
    try:
        version = workspace.versions.resolve(receipt.version)
    except VersionError as error:
        return Replay(receipt.id, False, None, ("The answer cannot be given again.",), (str(error),), None)
    journal = _NoJournal()
    answerer = _answerer(workspace, receipt, version, journal)
    answer = answerer.ask(
        receipt.standalone or receipt.question,
        queries=receipt.queries,
        search=bool(receipt.queries),
        k=receipt.k or len(receipt.hits) or None,
        mode=cast(Mode, receipt.mode),
        filters=_filters(receipt.filters),
        now=receipt.asked_at,  # ages count from there
    )
    differences = tuple(_differences(receipt, answer, journal.prompt_hash))
    causes = tuple(_causes(workspace, receipt, version)) if differences else ()
    return Replay(receipt.id, not differences, version, differences, causes, answer)


class _NoJournal(Journal):
    """A journal without a file: it remembers the last prompt's hash, and writes no receipt."""

    def __init__(self) -> None:
        self.prompt_hash = ""

    def record(self, answer: Answer, **recorded: Any) -> str:  # noqa: ARG002  the journal's
        """Record nothing but the hash."""
        self.prompt_hash = recorded["prompt_hash"]
        return ""


def _answerer(workspace: Workspace, receipt: Receipt, version: str, journal: Journal) -> Answerer:
    """Build what answered then, of one version."""
    known = receipt.settings
    settings = workspace.settings.model_copy(
        update={
            "retrieval": RetrievalSettings(**known["retrieval"]),
            "answer": AnswerSettings(**known["answer"]),
        }
    )
    retriever = Retriever(
        workspace.retriever_of(version).versions,
        lambda: workspace.embedder,
        lambda: workspace.reranker,
        settings.retrieval,
        known["half_lives"],
        known["max_ages"],
        known["trust"],
        embedder_of=workspace.embedders.of_space,
    )
    generator = _generator(workspace, receipt) or Extractive.as_set(workspace.embedder, settings.answer)
    return Answerer(retriever, generator, workspace.embedder, journal, settings, check=workspace.check)


def _generator(workspace: Workspace, receipt: Receipt) -> ports.Generator | None:
    """Return the language model's server with the recorded parameters; None when sentences were extracted."""
    if receipt.model == EXTRACTIVE:
        return None
    recorded = dict(receipt.settings.get("generator") or {})
    name, servers = recorded.pop("name", None) or "", workspace.settings.servers
    server = servers.get(name.partition(":")[0]) or next(iter(servers.values()), None)
    if server is None:
        raise SettingsError(
            f"receipt {receipt.id} was answered by the language model {receipt.model!r}, and [generator] names no "
            "server; set generator.base_url to one that has this model"
        )
    settings = GeneratorSettings(**server.model_dump() | recorded | {"model": receipt.model})
    return OpenAICompatible(settings, settings.api_key).wishing(Wishes(**receipt.settings.get("wishes", {})))


def _filters(stored: dict[str, Any]) -> Filters:
    values: dict[str, Any] = {name: tuple(value) for name, value in stored.items() if isinstance(value, list)}
    values |= {name: datetime.fromisoformat(stored[name]) for name in ("since", "until") if stored[name]}
    values |= {"match": stored.get("match"), "archived": stored.get("archived", False)}
    return Filters(**values)


def _differences(receipt: Receipt, answer: Answer, prompt_hash: str) -> Iterator[str]:
    yield from _other_hits(receipt.hits, answer.hits)
    if prompt_hash != receipt.prompt_hash:
        yield "The prompt is another one."
    if answer.answer != receipt.answer or answer.abstained != receipt.abstained:
        yield "The answer reads differently."
    if answer.citations != receipt.citations:
        yield "The citations are others."
    if [_state(claim) for claim in answer.claims] != [_state(claim) for claim in receipt.claims]:
        then, now = (" and ".join(sorted({claim.check for claim in one.claims})) for one in (receipt, answer))
        by = f": then by {then}, now by {now}" if then != now else ""
        yield f"Its sentences are judged otherwise{by}."


def _state(claim: JudgedClaim) -> tuple[str, State]:
    return claim.text, claim.state


def _other_hits(then: tuple[dict[str, Any], ...], now: tuple[Hit, ...]) -> Iterator[str]:
    before, after = [hit["chunk_id"] for hit in then], [hit.chunk_id for hit in now]
    if set(before) != set(after):
        lost, new = set(before) - set(after), set(after) - set(before)
        yield f"{len(lost)} of the {len(before)} hits are no longer found, and {len(new)} others are."
    elif before != after:
        yield "The same hits are found in another order."
    elif [(hit["score"], hit["scores"]) for hit in then] != [(hit.score, asdict(hit.scores)) for hit in now]:
        yield "The same hits are found in the same order, with other scores."


def _causes(workspace: Workspace, receipt: Receipt, version: str) -> Iterator[str]:
    embedder = receipt.settings.get("embedder")
    if version != receipt.version:
        yield (
            f"Documents of version {receipt.version} were forgotten since; {version} is the same version without them."
        )
    if embedder and embedder != workspace.embedder.fingerprint:
        yield f"The answer was given with the model {embedder}; now it is {workspace.embedder.fingerprint}."
    if receipt.model != EXTRACTIVE:
        yield f"The language model {receipt.model} may write another answer to the same prompt."
