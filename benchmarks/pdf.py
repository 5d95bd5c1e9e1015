"""Compare readers of PDFs: pages per second on a folder, and likeness to the Markdown expected of some of them.

Usage: python benchmarks/pdf.py FOLDER [FOLDER ...]

The readers compared with are pypdf, pdfminer.six and, where it is installed, pymupdf4llm without text recognition:
it is under the AGPL, so nothing of the platform depends on it.

Every PDF below a folder is read. One beside or above whose folder there is ``groundtruth/<name>.md`` (as in docling's
test data) is also compared with that: the F1 of its words as a bag, the F1 of pairs of neighbouring words, which falls
when columns or cells are mixed up, and of the table cells expected, the share that is found as a cell.

Every file is also put to checks as those of olmOCR's benchmark, made without anybody's labels: six words in a row that
stand once in the text expected, or on one page of that of both peers where none is, must be in the text read
(presence), and two of them that follow each other must do so (order); a line that most pages begin or end with must not
be there once for each page (absence), so it is in no row.

Rows that both peers have and ours has not are told by their reason: words that the file hides from whoever looks at it
(without colour, smaller than two points, outside the page), or one or two of the six words written otherwise: a peer
that writes "2" for a sign whose font does not say that it is "∈", or leaves out a "φ", makes such rows. The others are
named by their files.
"""

import re
import sys
import time
import unicodedata
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable
from io import BytesIO, StringIO
from itertools import chain, pairwise
from pathlib import Path

import pypdf
import pypdfium2 as pdfium
from pdfminer.high_level import extract_text_to_fp
from pdfminer.layout import LAParams

try:
    import pymupdf
    import pymupdf4llm
except ImportError:
    pymupdf4llm = None

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.pdf.pages import read_page
from rag_platform.documents.formats.pdf.reader import read_pdf

_PAGE = "\f"
"""Between two pages, as pdfminer.six has it."""


def ours(content: bytes) -> str:
    """Read a PDF as the platform does."""
    return read_pdf(content).text


def with_pypdf(content: bytes) -> str:
    """Read a PDF with pypdf."""
    return f"\n{_PAGE}".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages)


def with_pdfminer(content: bytes) -> str:
    """Read a PDF with pdfminer.six."""
    text = StringIO()
    extract_text_to_fp(BytesIO(content), text, laparams=LAParams())
    return text.getvalue()


def with_pymupdf4llm(content: bytes) -> str:
    """Read a PDF with pymupdf4llm, as Markdown."""
    return pymupdf4llm.to_markdown(pymupdf.open(stream=content, filetype="pdf"), use_ocr=0)


READERS: dict[str, Callable[[bytes], str]] = {
    "ours": ours,
    "pypdf": with_pypdf,
    "pdfminer.six": with_pdfminer,
} | ({"pymupdf4llm": with_pymupdf4llm} if pymupdf4llm else {})


def words(text: str) -> list[str]:
    """Return the words of a text, without comments and images of its Markdown, and without blanks to fill in."""
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)", " ", unicodedata.normalize("NFKC", text), flags=re.DOTALL)
    return re.findall(r"[^\W_]+", text.lower())


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


_WINDOW = 6
"""Words of a check."""


def flat(text: str) -> str:
    """Return the words of a text, those cut at a line's end joined, addresses of links left out."""
    text = re.sub(r"\]\([^)\s]*\)", "]", unicodedata.normalize("NFKC", text))
    text = re.sub(r"(?<=[^\W\d_])[-\u2010\u00ad]\s*\n\s*(?=[^\W\d_])", "", text).replace("-", "")
    return f" {' '.join(words(text))} "


def pages_of(text: str, lines: set[str]) -> list[str]:
    """Return the pages of a text, flat, without running lines and page numbers at their edges."""
    pages = []
    for page in text.split(_PAGE):
        rows = [row for row in page.split("\n") if row.strip()]
        while rows and _key(rows[0]) in {"", *lines}:
            rows.pop(0)
        while rows and _key(rows[-1]) in {"", *lines}:
            rows.pop()
        pages.append(flat("\n".join(rows)))
    return pages


def windows(pages: list[str], references: list[str]) -> list[str]:
    """Return the rows of six words of a page, in order, that stand once in each of the texts."""
    rows = [f" {' '.join(found[place : place + _WINDOW])} " for found in map(str.split, pages)
            for place in range(0, len(found) - _WINDOW + 1, _WINDOW)]  # fmt: skip
    return [row for row in rows if all(text.count(row) == 1 for text in references)]


def check(text: str, rows: list[str], references: list[str]) -> Counter[str]:
    """Count the checks that a text passes, and those that there are: of presence and of order."""
    pairs = [pair for pair in pairwise(rows) if all(one.index(pair[0]) < one.index(pair[1]) for one in references)]
    pairs = [pair for pair in pairs if all(row in text for row in pair)]
    ordered = sum(text.index(first) < text.index(second) for first, second in pairs)
    here = sum(row in text for row in rows)
    return Counter({"present": here, "presence": len(rows), "ordered": ordered, "order": len(pairs)})


