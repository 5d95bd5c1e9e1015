"""Lexical search against a reference tokeniser per language: `python -m benchmarks.languages FOLDER`.

FOLDER holds folders in the layout of BEIR, named by language (`qa_xquad/de` …). The references, from the literature's
usual tools, are no part of the platform: `pip install jieba snowballstemmer`. Both sides are ranked by the same BM25
(tantivy's), whole documents, in the same run. Further arguments are files of text whose words must not be lost.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Document, Filter, Occur, Query, TextAnalyzerBuilder, Tokenizer

from evals.benchmark.beir import BeirFolder, load_folder
from evals.measures.language_coverage import share_lost
from evals.measures.rank_metrics import rank_measures
from rag_platform.index.lexical import LexicalIndex, build_lexical
from rag_platform.index.segments import LivingRows
from rag_platform.index.statistics import Statistics
from rag_platform.text.analysis import index_terms

MEASURES = {"R@10": "R@10", "nDCG@10": "nDCG@10"}
SNOWBALL = {"en": "english", "es": "spanish", "de": "german", "hi": "hindi", "fi": "finnish", "ne": "nepali"}
LEAST = 0.95
"""Ratio to the reference."""

Tokenise = Callable[[str], Sequence[str]]
Ranking = dict[str, list[str]]


def reference(language: str) -> Tokenise:
    """Return jieba's words for Chinese; else stems by Snowball without its stop words, where there is a list."""
    if language == "zh":
        import jieba

        jieba.setLogLevel("WARNING")
        return lambda text: [word for word in jieba.cut_for_search(text.lower()) if re.search(r"\w", word)]
    import snowballstemmer

    stem = snowballstemmer.stemmer(SNOWBALL[language]).stemWords
    words = TextAnalyzerBuilder(Tokenizer.regex(r"[\p{L}\p{M}\p{N}]+")).filter(Filter.lowercase())
    if language in ("en", "es", "de", "fi"):
        words = words.filter(Filter.stopword(SNOWBALL[language]))
    analyzer = words.build()
    return lambda text: stem(analyzer.analyze(text))


def texts_of(folder: BeirFolder) -> list[str]:
    """Return the documents as they are indexed: the title, and the text."""
    return [f"{row.title}\n{row.text}" for row in folder.documents.values()]


def ours(folder: BeirFolder, language: str) -> Ranking:
    """Rank with the platform's lexical index."""
    names = list(folder.documents)
    with tempfile.TemporaryDirectory(prefix="languages-") as home:
        build_lexical(Path(home) / "index", [(n, text, language) for n, text in enumerate(texts_of(folder))])
        index = LexicalIndex.of_folders([Path(home) / "index"], LivingRows.of(np.arange(len(names), dtype=np.uint64)))
        statistics = Statistics(index.postings, np.ones(len(names), bool), [language])
        return {
            key: [names[n] for n in index.search(folder.questions[key].question, 10, statistics)[0].tolist()]
            for key in folder.qrels
        }


def referred(folder: BeirFolder, tokenise: Tokenise) -> Ranking:
    """Rank with a reference tokeniser."""
    schema = tantivy.SchemaBuilder().add_text_field("terms", tokenizer_name="raw").add_unsigned_field("key", fast=True)
    schema = schema.build()
    index = tantivy.Index(schema)
    writer = index.writer(num_threads=1)
    for number, text in enumerate(texts_of(folder)):
        writer.add_document(Document.from_dict({"key": number, "terms": list(tokenise(text))}, schema))
    writer.commit()
    index.reload()
    searcher, names, ranking = index.searcher(), list(folder.documents), {}
    for key in folder.qrels:
        words = [
            Query.term_query(schema, "terms", word) for word in dict.fromkeys(tokenise(folder.questions[key].question))
        ]
        hits = searcher.search(Query.boolean_query([(Occur.Should, word) for word in words]), 10).hits
        ranking[key] = [names[n] for n in searcher.fast_field_values("key", [address for _, address in hits])]
    return ranking


def scores(folder: BeirFolder, ranking: Ranking) -> dict[str, float]:
    """Return the mean of each measure."""
    rows = rank_measures(folder.qrels, ranking, MEASURES)
    return {name: float(rows[name].mean()) for name in MEASURES}


def main(path: Path, others: Iterable[Path]) -> None:
    """Print a table, and what is lost of further texts."""
    print("| language | R@10 ours | reference | ratio | nDCG@10 ours | reference | ratio | MB of text/s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for folder in sorted(found for found in path.iterdir() if found.name in {*SNOWBALL, "zh"}):
        loaded, language = load_folder(folder), folder.name
        mine, theirs = scores(loaded, ours(loaded, language)), scores(loaded, referred(loaded, reference(language)))
        start = time.process_time()
        size = sum(len(text.encode()) * bool(index_terms(text, language)) for text in texts_of(loaded))
        speed = size / (time.process_time() - start) / 1e6
        cells = [f"{mine[name]:.4f} | {theirs[name]:.4f} | {mine[name] / theirs[name]:.3f}" for name in MEASURES]
        mark = "" if mine["R@10"] >= LEAST * theirs["R@10"] else " **below**"
        print(f"| {language}{mark} | {' | '.join(cells)} | {speed:.1f} |")
    for other in others:
        lines = other.read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line).get("text", "") for line in lines] if other.suffix == ".jsonl" else lines
        print(f"{other.name}: {len(texts)} texts, {share_lost(texts):.3%} of the letters are in no word")


if __name__ == "__main__":
    main(Path(sys.argv[1]), map(Path, sys.argv[2:]))
