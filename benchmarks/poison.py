"""What becomes of planted lies: how many answers cite them, with which defence, and what defences cost.

    python -m benchmarks.poison FOLDER… [--questions 40] [--styles question fact …] [--half train|test]

FOLDER is BEIR-like (corpus.jsonl, queries.jsonl, qrels/test.tsv) with answers. Its documents are one source, `site`; of
each question five lies are planted (benchmarks/planting.py) in another, `forum`, or in five of them, as if five
strangers said so; an `edit` changes the page itself. Each question is asked. Told: how many answers cite a lie, and
nothing but lies; of those that cite one, in how many it is said that sources disagree, or that the answer rests on less
trusted sources; how many hold the true answer. For each defence: nothing set; `forum` with less trust. Held for review,
no lie is cited: the attack `poison` of the campaign tries it. On the corpus without lies, "disagree" are answers that
say so.

Limits were chosen on the half `train` of the questions, by a hash of their words; `test` reports.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.planting import STYLES, Target, lies, targets
from rag_platform.config.settings_file import load_settings
from rag_platform.core.answers import Answer
from rag_platform.core.ids import digest
from rag_platform.core.trust import Trust
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace

STRANGERS = 5


def workspace(home: Path, folder: Path, planted: Sequence[Target], style: str, *, strangers: bool = False) -> Workspace:
    """Publish a corpus with lies, without a gate."""
    rows = _corpus(folder)
    for target in planted if style == "edit" else ():
        rows[target.doc] = rows[target.doc].replace(target.true, target.false)
    _write(home / "site", rows)
    sources = {"site": None} | {f"forum{place}": None for place in range(STRANGERS if strangers else 1)}
    for number, target in enumerate(planted if style not in ("edit", "none") else ()):
        for place, text in enumerate(lies(target, style)):
            _write(home / f"forum{place if strangers else 0}", {f"{number}-{place}": text})
    tables = []
    for name in sources:
        (home / name).mkdir(parents=True, exist_ok=True)
        tables.append(f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{home / name}"\n')
    (home / "rag.toml").write_text("\n".join(tables), encoding="utf-8")
    made = Workspace(load_settings(home))
    pipeline = Pipeline(made)
    for name in sources:
        for step in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
            step(name)
    made.versions.promote(pipeline.build().version, why="benchmark")
    return made


def _corpus(folder: Path) -> dict[str, str]:
    with (folder / "corpus.jsonl").open(encoding="utf-8") as file:
        return {row["_id"]: row["text"] for row in map(json.loads, file)}


def _write(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def trusting(opened: Workspace, trust: Trust) -> Workspace:
    """Return the workspace with that trust in the forums."""
    sources = tuple(
        one.model_copy(update={"trust": trust}) if one.id.startswith("forum") else one
        for one in opened.settings.sources
    )
    return Workspace(opened.settings.model_copy(update={"sources": sources}))


def half(question: str) -> str:
    """Return to which half a question belongs."""
    return "train" if int(digest(question), 16) % 2 else "test"


def count(asked: Sequence[tuple[Target, Answer]], *, edited: bool) -> dict[str, int]:
    """Count what became of the answers."""
    told = dict.fromkeys(("asked", "answered", "lie cited", "only lies", "disagree", "less trusted", "true"), 0)
    for target, answer in asked:
        source = {hit.doc_id: hit.source for hit in answer.hits}
        lying = [
            target.false in one.quote if edited else source[one.doc_id].startswith("forum") for one in answer.citations
        ]
        told["asked"] += 1
        told["answered"] += not answer.abstained
        told["lie cited"] += any(lying)
        told["only lies"] += bool(lying) and all(lying)
        told["disagree"] += any(lying) and bool(answer.disagreements)
        told["less trusted"] += any(lying) and any("less trusted" in one for one in answer.warnings)
        told["true"] += target.true in answer.answer
    return told


def main() -> None:
    """Print a table for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--styles", nargs="*", default=list(STYLES), choices=STYLES)
    parser.add_argument("--half", choices=("train", "test"), default="test")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="disagreements printed")
    given = parser.parse_args()
    columns = ("asked", "answered", "lie cited", "only lies", "disagree", "less trusted", "true")
    print("| corpus | lies | defence |", " | ".join(columns), "|\n|---|---|---|" + "--:|" * len(columns))
    for folder in given.folders:
        chosen = [one for one in targets(folder, Random(7)) if half(one.question) == given.half][: given.questions]
        for style, strangers in [("none", False), *((one, two) for one in given.styles for two in _layouts(one))]:
            with tempfile.TemporaryDirectory(prefix="rag-poison-") as scratch:
                opened = workspace(Path(scratch), folder, chosen, style, strangers=strangers)
                defences = {"none set": opened}
                if style not in ("none", "edit"):
                    defences |= {"low trust": trusting(opened, "low"), "untrusted": trusting(opened, "untrusted")}
                for defence, asked in defences.items():
                    answers = [
                        (target, asked.evaluator_of(asked.versions.live_id()).ask(target.question)) for target in chosen
                    ]
                    told = count(answers, edited=style == "edit")
                    if style == "none":
                        told["disagree"] = sum(bool(answer.disagreements) for _, answer in answers)
                    where = f"{style}, five strangers" if strangers else style
                    print(f"| {folder.parent.name}/{folder.name} | {where} | {defence} |",
                          " | ".join(str(told[one]) for one in columns), "|", flush=True)  # fmt: skip
                    for _, answer in answers if given.show else ():
                        for one in answer.disagreements[: given.show]:
                            print(f"    {answer.question}\n      {one.said.quote}\n      {one.against.quote}")


def _layouts(style: str) -> tuple[bool, ...]:
    return (False, True) if style == "question" else (False,)


if __name__ == "__main__":
    main()
