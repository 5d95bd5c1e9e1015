"""Documents to chunks: spans of the text that fit the embedding model, cut where the text itself pauses.

A chunk lies within one section, begins and ends at a sentence wherever it can, and carries a header (title and section)
that is embedded with it. Where a long section is cut depends on the words around the cut and not on how much text comes
before, so an edit changes the chunks near it and leaves those further on as they were. The idea is that of
content-defined chunking: Muthitacharoen, Chen and Mazières 2001, "A Low-bandwidth Network File System", SOSP.
"""

import zlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate, islice, takewhile
from typing import NamedTuple

import polars as pl
from semantic_text_splitter import TextSplitter
from tokenizers import Tokenizer

from rag_platform.documents.structure import Pause, Section, Unit, find_sections, find_units
from rag_platform.errors import SettingsError
from rag_platform.ports import Progress, silent
from rag_platform.records import CHUNKS, digest, embedding_text

VERSION = "4"
"""Raise it when a change here changes the chunks: every document is then cut again."""
PLAIN = frozenset(("text", "unknown"))
"""Types whose text has paragraphs only; the others are Markdown, with headings."""
UNITS = ("tokens", "characters", "words")
_CHARACTERS = 10
"""Characters that count as a token at least: a model may take a word of any length for one unknown token."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: ``text[start:end]``."""

    start: int
    end: int
    text: str
    section: str
    """Path of headings, joined with " > "."""
    page: int | None
    """1-based; None: no pages."""
    header: str
    tokens: int
    """Of `embedding_text(header, text)`, in the model's word pieces, special tokens included."""


@dataclass(frozen=True, slots=True)
class Weighed(Unit):
    """A unit of text and how much of a chunk it takes."""

    weight: int
    """In the unit of the chunk size."""
    tokens: int


class _Bounds(NamedTuple):
    """What a chunk may take, in the scale of the weights given with it."""

    size: int
    overlap: int
    part: int
    """A chunk smaller than this is a crumb."""


