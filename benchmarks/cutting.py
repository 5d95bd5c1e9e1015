"""Ways of cutting a text that chunking is compared over: ours, fixed windows, and those of two libraries."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tokenizers import Tokenizer

from rag_platform.chunks import Chunker, Piece
from rag_platform.config.settings import ChunkSettings
from rag_platform.core.ids import digest

Cut = Callable[[str], Iterable[tuple[int, int]]]


@dataclass(frozen=True)
class PlainChunker:
    """Another way of cutting in the chunker's place: spans without headers."""

    name: str
    cut: Cut
    tokenizer: Tokenizer

    @property
    def fingerprint(self) -> str:
        """Name the way of cutting."""
        return digest(self.name)

    def split(self, text: str, **_: object) -> list[Piece]:
        """Cut a text; chunks of nothing but blanks are left out."""
        spans = [(start, end) for start, end in self.cut(text) if text[start:end].strip()]
        counts = self.tokenizer.encode_batch_fast([text[start:end] for start, end in spans])
        return [
            Piece(start, end, text[start:end], "", None, "", len(count), (start, end))
            for (start, end), count in zip(spans, counts, strict=True)
        ]


def windows(places: list[tuple[int, int]], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of every `size` neighbouring places, of which neighbours share `overlap`."""
    for first in range(0, len(places), size - overlap):
        yield places[first][0], places[min(first + size, len(places)) - 1][1]
        if first + size >= len(places):
            return


def token_windows(tokenizer: Tokenizer, size: int, overlap: int) -> Cut:
    """Cut into windows of word pieces, wherever they fall."""
    return lambda text: windows(tokenizer.encode(text, add_special_tokens=False).offsets, size, overlap)


def word_windows(size: int, overlap: int) -> Cut:
    """Cut into windows of words."""
    return lambda text: windows([found.span() for found in re.finditer(r"\S+", text)], size, overlap)


def langchain(size: int, overlap: int, length: Callable[[str], int] = len) -> Cut:
    """Cut with LangChain's RecursiveCharacterTextSplitter and the separators of the report."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    separators = ["\n\n", "\n", ".", "?", "!", " ", ""]
    splitter = RecursiveCharacterTextSplitter(
        separators, chunk_size=size, chunk_overlap=overlap, length_function=length, add_start_index=True
    )

    def cut(text: str) -> Iterator[tuple[int, int]]:
        for made in splitter.create_documents([text]):
            start = made.metadata["start_index"]
            yield start, start + len(made.page_content)

    return cut


def chonkie(kind: str, size: int, tokenizer: Tokenizer) -> Cut:
    """Cut with a chunker of chonkie's that counts with the model's tokenizer."""
    import chonkie as library

    chunker = getattr(library, kind)(tokenizer=tokenizer, chunk_size=size)
    return lambda text: [(made.start_index, made.end_index) for made in chunker.chunk(text)]


def own(tokenizer: Tokenizer, limit: int, **chosen: object) -> Chunker:
    """Return our chunker with these settings in place of the defaults."""
    settings = ChunkSettings(**chosen)
    return Chunker(tokenizer, settings.size, settings.overlap, limit=limit, unit=settings.unit)


OWN = {
    "ours, 240/40 tokens": {},  # the default
    "ours, 240/0 tokens": {"overlap": 0},
    "ours, 400/80 words": {"unit": "words", "size": 400, "overlap": 80},
    "ours, 1000/200 characters": {"unit": "characters", "size": 1000, "overlap": 200},
    "ours, 500/50 tokens": {"size": 500, "overlap": 50},
}
