"""Which chunks hold some terms in a row: tantivy's indexes of a version's segments."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Document, Occur, Query

from rag_platform.index import keys as key_sets
from rag_platform.index.reading import explaining_damage
from rag_platform.index.segments import LivingRows


class PhrasesWriter:
    """Writes the index of one segment."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._schema = _schema()
        index = tantivy.Index(self._schema, path=str(folder))
        self._writer = index.writer(heap_size=128_000_000, num_threads=1)  # one thread: equal input, equal order

    def add(self, key: int, terms: Sequence[str]) -> None:
        """Add a chunk, by its key and its terms."""
        self._writer.add_document(Document.from_dict({"key": key, "terms": " ".join(terms)}, self._schema))

    def finish(self) -> None:
        """Write what was added."""
        self._writer.commit()
        self._writer.wait_merging_threads()


class Phrases:
    """The opened indexes; safe to search from many threads."""

    def __init__(self, folders: Sequence[Path], living: LivingRows) -> None:
        """Open the index of each segment, whose chunks are the rows of `living`."""
        self._folders, self._living = tuple(folders), living
        self._searchers = [_opened(folder).searcher() for folder in folders]

    def keys(self, terms: Sequence[str] = (), among: np.ndarray | None = None) -> np.ndarray:
        """Return the keys (uint64), in any order, of the living chunks that hold these terms in a row, or of all.

        `among`: only chunks of these keys are looked at.
        """
        query = Query.phrase_query(_schema(), "terms", list(terms)) if terms else Query.all_query()
        if among is not None:
            chosen = Query.term_set_query(_schema(), "key", among.tolist())
            query = Query.boolean_query([(Occur.Must, query), (Occur.Must, chosen)])
        query = Query.const_score_query(query, 0.0)
        return np.concatenate([np.empty(0, np.uint64), *(self._found(at, query) for at in range(len(self._folders)))])

    def count(self, segment: int, term: str) -> int:
        """Return how many chunks of a segment hold a term, whether they live or not."""
        return self._searchers[segment].doc_freq("terms", term)

    def _found(self, segment: int, query: Query) -> np.ndarray:
        searcher, living = self._searchers[segment], self._living.living_keys(segment)
        with explaining_damage(self._folders[segment]):
            hits = searcher.search(query, max(1, searcher.num_docs), count=False).hits
            keys = np.array(searcher.fast_field_values("key", [address for _, address in hits]), np.uint64)
        return keys if living is None else keys[key_sets.among(keys, living)]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="position")
    return builder.build()


def _opened(folder: Path) -> tantivy.Index:
    """Open an index; tantivy writes a lock beside it, so one that can only be read is opened by links to it."""
    try:
        return _unwatched(folder)
    except ValueError as error:
        if "Lockfile" not in str(error):
            raise
    with tempfile.TemporaryDirectory(prefix="rag-lexical-") as links:
        for path in folder.iterdir():
            if not path.name.endswith(".lock"):
                (Path(links) / path.name).symlink_to(path.absolute())
        return _unwatched(Path(links))


def _unwatched(folder: Path) -> tantivy.Index:
    index = tantivy.Index.open(str(folder))
    index.config_reader(reload_policy="manual", num_warmers=0)  # it never changes; damage is not to be loaded
    return index
