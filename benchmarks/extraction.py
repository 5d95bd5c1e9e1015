"""Compare extractors on a folder of pages with known main text.

Usage: python benchmarks/extraction.py FOLDER

FOLDER is a copy of scrapinghub/article-extraction-benchmark: ground-truth.json {id: {articleBody, url}} and
html/<id>.html.gz. Precision and recall are of words as a bag, averaged over pages, F1 being that of each page's mean.
"""

import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import trafilatura
from lxml.html import fromstring
from readability import Document

from rag_platform.documents.extraction import extract
from rag_platform.documents.visible import visible_text


def ours(page: bytes, uri: str) -> str:
    """Read a page as the platform does."""
    return extract(page, uri=uri, content_type="text/html").text


def plain_trafilatura(page: bytes, uri: str) -> str:
    """Read a page with trafilatura's defaults."""
    return trafilatura.extract(page, url=uri) or ""


def readability(page: bytes, uri: str) -> str:  # noqa: ARG001
    """Read a page with readability-lxml."""
    return visible_text(fromstring(Document(page.decode("utf-8", "replace")).summary(html_partial=True)))


EXTRACTORS: dict[str, Callable[[bytes, str], str]] = {
    "ours": ours,
    "trafilatura": plain_trafilatura,
    "readability": readability,
}


def words(text: str) -> Counter[str]:
    """Count the words of a text, punctuation and Markdown marks apart."""
    return Counter(re.findall(r"\w+", text.lower()))


def score(found: str, expected: str) -> tuple[float, float]:
    """Return precision and recall of the words found."""
    have, want = words(found), words(expected)
    common = (have & want).total()
    return (common / have.total() if have else 0.0), (common / want.total() if want else 1.0)


def run(folder: Path, name: str) -> None:
    """Print the scores of one extractor."""
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    scores, started = [], time.perf_counter()
    for page_id, page in sorted(truth.items()):
        content = gzip.decompress((folder / "html" / f"{page_id}.html.gz").read_bytes())
        scores.append(score(EXTRACTORS[name](content, page["url"]), page["articleBody"]))
    seconds = time.perf_counter() - started
    precision, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
    f1 = 2 * precision * recall / (precision + recall)
    pace = 1000 * seconds / len(scores)
    print(f"{name:12} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}  {pace:.0f} ms/page")


if __name__ == "__main__":
    for extractor in EXTRACTORS:
        run(Path(sys.argv[1]), extractor)
