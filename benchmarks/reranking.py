"""Ranking quality (nDCG@10) and time of late interaction over a fused first stage.

    python benchmarks/reranking.py FOLDER [--split test] [--lexical-weight 0.5]

The folder is BEIR-like: corpus.jsonl, queries.jsonl, qrels/<split>.tsv. The first stage is the min-max normalised
average of BM25 (stemmed English) and the vectors, 100 candidates each.
"""

import argparse
import csv
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tantivy

from rag_platform.embeddings import open_embedder
from rag_platform.reranking import LateInteraction
from rag_platform.settings import ModelSettings

CANDIDATES = 100
DEPTHS = (10, 20, 30, 50)
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 1.0)
TIMED = 30
"""Questions of which the time is taken."""


def read_lines(path: Path) -> list[dict]:
    """Read a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_judgements(path: Path) -> dict[str, dict[str, float]]:
    """Read qrels: question -> document -> grade."""
    judged: dict[str, dict[str, float]] = defaultdict(dict)
    with path.open(encoding="utf-8") as lines:
        for row in csv.reader(list(lines)[1:], delimiter="\t"):
            judged[row[0]][row[1]] = float(row[2])
    return judged


class Bm25:
    """Stemmed English BM25 in memory, and the idf of a word."""

    def __init__(self, texts: list[str]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("row", indexed=True, fast=True)
        builder.add_text_field("text", tokenizer_name="en_stem")
        self.schema = builder.build()
        index = tantivy.Index(self.schema)
        with index.writer(64_000_000, 1) as writer:
            for row, text in enumerate(texts):
                writer.add_document(tantivy.Document.from_dict({"row": row, "text": text}, self.schema))
        index.reload()
        self.searcher = index.searcher()
        steps = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.remove_long(40))
        self.analyzer = steps.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.stemmer("english")).build()
        self.total = len(texts)
        self.holding = Counter(term for text in texts for term in set(self.analyzer.analyze(text)))

    def search(self, question: str) -> dict[int, float]:
        """Return the best rows and their scores."""
        terms = dict.fromkeys(self.analyzer.analyze(question))
        clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(self.schema, "text", term)) for term in terms]
        hits = self.searcher.search(tantivy.Query.boolean_query(clauses), CANDIDATES, count=False).hits
        rows = self.searcher.fast_field_values("row", [address for _, address in hits])
        return {row: score for row, (score, _) in zip(rows, hits, strict=True)}

    def idf(self, word: str) -> float:
        """Return the importance of a word: that of its rarest term."""
        counts = [self.holding[term] for term in self.analyzer.analyze(word)]
        return max((math.log(1 + (self.total - n + 0.5) / (n + 0.5)) for n in counts), default=0.0)


def normalised(scores: dict[int, float]) -> dict[int, float]:
    """Map the least score to 0 and the greatest to 1."""
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    return {row: (score - low) / (high - low) if high > low else 1.0 for row, score in scores.items()}


def blend(first: dict[int, float], second: dict[int, float], weight: float) -> dict[int, float]:
    """Return the weighted average of two normalised scores, best first; `weight` is the second one's."""
    a, b = normalised(first), normalised(second)
    both = {row: (1 - weight) * a.get(row, 0) + weight * b.get(row, 0) for row in a.keys() | b.keys()}
    return dict(sorted(both.items(), key=lambda entry: (-entry[1], entry[0])))


def ndcg(order: list[str], grades: dict[str, float], cut: int = 10) -> float:
    """Return nDCG with linear gain."""
    gain = sum(grades.get(name, 0) / math.log2(rank + 2) for rank, name in enumerate(order[:cut]))
    best = sorted(grades.values(), reverse=True)[:cut]
    return gain / sum(grade / math.log2(rank + 2) for rank, grade in enumerate(best)) if any(best) else 0.0


def equal(_: str) -> float:
    """Weigh every word the same."""
    return 1.0


def milliseconds(work: Callable[[int], object], repeat: int) -> float:
    """Return the mean time of a call."""
    start = time.perf_counter()
    for number in range(repeat):
        work(number)
    return 1000 * (time.perf_counter() - start) / repeat


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--lexical-weight", type=float, default=0.5)
    arguments = parser.parse_args()

    corpus = read_lines(arguments.folder / "corpus.jsonl")
    texts = [f"{record['title']}\n{record['text']}".strip() for record in corpus]
    judged = read_judgements(arguments.folder / "qrels" / f"{arguments.split}.tsv")
    questions = [record for record in read_lines(arguments.folder / "queries.jsonl") if record["_id"] in judged]
    asked = [question["text"] for question in questions]

    embedder, lexical = open_embedder(ModelSettings()), Bm25(texts)
    vectors = embedder.embed_passages(texts)
    late = LateInteraction(embedder, cache_bytes=4_000_000_000)

    by_words = [lexical.search(question) for question in asked]
    by_vectors = []
    for question in asked:
        similarity = vectors @ embedder.embed_query(question)
        by_vectors.append({int(row): float(similarity[row]) for row in np.argsort(-similarity)[:CANDIDATES]})
    pairs = zip(by_vectors, by_words, strict=True)
    fused = [blend(vector, word, arguments.lexical_weight) for vector, word in pairs]

    def quality(runs: list[dict[int, float]]) -> float:
        names = [[corpus[row]["_id"] for row in run] for run in runs]
        return float(np.mean([ndcg(order, judged[q["_id"]]) for order, q in zip(names, questions, strict=True)]))

    def rerank(number: int, depth: int, weight: Callable[[str], float], reranker: LateInteraction = late) -> dict:
        rows = list(fused[number])[:depth]
        return dict(zip(rows, reranker.score(asked[number], [texts[row] for row in rows], weight), strict=True))

    print(f"{arguments.folder.name} {arguments.split}: {len(texts)} passages, {len(asked)} questions")
    print(f"BM25 {quality(by_words):.4f}  vector {quality(by_vectors):.4f}  fused {quality(fused):.4f}")
    for name, weight in (("idf", lexical.idf), ("flat", equal)):
        for depth in DEPTHS:
            scores = [rerank(number, depth, weight) for number in range(len(asked))]
            tops = [{row: first[row] for row in score} for first, score in zip(fused, scores, strict=True)]
            runs = ([blend(*pair, share) for pair in zip(tops, scores, strict=True)] for share in WEIGHTS)
            row = "  ".join(f"{share}: {quality(run):.4f}" for share, run in zip(WEIGHTS, runs, strict=True))
            print(f"late interaction, {name:4s}, depth {depth:2d}, by its weight: {row}")
    for depth in DEPTHS:
        timed = min(TIMED, len(asked))
        cold = milliseconds(lambda number, d=depth: rerank(number, d, lexical.idf, LateInteraction(embedder)), timed)
        warm = milliseconds(lambda number, d=depth: rerank(number, d, lexical.idf), timed)
        print(f"depth {depth:2d}: {cold:6.1f} ms a question, {warm:5.1f} ms when its passages are cached")


if __name__ == "__main__":
    main()
