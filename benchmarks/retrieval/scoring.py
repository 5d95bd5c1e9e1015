"""Score one collection with the product that lies on the path: `python scoring.py REQUEST.json ANSWER.json`.

A script by itself, which imports no other benchmark, so that a checkout of an earlier commit can be scored in the same
way. The request: `home` (a workspace's folder), `folder` (in the layout of BEIR), `splits`, `questions` (ids), `most`
(documents of the corpus; 0: all), `runs` (name -> mode and settings as section -> key -> value). The answer: `runs`,
name -> `ndcg` (question -> nDCG@10) and `ms` (the median of a search), and `failed` in the place of a run that stopped.
"""

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from evals.benchmark.beir import BeirFolder, load_folder
from evals.commands.evaluation import index_corpus
from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.rank_metrics import rank_measures
from rag_platform.config.settings import Settings
from rag_platform.config.settings_file import load_settings
from rag_platform.core.ids import digest
from rag_platform.core.ports import silent
from rag_platform.retrieval.retriever import Retriever
from rag_platform.workspace import Workspace

NDCG = "nDCG@10"
DOCUMENTS = 10
FIRST, WIDEST = 15, 960
"""Chunks that are asked for at first, and at most."""


def asked(folder: Path, splits: list[str], questions: list[str], most: int) -> BeirFolder:
    """Read a folder with the judgements of these questions alone, and at most so many documents."""
    loaded = [load_folder(folder, split) for split in splits]
    judged = {key: grades for one in loaded for key, grades in one.qrels.items()}
    wanted = {key: loaded[0].questions[key] for key in questions}
    made = replace(loaded[0], questions=wanted, qrels={key: judged[key] for key in questions})
    return sampled(made, most) if 0 < most < len(made.documents) else made


def sampled(folder: BeirFolder, most: int) -> BeirFolder:
    """Return a folder with the judged documents, and others by a hash of their ids."""
    judged = {key for grades in folder.qrels.values() for key in grades}
    order = sorted(folder.documents, key=lambda key: (key not in judged, digest(key)))
    kept = set(order[: max(most, len(judged))])
    documents = {key: row for key, row in folder.documents.items() if key in kept}
    return replace(folder, name=f"{folder.name}-{most}", documents=documents)


def changed(settings: Settings, changes: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Return settings with other values in some sections."""
    sections = {name: getattr(settings, name).model_copy(update=dict(keys)) for name, keys in changes.items()}
    return settings.model_copy(update=sections)


class Scorer:
    """A collection and what is known of it: its index, and what late interaction found in its passages."""

    def __init__(self, folder: BeirFolder, settings: Settings) -> None:
        """Index nothing yet."""
        self._folder, self._settings = folder, settings
        self._memo = EvaluationMemo(settings.home / "memo" / f"{folder.name}-{folder.fingerprint}")
        self._indexed: dict[str, Settings] = {}

    def score(self, mode: str, changes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Search with one mode under other settings; the time counts also what was known from an earlier run."""
        retriever, ranking, milliseconds = self._retriever(changes), {}, []
        for key in self._folder.qrels:
            start, saved = time.perf_counter(), self._memo.saved_ms
            ranking[key] = documents(retriever, self._folder.questions[key].question, mode)
            milliseconds.append((time.perf_counter() - start) * 1000 + self._memo.saved_ms - saved)
        self._memo.save()
        rows = rank_measures(self._folder.qrels, ranking, {NDCG: NDCG})
        ndcg = {key: round(value, 5) for key, value in zip(rows["id"], rows[NDCG], strict=True)}
        return {"ndcg": ndcg, "ms": round(median(milliseconds), 1)}

    def _retriever(self, changes: Mapping[str, Mapping[str, Any]]) -> Retriever:
        """Search an index that is made once for all settings that only searches have."""
        kept = {name: keys for name, keys in changes.items() if name != "retrieval"}
        made = json.dumps(kept, sort_keys=True)
        if made not in self._indexed:
            parent = Workspace(changed(self._settings, kept))
            self._indexed = {made: index_corpus(parent, self._folder, lambda _stage: silent, {}).settings}
        searched = changed(self._indexed[made], {"retrieval": changes.get("retrieval", {})})
        return Workspace(searched).retriever_of(None, self._memo)


def documents(retriever: Retriever, question: str, mode: str) -> list[str]:
    """Return the ten best documents by their best chunks; more chunks are asked for until they are of ten documents."""
    width = FIRST
    while True:
        hits = retriever.search(question, mode=mode, k=width).hits
        found = list(dict.fromkeys(uri for hit in hits for uri in (hit.uri, *hit.also_in)))
        if len(found) >= DOCUMENTS or len(hits) < width or width >= WIDEST:
            return found[:DOCUMENTS]
        width *= 4


def main(request: Path, answer: Path) -> None:
    """Answer a request; a run that fails leaves the others as they are."""
    wanted = json.loads(request.read_text(encoding="utf-8"))
    folder = asked(Path(wanted["folder"]), wanted["splits"], wanted["questions"], wanted["most"])
    scorer, made = Scorer(folder, load_settings(wanted["home"])), {}
    for name, (mode, changes) in wanted["runs"].items():
        try:
            made[name] = scorer.score(mode, changes)
        except Exception as error:  # noqa: BLE001  an earlier commit may lack what a run asks for
            made[name] = {"failed": f"{type(error).__name__}: {error}"}
            print(f"{folder.name}, {name}: {made[name]['failed']}", file=sys.stderr, flush=True)
    answer.write_text(json.dumps({"runs": made}), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