class Chunker:
    """Cuts texts for one model.

    Args:
        tokenizer: The model's own.
        size: Most of a chunk's text, in `unit`. Whatever the unit, no chunk is longer than the model reads.
        overlap: Most that a chunk repeats of the one before it in its section, in `unit`.
        limit: Tokens that the model reads, special tokens included.
        unit: One of `UNITS`.

    Raises:
        SettingsError: A chunk of that size would not fit the model.
    """

    def __init__(
        self, tokenizer: Tokenizer, size: int = 240, overlap: int = 40, *, limit: int = 256, unit: str = "tokens"
    ) -> None:
        self._tokenizer = Tokenizer.from_str(tokenizer.to_str())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        most = limit - self._tokenizer.num_special_tokens_to_add(is_pair=False)
        _check(size, overlap, unit, most, limit)
        self.size, self.overlap, self.limit, self.unit = size, overlap, limit, unit
        self._most, self._header_tokens = most, limit // 4
        self._part = size // 4
        tokens = most // 4 if unit == "characters" else min(self._part, most // 4)  # a word has a token at least
        letters = min(self._part, tokens * _CHARACTERS) if unit == "characters" else tokens * _CHARACTERS
        self._by_characters = TextSplitter(letters, trim=False)
        self._by_tokens = TextSplitter.from_huggingface_tokenizer(self._tokenizer, tokens, trim=False)
        self.fingerprint = digest(VERSION, str(size), str(overlap), unit, str(limit), self._tokenizer.to_str())
        """Names everything, apart from the document, that chunks depend on."""

    def split(
        self, text: str, *, title: str = "", pages: Sequence[int] = (), headings: bool = True, merge: bool = True
    ) -> list[Piece]:
        """Cut a text.

        Args:
            text: The text.
            title: The document's, for the header.
            pages: Offset at which each page starts.
            headings: Whether it is Markdown, with sections and blocks.
            merge: Whether neighbouring sections that are far smaller than a chunk share one.

        Returns:
            Pieces in order. Together they hold every character that is not blank.
        """
        if not text.strip():
            return []
        sections = find_sections(text, markdown=headings)
        pieces = []
        for run in _merged(self._runs(text, sections, merge=merge), self.size, self._most):
            (header, taken), section = self._header(title, run.path), " > ".join(run.path)
            for start, end in self._spans(text, run.units, self._most - taken):
                page = bisect_right(pages, start) if pages else None
                pieces.append(Piece(start, end, text[start:end], section, page, header, tokens=0))
        return self._counted(pieces)

    # --- weighing -----------------------------------------------------------------------------------

    def _count(self, texts: Sequence[str], *, special: bool = False) -> list[int]:
        return [len(found) for found in self._tokenizer.encode_batch_fast(texts, add_special_tokens=special)]

    def _runs(self, text: str, sections: Sequence[Section], *, merge: bool) -> "list[_Run]":
        """Return the units of each section with their weights, none too heavy to be placed."""
        found = [[unit for block in section.blocks for unit in find_units(text, block)] for section in sections]
        weighed = iter(self._weigh(text, [unit for run in found for unit in run]))
        runs = []
        for section, units in zip(sections, found, strict=True):
            fitting: list[Weighed] = []
            for unit in islice(weighed, len(units)):
                fits = unit.weight <= self.size // 2 and unit.tokens <= self._most // 2
                fitting += [unit] if fits else self._weigh(text, self._parts(text, unit))
            tiny = merge and sum(unit.weight for unit in fitting) <= self._part
            runs.append(_Run([section], fitting, tiny=tiny))
        return runs

    def _weigh(self, text: str, units: Sequence[Unit]) -> list[Weighed]:
        counts = self._count([text[unit.start : unit.end] for unit in units])
        weighed = []
        for unit, count in zip(units, counts, strict=True):
            tokens = max(count, (unit.end - unit.start) // _CHARACTERS)
            weighed.append(Weighed(unit.start, unit.end, unit.pause, self._weight(text, unit, tokens), tokens))
        return weighed

    def _weight(self, text: str, unit: Unit, tokens: int) -> int:
        if self.unit == "tokens":
            return tokens
        return unit.end - unit.start if self.unit == "characters" else len(text[unit.start : unit.end].split())

    def _bounds(self, units: Sequence[Weighed], room: int) -> tuple[list[int], _Bounds]:
        """Return what each unit takes of a chunk whose text has `room` tokens, and what the chunk may take.

        In another unit than tokens, each one takes the larger share of the two: of the size or of the room.
        """
        if self.unit == "tokens":
            return [unit.weight for unit in units], _Bounds(min(self.size, room), self.overlap, self._part)
        shares = [max(unit.tokens, -(-unit.weight * room // self.size)) for unit in units]
        return shares, _Bounds(room, self.overlap * room // self.size, room // 4)

    def _parts(self, text: str, unit: Weighed) -> list[Unit]:
        """Cut a unit that is too long for a chunk: between words, and within one only if that is too long itself."""
        parts: list[Unit] = []
        for offset, chunk in self._by_characters.chunk_indices(text[unit.start : unit.end]):
            for inner, part in self._by_tokens.chunk_indices(chunk):
                start = unit.start + offset + inner
                parts.append(Unit(start, start + len(part), Pause.WORD))
        parts[-1] = replace(parts[-1], pause=unit.pause)
        return parts

    # --- cutting ------------------------------------------------------------------------------------

    def _spans(self, text: str, units: Sequence[Weighed], room: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of a run's chunks, of at most `room` tokens, without blanks at their ends."""
        weights, bounds = self._bounds(units, room)
        upto = [0, *accumulate(weights)]
        written = _trimmed(text, units[0].start, units[-1].end)[1]  # blanks alone make no chunk
        start = cut = 0
        while units[cut].start < written:
            end = self._end(text, units, upto, start, cut, bounds)
            if start < cut and units[end - 1].pause < Pause.SENTENCE:  # what is repeated must not tear what follows
                start, end = cut, self._end(text, units, upto, cut, cut, bounds)
            yield _trimmed(text, units[start].start, units[end - 1].end)
            if end == len(units):
                return
            start, cut = self._overlap_start(units, upto, start, end, bounds.overlap), end

    def _end(
        self, text: str, units: Sequence[Weighed], upto: Sequence[int], start: int, cut: int, bounds: _Bounds
    ) -> int:
        """Return the best place to end a chunk that starts at `start` and must pass `cut`.

        That is the strongest pause in the chunk's second half; words decide between equals, so that two versions of a
        text soon agree on a place. Failing a sentence's end, an earlier one is better than tearing code or a sentence.
        """
        size, part = bounds.size, bounds.part
        rest = upto[-1] - upto[start]
        if rest <= size:
            return len(units)
        most = min(size, rest - part)  # leaves no crumb
        last = max(bisect_right(upto, upto[start] + most) - 1, cut + 1)
        half = max(bisect_right(upto, upto[start] + size // 2), cut + 1)
        early = max(bisect_right(upto, upto[start] + part), cut + 1)
        for first, least in ((half, Pause.SENTENCE), (early, Pause.SENTENCE), (half, Pause.WORD)):
            places = [place for place in range(first, last + 1) if units[place - 1].pause >= least]
            if places:
                return max(places, key=lambda place: (units[place - 1].pause, _mark(text, units, place)))
        return last

    def _overlap_start(self, units: Sequence[Weighed], upto: Sequence[int], start: int, end: int, overlap: int) -> int:
        """Return where the chunk after the cut at `end` starts: at a sentence, at most `overlap` earlier."""
        first = max(bisect_left(upto, upto[end] - overlap), start + 1)
        for least in (Pause.SENTENCE, Pause.WORD):
            for place in range(first, end):
                if units[place - 1].pause >= least:
                    return place
        return end

    # --- what a chunk carries -----------------------------------------------------------------------

    def _header(self, title: str, path: Sequence[str]) -> tuple[str, int]:
        """Return title and section, cut to the tokens that a header may have, and the tokens it has."""
        names = list(path)
        if title and (not names or names[0].casefold() != title.casefold()):
            names.insert(0, title)
        header = " > ".join(names)[: self._header_tokens * _CHARACTERS].strip()
        while (tokens := len(found := self._tokenizer.encode(header, add_special_tokens=False))) > self._header_tokens:
            kept = found.offsets[self._header_tokens - 1][1] if self._header_tokens else 0
            header = header[: min(kept, len(header) - 1)].strip()  # one character may be several tokens (Hangul)
        return header, tokens

    def _counted(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Fill in the tokens of what is embedded; a piece that is too long after all is halved.

        That happens only with a tokenizer that gives a text more tokens than its parts.
        """
        counts = self._count([embedding_text(piece.header, piece.text) for piece in pieces], special=True)
        counted = []
        for piece, tokens in zip(pieces, counts, strict=True):
            if tokens <= self.limit or len(piece.text) < 2:
                counted.append(replace(piece, tokens=tokens))
            else:
                counted += self._counted(list(_halves(piece)))
        return counted


# --- what is cut as one -----------------------------------------------------------------------------


@dataclass
class _Run:
    """Sections that are cut as one text."""

    sections: list[Section]
    units: list[Weighed]
    tiny: bool
    """Every section of it is far smaller than a chunk."""
    has_body: bool = field(init=False)
    """Whether there is more in it than headings."""

    def __post_init__(self) -> None:
        self.has_body = any(section.has_body for section in self.sections)

    @property
    def weight(self) -> int:
        return sum(unit.weight for unit in self.units)

    @property
    def path(self) -> tuple[str, ...]:
        """The path of its only section with a body; for several, what their paths share."""
        paths = [section.path for section in self.sections if section.has_body] or [self.sections[-1].path]
        shared = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
        return tuple(names[0] for names in shared)

    @property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)

    def takes(self, other: "_Run", size: int, most: int) -> bool:
        """Whether `other`, which follows, belongs with this: it is what mere headings head, or a tiny sibling."""
        if not self.has_body:
            return True
        one, two = self.sections[-1], other.sections[0]
        siblings = one.level == two.level and one.path[:-1] == two.path[:-1] and two.has_body
        fits = self.weight + other.weight <= size and self.tokens + other.tokens <= most
        return siblings and self.tiny and other.tiny and fits

    def take(self, other: "_Run") -> None:
        self.sections += other.sections
        self.units += other.units
        self.has_body |= other.has_body


def _merged(runs: Sequence[_Run], size: int, most: int) -> list[_Run]:
    """Merge headings without a body and tiny siblings; every other section stays by itself."""
    merged: list[_Run] = []
    for run in runs:
        if merged and merged[-1].takes(run, size, most):
            merged[-1].tiny &= run.tiny
            merged[-1].take(run)
        else:
            merged.append(run)
    if len(merged) > 1 and not merged[-1].has_body:
        last = merged.pop()
        merged[-1].take(last)
    return merged


def _check(size: int, overlap: int, unit: str, most: int, limit: int) -> None:
    if unit not in UNITS:
        raise SettingsError(f"chunks.unit = {unit!r}: expected one of {', '.join(UNITS)}")
    largest = most if unit == "tokens" else size
    if not 16 <= size <= largest or not 0 <= overlap <= size // 2:
        wanted = f"of 16 to {most} (the model reads {limit} tokens)" if unit == "tokens" else f"of at least 16 {unit}"
        raise SettingsError(
            f"chunks.size = {size}, chunks.overlap = {overlap}: "
            f"expected a size {wanted} and an overlap of at most half of it"
        )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blanks at its ends."""
    content = text[start:end]
    return start + len(content) - len(content.lstrip()), end - len(content) + len(content.rstrip())


def _mark(text: str, units: Sequence[Weighed], place: int) -> int:
    """Return a number that depends on the words around a place alone."""
    around = text[units[place - 1].start : units[min(place, len(units) - 1)].end]
    return zlib.crc32(around.encode("utf-8", "surrogatepass"))


def _halves(piece: Piece) -> Iterator[Piece]:
    middle = piece.text.find(" ", len(piece.text) // 2) + 1 or len(piece.text) // 2
    for first, last in ((0, middle), (middle, len(piece.text))):
        start, end = _trimmed(piece.text, first, last)
        if start < end:
            yield replace(piece, start=piece.start + start, end=piece.start + end, text=piece.text[start:end])


# --- the stage --------------------------------------------------------------------------------------


def split_documents(
    documents: pl.DataFrame, previous: pl.DataFrame, chunker: Chunker, *, progress: Progress = silent
) -> pl.DataFrame:
    """Cut every document whose status is "ok".

    Args:
        documents: Columns `DOCUMENTS`.
        previous: Columns `CHUNKS`: the last table, or an empty one; what has not changed is taken from it.
        chunker: Cuts the texts.
        progress: Called after each document.

    Returns:
        Columns `CHUNKS`, sorted by doc_id and ordinal.
    """
    indexed = documents.filter(pl.col("status") == "ok")
    keys = [stage_key(document, chunker) for document in indexed.iter_rows(named=True)]
    indexed = indexed.with_columns(pl.Series("stage_key", keys, dtype=pl.String))
    identity = ["doc_id", "revision", "stage_key"]
    reused = previous.join(indexed, on=identity, how="semi")
    changed = indexed.join(reused, on=identity, how="anti")
    rows, done = [], indexed.height - changed.height
    for document in changed.iter_rows(named=True):
        rows += _rows(document, chunker)
        done += 1
        progress(done, indexed.height)
    return pl.concat([reused, pl.DataFrame(rows, schema=CHUNKS)]).sort("doc_id", "ordinal")


def stage_key(document: dict, chunker: Chunker) -> str:
    """Name everything, apart from the text, that a document's chunks depend on."""
    pages = ",".join(map(str, document["pages"] or ()))
    return digest(chunker.fingerprint, document["title"] or "", *map(str, layout(document["format"]).values()), pages)


def layout(format: str) -> dict[str, bool]:  # noqa: A002 (the column's name)
    """Return how `Chunker.split` takes a format: whether it has headings, whether small sections may share a chunk."""
    return {"headings": format not in PLAIN, "merge": format != "code"}  # a function is found by its own name


def _rows(document: dict, chunker: Chunker) -> Iterator[dict]:
    pieces = chunker.split(
        document["text"],
        title=document["title"] or "",
        pages=document["pages"] or (),
        **layout(document["format"]),
    )
    seen: Counter[str] = Counter()
    for ordinal, piece in enumerate(pieces):
        yield {
            "chunk_id": digest("chunk", document["doc_id"], piece.text, str(seen[piece.text])),
            "doc_id": document["doc_id"],
            "revision": document["revision"],
            "stage_key": document["stage_key"],
            "ordinal": ordinal,
            **{field.name: getattr(piece, field.name) for field in fields(piece)},
            "text_hash": digest("passage", embedding_text(piece.header, piece.text), length=32),
        }
        seen[piece.text] += 1