def running(content: bytes) -> set[str]:
    """Return the lines, without their numbers, that most pages begin or end with, as pypdf reads them."""
    try:
        pages = [page.extract_text().strip().split("\n") for page in pypdf.PdfReader(BytesIO(content)).pages]
    except Exception:  # noqa: BLE001 (what another library raises is its own)
        return set()
    edges = Counter(key for page in pages for key in {_key(page[0]), _key(page[-1])})
    return {key for key, count in edges.items() if len(key) > 3 and count >= max(3, 0.6 * len(pages))}


def _key(line: str) -> str:
    return re.sub(r"[\d\W]+", " ", line.lower()).strip()


def repeats(text: str, lines: set[str]) -> int:
    """Count the running lines that a text still has more than twice."""
    found = Counter(map(_key, text.split("\n")))
    return sum(found[line] > 2 for line in lines)


_MOST_WORDS = 4
"""Of the six of a row, that are there within twelve where only the others are written otherwise."""


def reasons(text: str, rows: list[str], content: bytes) -> Counter[str]:
    """Say why rows are not in our text."""
    missing = [row for row in rows if row not in text]
    if not missing:
        return Counter()
    said, unseen = defaultdict(set), hidden_words(content)
    for place, word in enumerate(text.split()):
        said[word] |= {place // _WINDOW, place // _WINDOW + 1}
    found: Counter[str] = Counter()
    for row in missing:
        lacking = set(row.split()) - said.keys()
        near = Counter(chain.from_iterable(said.get(word, ()) for word in set(row.split())))
        if lacking and lacking <= unseen:
            found["hidden by the file"] += 1
        elif max(near.values(), default=0) >= _MOST_WORDS:
            found["there but for a word or two"] += 1
        else:
            found["other"] += 1
    return found


def hidden_words(content: bytes) -> set[str]:
    """Return the words that a PDF hides."""
    try:
        with pdfium.PdfDocument(content) as document:
            pages = [read_page(document, number) for number in range(len(document))]
    except pdfium.PdfiumError:
        return set()
    return set(flat("\n".join(word for page in pages for word in page.hidden)).split())


def count_pages(path: Path) -> int:
    """Return how many pages a file has; none when it cannot be opened."""
    try:
        with pdfium.PdfDocument(path) as document:
            return len(document)
    except pdfium.PdfiumError:
        return 0


def run(name: str, files: list[Path], pages: int) -> dict[Path, str]:
    """Print a reader's pace, and return the texts that it reads."""
    texts, crashed, seconds = dict.fromkeys(files, ""), 0, 0.0
    for path in files:
        content = path.read_bytes()
        started = time.process_time()
        try:
            texts[path] = READERS[name](content)
        except ExtractionError:
            pass  # a reason
        except Exception as error:  # noqa: BLE001 (what other libraries raise is theirs)
            crashed += 1
            print(f"  {name}: {path.name}: {type(error).__name__}", file=sys.stderr)
        seconds += time.process_time() - started
    without = sum(not text.strip() for text in texts.values())
    pace = f"{pages} pages of {len(files)} files in {seconds:.1f} s of one core, {pages / seconds:.0f} pages/s"
    print(f"{name:13} {pace}; {without} files without text, {crashed} crashes")
    return texts


def print_checks(texts: dict[str, dict[Path, str]]) -> None:
    """Print how many checks each reader passes, and why ours fails any that both peers pass."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in texts}
    failed: Counter[str] = Counter()
    told: Counter[str] = Counter()
    for path in next(iter(texts.values())):
        truth, lines = ground_truth(path), running(path.read_bytes())
        peers = [flat(texts[name][path]) for name in ("pypdf", "pdfminer.six")]
        agreed = windows(pages_of(texts["pypdf"][path], lines), peers)
        references = [flat(truth.read_text(encoding="utf-8"))] if truth else peers
        rows = windows(references, references) if truth else agreed
        for name, read in texts.items():
            counts[name] += check(flat(read[path]), rows, references)
            counts[name] += Counter(repeated=repeats(read[path], lines), absence=len(lines))
        text = flat(texts["ours"][path])
        why, order = reasons(text, agreed, path.read_bytes()), check(text, agreed, peers)
        told += why + Counter({"in another order": order["order"] - order["ordered"]})
        failed[path.name] = why["other"] + order["order"] - order["ordered"]
    for name, count in counts.items():
        passed = f"present {count['present']} of {count['presence']}, in order {count['ordered']} of {count['order']}"
        gone = count["absence"] - count["repeated"]
        print(f"{name:13} checks: {passed}, running lines gone {gone} of {count['absence']}")
    print(f"passed by both peers and not by ours: {told.total()}:", ", ".join(f"{why} {n}" for why, n in told.items()))
    print("other and order:", ", ".join(f"{name} {n}" for name, n in failed.most_common() if n))


def main(folders: list[str]) -> None:
    """Print the pace of every reader, the likeness, file by file and on average, and the checks passed."""
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.pdf"))
    pages = sum(map(count_pages, files))
    texts = {name: run(name, files, pages) for name in READERS}
    expected = {path: truth.read_text(encoding="utf-8") for path in files if (truth := ground_truth(path))}
    scores = {name: [compare(read[path], truth) for path, truth in expected.items()] for name, read in texts.items()}
    for place, path in enumerate(expected):
        print(f"{path.name:36}", "   ".join(_row(found[place]) for found in scores.values()))
    for name, found in scores.items() if expected else ():
        print(f"{name:13} mean {_row(_mean(found))}")
    print_checks(texts)


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
