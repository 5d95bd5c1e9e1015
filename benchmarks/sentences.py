"""Measure where sentences are found to end, against texts whose sentences are known.

    python -m benchmarks.sentences FILE.jsonl...

Each line of a file is ``{"text"}`` or ``{"source"}`` with one sentence a line, as UD TDT's texts (sentences by people)
and WiCE's sources have them. Lines that end without a full stop are left out. Six sentences at a time are joined by
spaces, as a paragraph holds them, and split again. Printed of each file: sentences' ends, precision, recall, F1, and
characters split in a second.
"""

import argparse
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

from rag_platform.text.sentences import split_sentences

_ENDED = re.compile(r"[.!?…][\"'”’»)\]]*$")
_TOGETHER = 6


def paragraphs(path: Path) -> Iterator[tuple[str, set[int]]]:
    """Yield (text, where its sentences end, the last left out)."""
    known: set[str] = set()
    for line in path.read_text(encoding="utf-8").split("\n"):
        row = json.loads(line) if line else {}
        source = row.get("source") or row.get("text") or ""
        if source in known:
            continue
        known.add(source)
        sentences = [one for one in map(str.strip, source.split("\n")) if _ENDED.search(one)]
        for start in range(0, len(sentences), _TOGETHER):
            group = sentences[start : start + _TOGETHER]
            yield " ".join(group), {len(" ".join(group[:count])) for count in range(1, len(group))}


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    print("| file | ends | precision | recall | F1 | MB/s |\n|---|--:|--:|--:|--:|--:|")
    for path in parser.parse_args().files:
        right = found = wanted = characters = 0
        began = time.perf_counter()
        for text, ends in paragraphs(path):
            split = {end for _, end, _ in split_sentences(text)} - {len(text)}
            right, found, wanted = right + len(split & ends), found + len(split), wanted + len(ends)
            characters += len(text)
        speed = characters / 1e6 / (time.perf_counter() - began)
        precision, recall = right / found, right / wanted
        score = 2 * precision * recall / (precision + recall)
        print(f"| {path.name} | {wanted} | {precision:.3f} | {recall:.3f} | {score:.3f} | {speed:.1f} |")


if __name__ == "__main__":
    main()
