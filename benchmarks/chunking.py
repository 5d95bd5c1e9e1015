"""Which way of cutting texts finds the most of what questions ask for, and the least beside it?

::

    pip install langchain-text-splitters chonkie        # optional: compared when they are there
    python -m benchmarks.chunking FOLDER [--modes vector rerank] [--part tune|held-out] [--only NAME ...]

FOLDER holds the evaluation of Smith and Troynikov (2024): `corpora/*.md` and `questions.jsonl`, each with the spans
that answer it. All corpora are one index, as there; every way of cutting goes through the same embedder and the same
search. Questions fall into two halves by the hash of their id: ours was tuned on one.

Printed per way and mode, with 95 % bootstrap intervals over questions: recall, precision and IoU of the five best
chunks, of ten, and of as many as hold any of the wanted text; the precision of those (precision_Omega), whatever the
search; and recall within the first 4,000 characters, since a reader's time and a prompt are limited in characters and
not in chunks. The model reads 256 word pieces. What is longer is cut off when embedded, as in other systems; ways
marked "averaged" embed each such chunk as the mean of its windows of 256.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import cutting
from benchmarks.overlap import Span, overlap, precision_omega, touching
from evals.measures.intervals import interval
from rag_platform.access.standing import standing
from rag_platform.chunks import Chunker
from rag_platform.config.settings import ModelSettings, RetrievalSettings, Settings
from rag_platform.core.ids import digest, document_id
from rag_platform.core.ports import Progress, silent
from rag_platform.core.principals import PUBLIC
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder, open_embedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.sources.files.folder import FolderSource
from rag_platform.workspace import Workspace

SOURCE = "corpora"
BUDGET = 4_000
"""Characters of the answerer's default of six chunks, about."""
DEPTH = 50


@dataclass(frozen=True)
class Question:
    """A question and the spans that answer it, which lie in one corpus."""

    id: str
    text: str
    references: tuple[Span, ...]


def read_folder(folder: Path) -> tuple[dict[str, str], list[Question]]:
    """Read the corpora by name, and the questions."""
    texts = {path.stem: path.read_bytes().decode() for path in sorted((folder / "corpora").glob("*.md"))}
    questions = []
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        spans = (Span(row["corpus_id"], one["start_index"], one["end_index"]) for one in row["references"])
        questions.append(Question(row["_id"], row["question"], tuple(spans)))
    return texts, questions


def is_held_out(question: Question) -> bool:
    """Whether the question was left out of the choice of settings."""
    return int(digest("chunking", question.id)[:8], 16) % 2 == 1


class WindowedEmbedder:
    """The model for texts of any length: the mean of the vectors of each window that it can read."""

    def __init__(self, embedder: OnnxEmbedder) -> None:
        self._embedder = embedder
        self.fingerprint = digest("windows", embedder.fingerprint)

    def __getattr__(self, name: str) -> object:
        return getattr(self._embedder, name)

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:
        """Embed texts: float32, shape (len(texts), dimension), unit rows."""
        cut = cutting.token_windows(self._embedder.tokenizer, self._embedder.max_tokens - 2, 0)
        parts = [[text[start:end] for start, end in cut(text)] for text in texts]
        vectors = self._embedder.embed_passages([part for group in parts for part in group], progress)
        groups = np.split(vectors, np.cumsum([len(group) for group in parts])[:-1])
        means = np.stack([group.mean(axis=0) for group in groups])
        return means / np.linalg.norm(means, axis=1, keepdims=True)


