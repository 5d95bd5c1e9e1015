"""Compare readers of PDFs: pages per second on a folder, and likeness to the Markdown expected of some of them.

Usage: python benchmarks/pdf.py FOLDER [FOLDER ...]

Every PDF below a folder is read. One beside or above whose folder there is ``groundtruth/<name>.md`` (as in docling's
test data) is also compared with that: the F1 of its words as a bag, the F1 of pairs of neighbouring words, which falls
when columns or cells are mixed up, and of the table cells expected, the share that is found as a cell.
"""

import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from io import BytesIO, StringIO
from itertools import pairwise
from pathlib import Path

import pypdf
import pypdfium2 as pdfium
from pdfminer.high_level import extract_text_to_fp
from pdfminer.layout import LAParams

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.pdf.reader import read_pdf


def ours(content: bytes) -> str:
    """Read a PDF as the platform does."""
    return read_pdf(content).text


def with_pypdf(content: bytes) -> str:
    """Read a PDF with pypdf."""
    return "\n\n".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages)


def with_pdfminer(content: bytes) -> str:
    """Read a PDF with pdfminer.six."""
    text = StringIO()
    extract_text_to_fp(BytesIO(content), text, laparams=LAParams())
    return text.getvalue()


READERS: dict[str, Callable[[bytes], str]] = {
    "ours": ours,
    "pypdf": with_pypdf,
    "pdfminer.six": with_pdfminer,
}


def words(text: str) -> list[str]:
    """Return the words of a text, without comments and images of its Markdown."""
    return re.findall(r"\w+", re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", " ", text, flags=re.DOTALL).lower())


def cells(text: str) -> Counter[str]:
    """Count the cells of Markdown tables that hold a word."""
    rows = [line.strip().strip("|") for line in text.split("\n") if line.strip().startswith("|")]
    found = (" ".join(words(cell)) for row in rows for cell in re.split(r"(?<!\\)\|", row))
    return Counter(filter(None, found))


def f1(found: Counter, expected: Counter) -> float:
    """Return the harmonic mean of precision and recall of two bags."""
    return 2 * (found & expected).total() / max((found.total() + expected.total()), 1)


def compare(text: str, truth: str) -> tuple[float, float, float | None]:
    """Return the likeness of words, of pairs of words, and the share of cells found."""
    have, want, wanted = words(text), words(truth), cells(truth)
    share = (cells(text) & wanted).total() / wanted.total() if wanted else None
    return f1(Counter(have), Counter(want)), f1(Counter(pairwise(have)), Counter(pairwise(want))), share


def ground_truth(path: Path) -> Path | None:
    """Return the Markdown expected of a PDF: beside it, or for "x.odt.pdf" that of "x.odt"."""
    for name in (f"{path.stem}.md", f"{path.name}.md"):
        for folder in (path.parent, path.parent.parent):
            if (found := folder / "groundtruth" / name).exists():
                return found
    return None


def count_pages(path: Path) -> int:
    """Return how many pages a file has; none when it cannot be opened."""
    try:
        with pdfium.PdfDocument(path) as document:
            return len(document)
    except pdfium.PdfiumError:
        return 0


def run(name: str, files: list[Path], pages: int) -> dict[str, tuple[float, float, float | None]]:
    """Print a reader's pace, and return its scores by file."""
    scores, without, crashed, seconds = {}, 0, 0, 0.0
    for path in files:
        content, text = path.read_bytes(), ""
        started = time.process_time()
        try:
            text = READERS[name](content)
        except ExtractionError:
            pass  # a reason
        except Exception as error:  # noqa: BLE001 (what other libraries raise is theirs)
            crashed += 1
            print(f"  {name}: {path.name}: {type(error).__name__}", file=sys.stderr)
        seconds += time.process_time() - started
        without += not text.strip()
        if truth := ground_truth(path):
            scores[path.name] = compare(text, truth.read_text(encoding="utf-8"))
    pace = f"{pages} pages of {len(files)} files in {seconds:.1f} s of one core, {pages / seconds:.0f} pages/s"
    print(f"{name:13} {pace}; {without} files without text, {crashed} crashes")
    return scores


def main(folders: list[str]) -> None:
    """Print the pace of every reader, then the likeness, file by file and on average."""
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.pdf"))
    pages = sum(map(count_pages, files))
    scores = {name: run(name, files, pages) for name in READERS}
    for name in next(iter(scores.values())):
        print(f"{name:36}", "   ".join(_row(found[name]) for found in scores.values()))
    for name, found in scores.items():
        print(f"{name:13} mean {_row(_mean(list(found.values())))}")


def _row(score: tuple[float, float, float | None]) -> str:
    told, pairs, share = score
    return f"words {told:.3f}  pairs {pairs:.3f}  cells {'    -' if share is None else f'{share:.3f}'}"


def _mean(scores: list[tuple[float, float, float | None]]) -> tuple[float, float, float | None]:
    columns = [[value for value in column if value is not None] for column in zip(*scores, strict=True)]
    told, pairs, shares = (sum(column) / len(column) if column else None for column in columns)
    return told or 0.0, pairs or 0.0, shares


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
