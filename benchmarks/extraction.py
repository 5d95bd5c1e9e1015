"""Compare this platform's reading of pages with other extractors.

Usage: python -m benchmarks.extraction FOLDER     # peers that are installed: pip install newspaper4k resiliparse goose3

FOLDER holds any of these, under these names, each as its project publishes it:

- html_article_extraction_benchmark (scrapinghub): ground-truth.json and html/<id>.html.gz. Scored as its evaluate.py
  does: true and false positives and false negatives over shingles of four tokens, normalised for each page, precision
  and recall averaged over pages. Printed for all pages, and for the half that nothing was tried on.
- html_newspaper4k: html/<name>.html and txt/<name>.txt, the expected text. F1 over runs of five letters, for scripts
  without spaces.
- html_readability (mozilla): test-pages/<name>/{source.html, expected.html, expected-metadata.json}. Similarity as
  above; titles, authors, days of publication and languages as they are expected.

Markdown's marks are no tokens. Pages per second are of the article benchmark, one extractor after the other.
"""

import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import mean

import trafilatura
from lxml.etree import LxmlError
from lxml.html import document_fromstring

from rag_platform.documents.formats.web.html import read_html
from rag_platform.documents.times import parse_time


@dataclass(frozen=True, slots=True)
class Found:
    """What an extractor makes of a page."""

    text: str = ""
    title: str = ""
    author: str = ""
    published: object = None
    language: str = ""


def ours(page: bytes, uri: str) -> Found:
    """Read a page as the platform does."""
    read = read_html(page, uri=uri)
    return Found(read.text, read.title, read.author, read.published_at, read.language or "")


def trafilatura_alone(page: bytes, uri: str) -> Found:
    """Read a page as trafilatura's own benchmark does: its fallbacks and tables, no comments, no formatting."""
    text = trafilatura.extract(page, url=uri or None, include_comments=False, include_formatting=False) or ""
    about = trafilatura.extract_metadata(page.decode("utf-8", "replace"), default_url=uri or None)
    return Found(text, about.title, about.author, about.date, about.language) if about else Found(text)


def newspaper4k(page: bytes, uri: str) -> Found:
    """Read a page with newspaper4k, without the network; what it cannot read is empty."""
    import newspaper

    for options in ({}, {"language": "en"}):  # some languages need packages of their own
        try:
            article = newspaper.Article(uri or "https://example.org/page", fetch_images=False, **options)
            article.download(input_html=page.decode("utf-8", "replace"))
            article.parse()
        except (ImportError, LookupError):  # LookupError: a tokenizer of nltk that nobody fetched
            continue
        except newspaper.ArticleException:
            break
        authors = ", ".join(article.authors)
        return Found(article.text, article.title, authors, article.publish_date, article.meta_lang)
    return Found()


def readability(page: bytes, _: str) -> Found:
    """Read a page with readability-lxml."""
    from readability import Document

    try:
        article = Document(page.decode("utf-8", "replace"))
        return Found(
            document_fromstring(article.summary()).text_content(), article.short_title(), article.author() or ""
        )
    except (ValueError, LxmlError):
        return Found()


