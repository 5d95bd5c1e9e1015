"""What the sources of the workspace hold: real texts of $RAG_SHARED_DATA, or, without it, texts made here."""

import gzip
import io
import json
import os
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

import zstandard

_PDFS = (
    "2305.03393v1-pg9",
    "code_and_formula",
    "multi_page",
    "skipped_1page",
    "right_to_left_01",
    "right_to_left_02",
    "table_mislabeled_as_picture",
)
_MADE = {
    "en": (
        "The {a} at {p} is inspected by {n} wardens in spring. Nobody may leave the {b} open after dusk. "
        "A {a} that fails costs {m} crowns, which the council of {p} pays.",
        "Visitors of {p} borrow the {b} for {n} hours. The {a} behind the mill was rebuilt in {y}, because the old one "
        "had been carried away by a flood. Its builder was born in {p}.",
        "Every {a} needs a {b} and at least {n} bolts. They are kept in the shed at {p}, together with the log of {y}.",
    ),
    "de": (
        "Die Anlage bei {p} wird im Frühjahr von {n} Wärtern geprüft. Niemand darf den Zugang nach Einbruch der "
        "Dämmerung öffnen. Ein Schaden kostet {m} Kronen, die der Rat von {p} übernimmt.",
        "Besucher von {p} können das Gerät für {n} Stunden ausleihen. Die Brücke hinter der Mühle wurde {y} erneuert, "
        "weil ein Hochwasser die frühere zerstört hatte.",
    ),
    "es": (
        "El puente de {p} se inspecciona cada primavera por {n} guardas. Nadie puede dejar abierta la compuerta "
        "después del anochecer. Una avería cuesta {m} coronas, que paga el concejo de {p}.",
        "Los visitantes de {p} pueden tomar prestada la barca durante {n} horas. El molino fue reconstruido en {y}, "
        "porque una crecida se había llevado el anterior.",
    ),
}
_NAMES = [
    "Alder",
    "Corvin",
    "Hartwell",
    "Penrose",
    "Marigold",
    "Sallow",
    "Mill",
    "Weir",
    "Heron",
    "Gauge",
    "Lock",
    "Ferry",
]


@dataclass(frozen=True)
class Page:
    """A document as its source has it."""

    title: str
    text: str
    """Paragraphs between empty lines."""
    published: int
    """Days since the workspace's first day; negative: before it."""
    updated: int
    raw: str | None = None
    """All that is served in its place, when that is not made of the fields above."""
    head: str = ""
    """Lines of its front matter beside title and dates."""
    file: bytes | None = field(default=None, repr=False)
    """Its bytes, for what is no text."""

    @property
    def body(self) -> str:
        """Its text without its title."""
        return self.text.removeprefix(f"# {self.title}").strip()

    def saying(self, sentence: str, day: int) -> "Page":
        """Return it with another sentence in its text, said that day."""
        if self.raw is None:
            return self.with_text(f"{self.text}\n\n{sentence}", day)
        place = place_of(self)
        return replace(self, raw=f"{self.raw[:place]} {sentence}{self.raw[place:]}", updated=max(day, self.updated))

    def with_text(self, text: str, day: int) -> "Page":
        """Return it edited that day."""
        return replace(self, text=text, raw=None, updated=max(day, self.updated))


def place_of(page: Page) -> int:
    """Return where, in what is served, the first long sentence of the text ends; 0: it is not there word for word."""
    for sentence in page.text.replace("\n", ". ").split(". ")[1:]:
        if len(sentence) > 60 and (start := (page.raw or "").find(sentence)) > 0:
            return start + len(sentence) + 1
    return 0


@dataclass(frozen=True)
class Texts:
    """Pools of pages, each in an order of its own that never changes."""

    english: tuple[Page, ...]
    german: tuple[Page, ...]
    """The same as `english`, translated."""
    spanish: tuple[Page, ...]
    guides: tuple[Page, ...]
    articles: tuple[Page, ...]
    websites: tuple[Page, ...]
    """Whole pages of many sites, as they were served."""
    papers: tuple[Page, ...]
    unrelated: tuple[Page, ...]
    """Good texts on what none of the others is about."""
    questions: tuple[tuple[int, str, str], ...]
    """(index in `english`, question, the sentence that answers it)."""


@cache
def texts() -> Texts:
    """Return the pools."""
    shared = os.environ.get("RAG_SHARED_DATA")
    return _real(Path(shared)) if shared else _made()