class CutWorkspace(Workspace):
    """A workspace whose documents are cut by a given chunker."""

    def __init__(self, home: Path, chunker: Chunker | cutting.PlainChunker, embedder: OnnxEmbedder) -> None:
        source = FolderSource(id=SOURCE, kind="folder", path=home)
        apart = RetrievalSettings(merge=False)  # a merged hit would be more than one chunk
        super().__init__(Settings(home=home, sources=(source,), retrieval=apart))
        self._chunker = chunker
        self.__dict__["embedder"] = embedder  # in place of the one that the settings name

    def chunker_of(
        self,
        source_id: str,  # noqa: ARG002  as the library asks
        language: str | None = None,  # noqa: ARG002
    ) -> Chunker | cutting.PlainChunker:
        """Return the chunker to be measured."""
        return self._chunker

    def index(self, texts: dict[str, str]) -> list[Span]:
        """Cut, embed and index the texts as they are; return the chunks."""
        rows = [_document(name, text) for name, text in texts.items()]
        documents, access = pl.DataFrame(rows, schema=DOCUMENTS), self.store.table("access", SOURCE)
        self.access.rules.prepare()
        access.replace(standing(documents, {}, access.frame))
        self.store.table("documents", SOURCE).replace(documents)
        pipeline = Pipeline(self)
        chunks = pipeline.chunk(SOURCE).table
        pipeline.embed(SOURCE)
        self.versions.promote(pipeline.build().version, why="benchmark")
        names = {row["doc_id"]: row["uri"] for row in rows}
        return [Span(names[one], *span) for one, *span in chunks.select("doc_id", "start", "end").iter_rows()]


def _document(name: str, text: str) -> dict:
    return {
        "doc_id": document_id(SOURCE, name),
        "uri": name,
        "stage_key": "benchmark",
        "status": "ok",
        "title": "",  # a corpus of many texts has none
        "language": "en",
        "type": "markdown",
        "format": "markdown",
        "collection": SOURCE,
        "principals": [PUBLIC],
        "private": False,
        "text": text,
        "revision": digest(text),
        "pages": [],
        "flags": [],
        "tags": [],
        "signature": [],
    }


# --- scores -----------------------------------------------------------------------------------------


def within(spans: Sequence[Span], characters: int) -> list[Span]:
    """Return the first spans that have that many characters together, the last one cut."""
    kept: list[Span] = []
    for span in spans:
        kept.append(Span(span.corpus, span.start, min(span.end, span.start + characters)))
        characters -= span.end - span.start
        if characters <= 0:
            break
    return kept


def measures(question: Question, found: Sequence[Span], chunks: Sequence[Span], length: int) -> dict[str, float]:
    """Score what was found for one question."""
    compare = partial(overlap, question.references, length=length)
    depths = {"5": found[:5], "10": found[:10], "min": found[: len(touching(question.references, chunks))]}
    scores = {f"{name}@{k}": value for k, some in depths.items() for name, value in compare(some)._asdict().items()}
    scores["recall@4000c"] = compare(within(found, BUDGET)).recall
    scores["omega"] = precision_omega(question.references, chunks, length)
    return scores


def evaluate(
    workspace: CutWorkspace, texts: dict[str, str], questions: Sequence[Question], modes: Sequence[str]
) -> dict[str, pl.DataFrame]:
    """Index the texts and return one row of measures per question, by mode."""
    chunks, frames = workspace.index(texts), {}
    for mode in modes:
        rows = []
        for question in questions:
            hits = workspace.retriever.search(question.text, k=DEPTH, mode=mode).hits
            found = [Span(hit.uri, *hit.span) for hit in hits]
            length = len(texts[question.references[0].corpus])
            rows.append({"id": question.id, **measures(question, found, chunks, length)})
        frames[mode] = pl.DataFrame(rows)
    return frames


# --- what is compared -------------------------------------------------------------------------------


