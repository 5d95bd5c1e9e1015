"""How near the text of office, e-book, table and markup files comes to the Markdown that is expected of them.

    python -m benchmarks.formats FOLDER [--other markitdown] [--only docx pptx]

FOLDER holds a folder for each format with ``sources/`` and ``groundtruth/NAME.md``, as docling's test data does.
Similarity is the F1 of the words (a multiset, lower case; marks of images do not count) and the ratio of
rapidfuzz (1 - normalised indel distance of the characters). A file that cannot be read counts as 0 in both.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz

from rag_platform.documents.reading.extraction import extract

Reader = Callable[[Path], str]
_IMAGE = re.compile(r"<!-- image -->|!\[[^\]]*\](?:\([^)]*\))?")
_WORD = re.compile(r"\w+")
_LONGEST = 60_000
"""Characters that are compared one by one."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a library made of the files of a format."""

    files: int
    read: int
    f1: float
    ratio: float
    seconds: float


def ours(path: Path) -> str:
    """Read a file with this library."""
    return extract(path.read_bytes(), uri=path.name).text


def markitdown() -> Reader:
    """Return a reader of Microsoft's markitdown (MIT): ``pip install 'markitdown[docx,pptx,xlsx,xls,outlook]'``."""
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: converter.convert(str(path)).text_content


def kreuzberg() -> Reader:
    """Return a reader of kreuzberg 4 (MIT): ``pip install 'kreuzberg<5'``."""
    from kreuzberg import ExtractionConfig, extract_file_sync

    config = ExtractionConfig(output_format="markdown", use_cache=False)
    return lambda path: extract_file_sync(str(path), config=config).content


OTHERS = {"markitdown": markitdown, "kreuzberg": kreuzberg}


def word_f1(expected: str, found: str) -> float:
    """Return the harmonic mean of precision and recall of the words."""
    one, two = (Counter(_WORD.findall(text.lower())) for text in (expected, found))
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def pairs(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a format that have an expected text."""
    for path in sorted((folder / "sources").rglob("*")):
        expected = folder / "groundtruth" / f"{path.name}.md"
        if path.is_file() and expected.is_file():
            yield path, _IMAGE.sub("", expected.read_text("utf-8"))


def score(folder: Path, reader: Reader) -> Score:
    """Read the files of a format and compare."""
    f1, ratio, read, seconds = [], [], 0, 0.0
    for path, expected in pairs(folder):
        began = time.perf_counter()
        try:
            found = _IMAGE.sub("", reader(path))
        except Exception:  # noqa: BLE001 (whatever a library raises, the file is not read)
            found = ""
        seconds += time.perf_counter() - began
        read += bool(found.strip())
        f1.append(word_f1(expected, found) if found else 0.0)
        ratio.append(fuzz.ratio(expected[:_LONGEST], found[:_LONGEST]) / 100)
    return Score(len(f1), read, sum(f1) / len(f1), sum(ratio) / len(ratio), seconds)


def main() -> None:
    """Print a table: a row for each format, the libraries beside each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--other", nargs="*", choices=sorted(OTHERS), default=[])
    parser.add_argument("--only", nargs="*", default=None, metavar="FORMAT")
    given = parser.parse_args()
    readers = {"ours": ours, **{name: OTHERS[name]() for name in given.other}}
    columns = " | ".join(f"{name}: read | F1 | ratio" for name in readers)
    speeds = " | ".join(f"ours / {name}" for name in given.other)
    print(f"| format | files | {columns} | {speeds} |".replace("|  |", "|"))
    print(f"|---|--:{'|--:|--:|--:' * len(readers)}{'|--:' * len(given.other)}|")
    for folder in sorted(path for path in given.folder.iterdir() if (path / "sources").is_dir()):
        if (given.only and folder.name not in given.only) or next(pairs(folder), None) is None:
            continue
        for reader in readers.values():
            score(folder, reader)  # once unmeasured: imports are no part of a file's time
        found = {name: score(folder, reader) for name, reader in readers.items()}
        cells = [f"{one.read} | {one.f1:.3f} | {one.ratio:.3f}" for one in found.values()]
        cells += [f"{found[name].seconds / found['ours'].seconds:.1f}×" for name in given.other]
        print(f"| {folder.name} | {found['ours'].files} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
