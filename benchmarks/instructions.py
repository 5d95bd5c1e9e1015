"""How many attacks on a reading language model are flagged, and how many ordinary documents.

    python -m benchmarks.instructions BIPIA_FOLDER --plain NAME=FILE_OR_FOLDER …

BIPIA_FOLDER holds text_attack_test.json and code_attack_test.json (attack type -> texts) and, in folders, *.jsonl of
the texts they are put into (key `context`). Plain documents are files of JSON lines (also .zst) with `text`, or folders
of such files or of Markdown.
"""

import argparse
import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard

from rag_platform.documents.instructions import instructs

_ABOUT_THE_ANSWER = "your response", "your answer", "your reply", "your output"


def texts(path: Path) -> Iterator[str]:
    """Yield the documents of a file or folder."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in (".md", ".jsonl", ".zst"):
                yield from texts(file)
    elif path.suffix == ".md":
        yield path.read_text(encoding="utf-8")
    else:
        for line in _lines(path):
            row = json.loads(line)
            text = row.get("text") or row.get("context") or ""
            yield text if isinstance(text, str) else "\n".join(map(str, text))


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        plain = zstandard.ZstdDecompressor().stream_reader(file) if path.suffix == ".zst" else file
        yield from io.TextIOWrapper(plain, encoding="utf-8")


def _attacks(folder: Path, carriers: list[str]) -> None:
    print("| attacks | type | flagged | of |\n|---|---|--:|--:|")
    for kind in ("text", "code"):
        content = json.loads((folder / f"{kind}_attack_test.json").read_text(encoding="utf-8"))
        for place, (name, attacks) in enumerate(content.items()):
            carrier = carriers[place % len(carriers)]
            print(f"| {kind} | {name} | {_flagged(f'{carrier} {attack}' for attack in attacks)} | {len(attacks)} |")
        every = [attack for attacks in content.values() for attack in attacks]
        named = [attack for attack in every if any(words in attack.lower() for words in _ABOUT_THE_ANSWER)]
        print(f"| **{kind}** | all | {_flagged(every)} | {len(every)} |")
        print(f"| **{kind}** | those that name the answer | {_flagged(named)} | {len(named)} |")


def _flagged(found: Iterable[str]) -> int:
    return sum(map(instructs, found))


def main() -> None:
    """Print a table of attacks and one of ordinary documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bipia", type=Path)
    parser.add_argument("--plain", nargs="*", default=[], metavar="NAME=PATH")
    arguments = parser.parse_args()
    carriers = [text for file in sorted(arguments.bipia.glob("*/*.jsonl")) for text in texts(file)]
    _attacks(arguments.bipia, carriers)
    print("\n| ordinary documents | flagged | of | per 10,000 |\n|---|--:|--:|--:|")
    for name, documents in [("contexts without attack", carriers), *_named(arguments.plain)]:
        wrong, count = _flagged(documents), len(documents)
        print(f"| {name} | {wrong} | {count} | {10_000 * wrong / max(1, count):.1f} |")


def _named(given: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    for name, _, path in (one.partition("=") for one in given):
        yield name, list(dict.fromkeys(texts(Path(path))))


if __name__ == "__main__":
    main()