def _real(shared: Path) -> Texts:
    english, german, spanish = (_paragraphs(shared / "qa_xquad" / language) for language in ("en", "de", "es"))
    articles, websites = _web(shared / "html_article_extraction_benchmark")
    return Texts(
        english,
        german,
        spanish,
        _guides(shared / "docs_scale" / "docs.jsonl.zst"),
        articles,
        websites,
        tuple(_papers(shared / "office_pdf_docling" / "pdf" / "sources")),
        tuple(_page(row["title"], row["text"]) for row in _rows(shared / "ir_scifact" / "corpus.jsonl", 1200)),
        tuple(_questions(shared / "qa_xquad" / "en", english)),
    )


def _rows(path: Path, most: int | None = None) -> list[dict]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for _, line in zip(range(most or 10**9), file, strict=False)]


def _page(title: str, text: str, **more: object) -> Page:
    chance = Random(title)
    published = -chance.randrange(20, 900)
    return Page(title, text, published, min(-5, published + chance.randrange(0, 15)), **more)


def _paragraphs(folder: Path) -> tuple[Page, ...]:
    rows = _rows(folder / "corpus.jsonl")
    return tuple(_page(f"{row['title'].replace('_', ' ')} {row['_id']}", row["text"].strip("\ufeff ")) for row in rows)


def _questions(folder: Path, pages: tuple[Page, ...]) -> list[tuple[int, str, str]]:
    place = {row["_id"]: number for number, row in enumerate(_rows(folder / "corpus.jsonl"))}
    with (folder / "qrels" / "test.tsv").open(encoding="utf-8") as file:
        rests = dict(line.split("\t")[:2] for line in list(file)[1:])
    found: dict[int, tuple[int, str, str]] = {}
    for row in _rows(folder / "queries.jsonl"):
        number, start = place[rests[row["_id"]]], row["metadata"]["answer_starts"][0]
        text = pages[number].text
        begin, end = text.rfind(". ", 0, start) + 1, text.find(". ", start)
        found.setdefault(number, (number, row["text"], text[begin : None if end < 0 else end].strip()))
    return [one for one in found.values() if len(one[2]) > 30]


def _guides(path: Path) -> tuple[Page, ...]:
    found = []
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
        for line in io.TextIOWrapper(stream, encoding="utf-8", newline="\n"):
            row = json.loads(line)
            body = row["text"].split("---\n", 2)[-1].strip()
            if row["metadata"]["repo"].endswith("cpp-docs") and 1000 < len(body) < 2200 and "\n## " in body:
                found.append(_page(row["title"], body))
            if len(found) == 400:
                break
    return tuple(Random(1).sample(found, len(found)))


def _web(folder: Path) -> tuple[tuple[Page, ...], tuple[Page, ...]]:
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    articles, websites = [], []
    for number, (key, row) in enumerate(sorted(truth.items())):
        body = row["articleBody"]
        title = body.split("\n")[0][:70]
        if number % 3 and len(body) > 500:
            articles.append(_page(title, body[: max(800, body.find("\n\n", 1800))]))
        elif 800 < len(body) < 4000:
            served = gzip.decompress((folder / "html" / f"{key}.html.gz").read_bytes())
            page = _page(title, body, raw=served.decode("utf-8", "replace"))
            if len(served) < 200_000 and place_of(page):
                websites.append(page)
    return tuple(articles), tuple(websites)


def _papers(folder: Path) -> list[Page]:
    return [_page(name, "", file=(folder / f"{name}.pdf").read_bytes()) for name in _PDFS]


def _made() -> Texts:
    english, german, spanish = (_of_words(language, 240) for language in ("en", "de", "es"))
    asked = [(number, page.text.split(". ")[0]) for number, page in enumerate(english)]
    questions = tuple((number, " ".join(said.split()[1::2]), said) for number, said in asked)
    more = [_page(page.title, f"# {page.title}\n\n{page.text}\n\n## Notes\n\n{page.text[::-1]}") for page in english]
    guides = tuple(replace(page, text=page.text.rsplit("\n\n", 1)[0] + f"\n\n- {page.title}") for page in more)
    return Texts(
        english, german, spanish, guides, _of_words("en", 120, "a"), (), (), _of_words("en", 400, "u"), questions
    )


def _of_words(language: str, count: int, kind: str = "") -> tuple[Page, ...]:
    pages = []
    for number in range(count):
        chance = Random(f"{kind}{number}")  # the same in each language
        name = "".join(chance.choices("aeioubdfgklmnprst", k=7)).title()
        said = [
            chance.choice(_MADE[language]).format(
                a=chance.choice(_NAMES).lower(),
                b=chance.choice(_NAMES).lower(),
                p="".join(chance.choices("aeioubdfgklmnprst", k=6)).title(),
                n=chance.randrange(2, 60),
                m=chance.randrange(100, 9000),
                y=chance.randrange(1700, 1990),
            )
            for _ in range(4)
        ]
        pages.append(_page(f"{name} {number}", f"{name}: " + " ".join(said[:2]) + "\n\n" + " ".join(said[2:])))
    return tuple(pages)