def ways(embedder: OnnxEmbedder) -> dict[str, Callable[[], Chunker | cutting.PlainChunker]]:
    """Name the ways of cutting; each is made when it is its turn, so that a library may be missing."""
    tokenizer, limit = embedder.tokenizer, embedder.max_tokens

    def plain(name: str, cut: Callable[[], cutting.Cut]) -> Callable[[], cutting.PlainChunker]:
        return lambda: cutting.PlainChunker(name, cut(), tokenizer)

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False))

    fixed = [(200, 0), (200, 100), (400, 0), (400, 200), (800, 0), (800, 400), (500, 50)]
    cuts: dict[str, Callable[[], cutting.Cut]] = {
        **{f"{s}/{o} tokens": partial(cutting.token_windows, tokenizer, s, o) for s, o in fixed},
        "400/0 tokens, averaged": partial(cutting.token_windows, tokenizer, 400, 0),
        "800/0 tokens, averaged": partial(cutting.token_windows, tokenizer, 800, 0),
        "400/80 words": partial(cutting.word_windows, 400, 80),
        "LangChain recursive, 1000/200 characters": partial(cutting.langchain, 1000, 200),
        "LangChain recursive, 200/0 tokens": partial(cutting.langchain, 200, 0, count),
        "LangChain recursive, 400/0 tokens": partial(cutting.langchain, 400, 0, count),
        "chonkie recursive, 200 tokens": partial(cutting.chonkie, "RecursiveChunker", 200, tokenizer),
        "chonkie sentences, 200 tokens": partial(cutting.chonkie, "SentenceChunker", 200, tokenizer),
    }
    ours = {name: partial(cutting.own, tokenizer, limit, **chosen) for name, chosen in cutting.OWN.items()}
    return ours | {name: plain(name, cut) for name, cut in cuts.items()}


SHOWN = ("recall@5", "precision@5", "iou@5", "recall@10", "recall@min", "iou@min", "recall@4000c", "omega")


def row_of(name: str, frame: pl.DataFrame, ours: pl.DataFrame, counts: str) -> str:
    """Write a row of the table: percent ± half of the interval, and recall@5, IoU@5, recall@4000c as ratios to ours."""
    cells = []
    for measure in SHOWN:
        low, high = interval(frame[measure].to_numpy()) or (0, 0)
        cells.append(f"{100 * frame[measure].mean():.1f} ± {50 * (high - low):.1f}")
    ratios = (frame[one].mean() / ours[one].mean() for one in ("recall@5", "iou@5", "recall@4000c"))
    return f"| {' | '.join([name, counts, *cells, ' / '.join(f'{one:.2f}' for one in ratios)])} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--modes", nargs="+", default=["vector", "rerank"], help="default: vector rerank")
    parser.add_argument("--part", choices=("all", "tune", "held-out"), default="all")
    parser.add_argument("--only", nargs="+", default=[""], help="parts of names; ours is always measured")
    chosen = parser.parse_args()
    texts, questions = read_folder(chosen.folder)
    if chosen.part != "all":
        questions = [one for one in questions if is_held_out(one) == (chosen.part == "held-out")]
    embedder = open_embedder(ModelSettings())
    tables: dict[str, list[str]] = {mode: [] for mode in chosen.modes}
    ours: dict[str, pl.DataFrame] = {}
    for name, make in ways(embedder).items():
        if ours and not any(part in name for part in chosen.only):
            continue
        try:
            chunker = make()
        except ImportError as error:
            print(f"left out: {name} ({error})")
            continue
        used = WindowedEmbedder(embedder) if name.endswith("averaged") else embedder
        with tempfile.TemporaryDirectory() as home:
            workspace = CutWorkspace(Path(home), chunker, used)
            frames = evaluate(workspace, texts, questions, chosen.modes)
            chunks = workspace.store.read("chunks", SOURCE)
        ours = ours or frames
        counts = f"{chunks.height} | {chunks['tokens'].mean():.0f}"
        for mode, frame in frames.items():
            tables[mode].append(row_of(name, frame, ours[mode], counts))
            print(f"{mode}: {tables[mode][-1]}", flush=True)  # a run that is stopped leaves what it measured
    for mode, rows in tables.items():
        print(f"\n{mode}, {len(questions)} questions ({chosen.part}); percent\n")
        print(f"| chunks | number | tokens | {' | '.join(SHOWN)} | recall@5 / IoU@5 / recall@4000c, ours = 1 |")
        print("|---" * (len(SHOWN) + 4) + "|")
        print("\n".join(rows))


if __name__ == "__main__":
    main()