def resiliparse(page: bytes, _: str) -> Found:
    """Read a page with Resiliparse's main content extraction."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(page, detect_encoding(page))
    return Found(extract_plain_text(tree, main_content=True, alt_texts=False), tree.title or "")


def goose3(page: bytes, _: str) -> Found:
    """Read a page with goose3."""
    import goose3 as library

    try:
        article = library.Goose({"enable_image_fetching": False}).extract(raw_html=page.decode("utf-8", "replace"))
    except (ValueError, LxmlError, AttributeError, TypeError):
        return Found()
    named = ", ".join(article.authors)
    return Found(article.cleaned_text, article.title or "", named, article.publish_date, article.meta_lang or "")


Extractor = Callable[[bytes, str], Found]
_PEERS: dict[str, tuple[str, Extractor]] = {
    "readability-lxml": ("readability", readability),
    "newspaper4k": ("newspaper", newspaper4k),
    "resiliparse": ("resiliparse", resiliparse),
    "goose3": ("goose3", goose3),
}
"""Peers: the module that must be there, and how they read a page."""


def extractors() -> dict[str, Extractor]:
    """Return the extractors that are installed."""
    missing = [name for name, (module, _) in _PEERS.items() if find_spec(module) is None]
    if missing:
        print(f"Not installed and left out: {', '.join(missing)}\n")
    peers = {name: read for name, (_, read) in _PEERS.items() if name not in missing}
    return {"ours": ours, "trafilatura": trafilatura_alone, **peers}


# --- scores -----------------------------------------------------------------------------------------


def shingles(text: str, size: int = 4) -> Counter[tuple[str, ...]]:
    """Count the runs of `size` tokens; a shorter text is one run."""
    tokens = re.findall(r"\w+", text)
    return Counter(run for at in range(max(1, len(tokens) - size + 1)) if (run := tuple(tokens[at : at + size])))


def precision_and_recall(pairs: list[tuple[str, str]]) -> tuple[float, float]:
    """Average the precision and recall of (expected, found) texts; where one has no shingle, it counts for neither."""
    precisions, recalls = [], []
    for expected, found in pairs:
        want, have = shingles(expected), shingles(found)
        common = (want & have).total()
        precisions += [common / have.total()] if have else []
        recalls += [common / want.total()] if want else []
    return mean(precisions), mean(recalls)


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def similarity(expected: str, found: str) -> float:
    """Return the F1 over runs of five letters, whatever the script."""
    want, have = (
        Counter(text[at : at + 5] for at in range(max(1, len(text) - 4))) for text in map(_letters, (expected, found))
    )
    return 2 * (want & have).total() / (want.total() + have.total())


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


# --- data -------------------------------------------------------------------------------------------


def articles(folder: Path) -> Iterator[tuple[bytes, str, str]]:
    """Yield page, address and expected text, by id."""
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    for name, page in sorted(truth.items()):
        yield gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()), page["url"], page["articleBody"]


def news(folder: Path) -> Iterator[tuple[bytes, str]]:
    """Yield page and expected text."""
    for text in sorted((folder / "txt").glob("*.txt")):
        page = folder / "html" / f"{text.stem}.html"
        if page.exists():
            yield page.read_bytes(), text.read_text(encoding="utf-8")


def readable(folder: Path) -> Iterator[tuple[bytes, str, dict]]:
    """Yield page, expected text and expected metadata."""
    for page in sorted((folder / "test-pages").iterdir()):
        expected = f"<html><body>{(page / 'expected.html').read_text(encoding='utf-8')}"
        about = json.loads((page / "expected-metadata.json").read_text(encoding="utf-8"))
        yield (page / "source.html").read_bytes(), document_fromstring(expected).text_content(), about


def _line(text: str | None) -> str:
    """Return the letters of a title or a name, without the "by" before it."""
    return (
        re.sub(r"[\W_]+", " ", re.sub(r"^\s*(?:by|von|par|por|de)\b", "", text or "", flags=re.IGNORECASE))
        .casefold()
        .strip()
    )


def _day(value: object) -> str:
    found = parse_time(value) if value else None
    return found.date().isoformat() if found else ""


def _tag(language: str | None) -> str:
    return re.split("[-_]", language or "")[0].lower()


FACTS = {
    "titles": ("title", "title", _line),
    "authors": ("byline", "author", _line),
    "days": ("publishedTime", "published", _day),
    "languages": ("lang", "language", _tag),
}
"""Measure -> key of the expected metadata, field of `Found`, how both are compared."""


# --- tables -----------------------------------------------------------------------------------------


def table(title: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table in Markdown."""
    print(f"{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    print("\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n", flush=True)


def compare_articles(folder: Path, readers: dict[str, Extractor]) -> None:
    """Print the scores on the article benchmark."""
    pages, rows, paces = list(articles(folder)), [], {}
    for name, read in readers.items():
        started = time.perf_counter()
        pairs = [(expected, read(page, uri).text) for page, uri, expected in pages]
        paces[name] = len(pages) / (time.perf_counter() - started)
        scores, unseen = precision_and_recall(pairs), precision_and_recall(pairs[1::2])
        cells = (*scores, f1(*scores), f1(*unseen))
        rows.append((name, *(f"{cell:.3f}" for cell in cells), f"{paces[name] / paces['ours']:.2f}"))
    head = ("extractor", "precision", "recall", "F1", "F1, held-out half", "pages a second (ours = 1)")
    table(f"Articles, {len(pages)} pages", head, rows)


def compare_news(folder: Path, readers: dict[str, Extractor]) -> None:
    """Print the similarity on newspaper4k's pages."""
    pages = list(news(folder))
    rows = [
        (name, f"{mean(similarity(text, read(page, '').text) for page, text in pages):.3f}")
        for name, read in readers.items()
    ]
    table(f"newspaper4k's own pages, {len(pages)}", ("extractor", "similarity"), rows)


def compare_readable(folder: Path, readers: dict[str, Extractor]) -> None:
    """Print similarity and metadata on the pages of readability."""
    pages, rows = list(readable(folder)), []
    for name, read in readers.items():
        found = [read(page, "") for page, _, _ in pages]
        close = mean(similarity(text, one.text) for (_, text, _), one in zip(pages, found, strict=True))
        rows.append((name, f"{close:.3f}", *(_share(measure, pages, found) for measure in FACTS)))
    table(f"readability's pages, {len(pages)}", ("extractor", "similarity", *FACTS), rows)


def _share(measure: str, pages: list[tuple[bytes, str, dict]], found: list[Found]) -> str:
    key, field, same = FACTS[measure]
    right = [
        same(about[key]) == same(getattr(one, field))
        for (_, _, about), one in zip(pages, found, strict=True)
        if about.get(key)
    ]
    return f"{sum(right)} of {len(right)}"


COMPARISONS = {
    "html_article_extraction_benchmark": compare_articles,
    "html_newspaper4k": compare_news,
    "html_readability": compare_readable,
}

if __name__ == "__main__":
    installed = extractors()
    for part, comparison in COMPARISONS.items():
        if (Path(sys.argv[1]) / part).is_dir():
            comparison(Path(sys.argv[1]) / part, installed)
