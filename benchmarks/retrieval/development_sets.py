"""The collections that rankings are scored on, each with one half to tune by and one to report.

A half is a split of the collection's own where it has two (SciFact, CoSQA), else the parity of a hash of the
question's id. Of each half a sample is asked, the same each time.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evals.benchmark.beir import load_folder
from rag_platform.core.ids import digest

HALVES = ("tuning", "held-out")
LANGUAGES = ("en", "de", "es", "hi", "zh")
"""Of XQuAD: the same paragraphs and questions in each."""


@dataclass(frozen=True)
class Collection:
    """A folder in the layout of BEIR and what is asked of it."""

    name: str
    group: str
    """Which table it stands in: `english`, `languages`, `across` or `mixed`; `given` for a folder named by hand."""
    folder: Path
    splits: Mapping[str, str] = field(default_factory=dict)
    """Half -> split of the qrels, where the collection has splits of its own; else both halves are of `test`."""

    def questions(self, most: int) -> dict[str, list[str]]:
        """Return the ids of each half's questions, at most so many, chosen by a hash."""
        if self.splits:
            halves = {half: list(load_folder(self.folder, split).qrels) for half, split in self.splits.items()}
        else:
            marked = _marked(self.folder)
            keys = list(load_folder(self.folder).qrels)
            halves = {half: [key for key in keys if marked.get(key, half_of(key)) == half] for half in HALVES}
        return {half: sorted(keys, key=lambda key: digest("sample", key))[:most] for half, keys in halves.items()}


def half_of(key: str) -> str:
    """Return the half of a question by its id, as `benchmarks.answers` does."""
    return HALVES[int(digest(key), 16) % 2]


def _marked(folder: Path) -> dict[str, str]:
    """Return the half of each question whose metadata say in which split it is."""
    names = {"dev": HALVES[0], "test": HALVES[1]}
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:  # a text may hold other line separators
        rows = [json.loads(line) for line in lines if line.strip()]
    splits = {row["_id"]: (row.get("metadata") or {}).get("split") for row in rows}
    return {key: names[split] for key, split in splits.items() if split in names}


def development(shared: Path) -> Iterator[Collection]:
    """Yield the collections of a folder of shared data that lie there as they are."""
    english = {
        "CLAPnq": "qa_clapnq",
        "PubMedQA": "qa_pubmedqa",
        "XQuAD en": "qa_xquad/en",
        "Cranfield": "ir_cranfield",
        "NPL": "ir_npl_vaswani",
        "CoSQA": "ir_code_cosqa",
        "TimeQA": "qa_temporal_timeqa",
    }
    for name, folder in english.items():
        yield Collection(name, "english", shared / folder)
    yield Collection("SciFact", "english", shared / "ir_scifact", {HALVES[0]: "train", HALVES[1]: "test"})
    for language in LANGUAGES[1:]:
        yield Collection(f"XQuAD {language}", "languages", shared / "qa_xquad" / language)
    yield Collection("JaQuAD", "languages", shared / "ir_ja_jaquad")
