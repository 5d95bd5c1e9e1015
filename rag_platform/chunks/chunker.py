"""Cuts a text into pieces for one model, each with a header and the tokens of what is embedded."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rag_platform.chunks.boundaries import cuts, trimmed
from rag_platform.chunks.completion import completed
from rag_platform.chunks.sections import Run, merged
from rag_platform.chunks.token_counts import LONGEST_PIECE, Scale
from rag_platform.core.ids import digest, embedding_text
from rag_platform.models.tokenizing import TextTokenizer, without_limit
from rag_platform.text.structure import Section, find_sections, find_units

VERSION = "6"
"""Raise it when a change here changes the chunks: every document is then cut again."""


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
    """What is embedded with the text: title and section, and in further lines the sentences that it continues."""
    tokens: int
    """Of `embedding_text(header, text)`, in the model's word pieces, special tokens included."""
    shown: tuple[int, int]
    """The span with the sentences of its neighbours that it needs to be understood."""


class Chunker:
    """Cuts texts for one model.

    Args:
        tokenizer: The model's own.
        size: Most of a chunk's text, in `unit`. Whatever it is, no chunk is longer than the model reads.
        overlap: Most that the header repeats of the chunk before it in its section, in `unit`.
        limit: Tokens that the model reads, special tokens included.
        unit: One of `token_counts.UNITS`.

    Raises:
        SettingsError: No such unit, a size below 16, or an overlap above half of it.
    """

    def __init__(
        self, tokenizer: TextTokenizer, size: int = 240, overlap: int = 40, *, limit: int = 256, unit: str = "tokens"
    ) -> None:
        self._tokenizer = without_limit(tokenizer)
        most = limit - self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self._scale = Scale(self._tokenizer, size, overlap, most=most, unit=unit)
        self.limit, self._header_tokens = limit, limit // 4
        self.fingerprint = digest(VERSION, str(size), str(overlap), unit, str(limit), self._tokenizer.to_str())
        """Names everything, apart from the document, that chunks depend on."""

    def split(
        self,
        text: str,
        *,
        title: str = "",
        pages: Sequence[int] = (),
        headings: bool = True,
        merge: bool = True,
        language: str = "",
    ) -> list[Piece]:
        """Cut a text.

        Args:
            text: The text.
            title: The document's, for the header.
            pages: Offset at which each page starts.
            headings: Whether it is Markdown, with sections and blocks.
            merge: Whether neighbouring sections that are far smaller than a chunk share one.
            language: Of the text, if it is known: which words lean on the sentence before.

        Returns:
            Pieces in order. Together they hold every character that is not blank, each once.
        """
        if not text.strip():
            return []
        runs = self._runs(text, find_sections(text, markdown=headings), merge=merge)
        pieces, contexts = [], []
        for run in merged(runs, self._scale.size, self._scale.most):
            (header, taken), section, units = self._header(title, run.path), " > ".join(run.path), run.units
            for context, first, last in cuts(text, units, *self._scale.bounds(units, self._scale.most - taken)):
                start, end = trimmed(text, units[first].start, units[last - 1].end)
                page = bisect_right(pages, start) if pages else None
                shown = trimmed(text, *completed(text, units, first, last, language))
                pieces.append(Piece(start, end, text[start:end], section, page, header, 0, shown))
                contexts.append(text[units[context].start : start].strip())
        return self._counted(pieces, contexts)

    def _runs(self, text: str, sections: Sequence[Section], *, merge: bool) -> list[Run]:
        """Return the units of each section with their weights, none too heavy to be placed."""
        found = [[unit for block in section.blocks for unit in find_units(text, block)] for section in sections]
        fitting = iter(self._scale.fitting(text, [unit for units in found for unit in units]))
        runs = []
        for section, units in zip(sections, found, strict=True):
            placed = [part for parts in islice(fitting, len(units)) for part in parts]
            tiny = merge and sum(unit.weight for unit in placed) <= self._scale.part
            runs.append(Run([section], placed, tiny=tiny))
        return runs

    def _header(self, title: str, path: Sequence[str]) -> tuple[str, int]:
        """Return title and section, cut to the tokens that a header may have, and the tokens it has."""
        names = list(path)
        if title and (not names or names[0].casefold() != title.casefold()):
            names.insert(0, title)
        header = " > ".join(names)[: self._header_tokens * LONGEST_PIECE].strip()
        while (tokens := len(found := self._tokenizer.encode(header, add_special_tokens=False))) > self._header_tokens:
            kept = found.offsets[self._header_tokens - 1][1] if self._header_tokens else 0
            header = header[: min(kept, len(header) - 1)].strip()  # one character may be several tokens (Hangul)
        return header, tokens

    def _counted(self, pieces: Sequence[Piece], contexts: Sequence[str]) -> list[Piece]:
        """Add the contexts to the headers, and fill in the tokens of what is embedded.

        A piece that is too long after all, which happens only with a tokenizer that gives a text more tokens than its
        parts, does without its context, or is halved.
        """
        full = ["\n".join(filter(None, (one.header, context))) for one, context in zip(pieces, contexts, strict=True)]
        texts = [embedding_text(header, piece.text) for header, piece in zip(full, pieces, strict=True)]
        counted = []
        for piece, header, tokens in zip(pieces, full, self._scale.count(texts, special=True), strict=True):
            if tokens <= self.limit or (header == piece.header and len(piece.text) < 2):
                counted.append(replace(piece, header=header, tokens=tokens))
            else:
                parts = [piece] if header != piece.header else list(_halves(piece))
                counted += self._counted(parts, [""] * len(parts))
        return counted


def _halves(piece: Piece) -> Iterator[Piece]:
    middle = piece.text.find(" ", len(piece.text) // 2) + 1 or len(piece.text) // 2
    for first, last in ((0, middle), (middle, len(piece.text))):
        start, end = trimmed(piece.text, first, last)
        if start < end:
            place = piece.start + start, piece.start + end
            yield replace(piece, start=place[0], end=place[1], text=piece.text[start:end], shown=place)
