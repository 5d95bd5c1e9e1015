"""An opened version: what an engine holds of it (`ports.VersionReader`), and above that who may read what."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.access import Access
from rag_platform.core.errors import VersionError
from rag_platform.core.ports import VersionReader
from rag_platform.core.ports.version_ports import Read
from rag_platform.index.catalog.catalog import Catalog, StoredDocument
from rag_platform.index.keys import among
from rag_platform.index.releases.embedded_version import EmbeddedVersion
from rag_platform.index.releases.view import Parts, View, Views
from rag_platform.index.vectors.spaces import OpenSpace, StoredSpace, stored_spaces
from rag_platform.index.vocabulary import distinct_words
from rag_platform.text import analysis


class OpenVersion:
    """A version opened for reading, pinned by whoever holds it. Safe to ask from many threads."""

    def __init__(self, reader: VersionReader, access: Access | None = None) -> None:
        """Read what an engine holds; `access`: as of a `Catalog`."""
        self.reader = reader
        self.manifest = reader.manifest
        self.id: str = self.manifest["id"]
        self.reference = reader.reference
        self.catalog = Catalog(reader.tables, reader.passages, access)
        self.spaces = tuple(map(self._space, stored_spaces(self.manifest)))
        """Its vector spaces; most versions have one. Each chunk is in at most one that is not `cross`."""
        self.vectors = self.spaces[0].index
        """The vectors of the first space."""
        self.lexical = reader.words

    @property
    def folder(self) -> Path:
        """Where its files lie; `VersionError` when it was not opened from files."""
        return self._files.folder

    @property
    def segments(self) -> list[Path]:
        """The folders of its segments, in the order of their rows; `VersionError` as for `folder`."""
        return self._files.segments

    @property
    def _files(self) -> EmbeddedVersion:
        if not isinstance(self.reader, EmbeddedVersion):
            raise VersionError(f"{self.id} was opened from a store; `Versions.open_folder` opens its files")
        return self.reader

    @property
    def intact(self) -> bool:
        """Whether it is still what was opened; it takes microseconds."""
        return self.reader.intact

    def _space(self, stored: StoredSpace) -> OpenSpace:
        index = self.reader.vectors(stored.file, int(stored.model["dimension"]))
        return OpenSpace(stored.model, index, stored.cross, stored.relevance, self.reader.tokens(stored.fingerprint))

    @property
    def has_tokens(self) -> bool:
        """Whether the token vectors of each space's model are stored with it, so that a rerank only reads them."""
        return all(space.tokens is not None for space in self.spaces)

    def view(self, principals: Sequence[str]) -> View:
        """Return the version as these principals may read it today."""
        return self._views.of(self.catalog.attributes.readable(principals))

    @property
    def whole_view(self) -> View:
        """The version as whoever may read everything sees it."""
        return self._views.of(np.ones(len(self.catalog.attributes.doc_ids), bool))

    @cached_property
    def _views(self) -> Views:
        parts = Parts(self.catalog, self.lexical, self.spaces, self.reference, self.near_duplicates)
        return Views(parts, len(self.catalog.keys) + len(self.catalog.attributes.doc_ids))

    @property
    def near_duplicates(self) -> float:
        """The similarity from which two documents are nearly the same; 0: none are."""
        return float(self.manifest["parameters"].get("near_duplicates", 0))

    @cached_property
    def size(self) -> int:
        """Number of chunks."""
        return int(self.manifest["counts"]["chunks"])

    def document(self, doc_id: str, principals: Sequence[str] = ()) -> StoredDocument | None:
        """Return a document, or None when there is none that these principals may read."""
        return self.catalog.document(doc_id, principals)

    def documents(self) -> pl.DataFrame:
        """Return all documents with their texts."""
        return self.catalog.documents()

    def facets(self, principals: Sequence[str] = ()) -> dict[str, dict[str, int]]:
        """Count the readable documents by collection, source, language and type."""
        return self.catalog.facets(principals)

    def verify(self, *, sample: int = 50, read: Read = "all") -> list[str]:
        """Return what is wrong with this version: damaged files, parts that disagree, poor recall. Empty: nothing.

        Of the files, `read` are compared with what was built: "all"; what is "new", for those of segments that it has
        from its parent were proven with that; or those that were "changed" since they were found sound.
        """
        return [*self.reader.problems(read), *self._disagreements(sample)]

    def _disagreements(self, sample: int) -> list[str]:
        """Return what is wrong with what was opened, whose files do not change; looked for once."""
        if sample not in self._found:
            self._found[sample] = self._look_for_disagreements(sample)
        return self._found[sample]

    @cached_property
    def _found(self) -> dict[int, list[str]]:
        return {}

    def _look_for_disagreements(self, sample: int) -> list[str]:
        problems: list[str] = []
        vectors = sum(len(space.index) for space in self.spaces if not space.cross)
        keys, words_only = (
            self.catalog.chunks("key")["key"].sort().to_numpy(),
            self.manifest["counts"].get("words_only", 0),
        )
        counts = {"vectors": vectors + words_only, "lexical": len(self.lexical), "catalog": len(keys)}
        if len(set(counts.values())) != 1:
            problems.append(f"the parts hold different numbers of chunks: {counts}")
        problems.extend(self._missing_keys(keys))
        problems.extend(self._strange_vectors(keys))
        problems.extend(self._wrong_postings(sample))
        recall = self.measured_recall(sample)
        if recall < 0.95 - 1e-9:  # the mean of tenths may lie a hair below what it is
            problems.append(f"vector search finds {recall:.1%} of the exact ten nearest; expected 95 % or more")
        return problems

    def measured_recall(self, sample: int = 50, depth: int = 10) -> float:
        """Return recall@10 against exact search, for vectors of the index itself as questions; measured once."""
        if (sample, depth) not in self._recalls:
            self._recalls[sample, depth] = self._measure_recall(sample, depth)
        return self._recalls[sample, depth]

    @cached_property
    def _recalls(self) -> dict[tuple[int, int], float]:
        return {}

    def _measure_recall(self, sample: int, depth: int) -> float:
        recalls = [one for space in self.spaces for one in space.index.recalls(sample, depth)]
        return float(np.mean(recalls)) if recalls else 1.0

    def _missing_keys(self, keys: np.ndarray) -> list[str]:
        absent = {
            "passage": int((~among(keys, self.catalog.keys)).sum()),
            "vectors": self._without_vector(keys),
            "lexical": int((~among(keys, np.sort(self.lexical.keys()))).sum()),
        }
        return [f"{count} chunks of the catalog are not in the {part} index" for part, count in absent.items() if count]

    def _without_vector(self, keys: np.ndarray) -> int:
        """Count the chunks in no space, but for those that words alone find, and vectors that the graph has not."""
        homes = [space.index for space in self.spaces if not space.cross]
        found = np.any([index.contains(keys) for index in homes], axis=0) if len(keys) else np.empty(0, bool)
        crossed = (space.index for space in self.spaces if space.cross)
        lost = sum(int((~index.contains(index.keys)).sum()) for index in crossed)
        return max(0, int((~found).sum()) - int(self.manifest["counts"].get("words_only", 0))) + lost

    def _strange_vectors(self, keys: np.ndarray) -> list[str]:
        """Tell of vectors of no chunk, and of chunks that are at home in two spaces."""
        strange = sum(int((~among(space.index.keys, keys)).sum()) for space in self.spaces)
        homes = np.concatenate([space.index.keys for space in self.spaces if not space.cross])
        twice = len(homes) - len(np.unique(homes))
        told = {"vectors are of no chunk": strange, "chunks are at home in two vector spaces": twice}
        return [f"{count} {what}" for what, count in told.items() if count]

    def _wrong_postings(self, sample: int) -> list[str]:
        """Compare the postings of some chunks with their texts, and with the phrases' index."""
        if self.manifest["analysis"] != analysis.VERSION:
            return []
        keys = self.catalog.keys[:: max(1, len(self.catalog.keys) // max(1, sample))]
        rows = [row for _, row in sorted(self.catalog.candidates(keys).items())]
        texts = [f"{row['header']}\n{row['text']}" for row in rows]
        held = [analysis.index_terms(text, row["language"]) for text, row in zip(texts, rows, strict=True)]
        return [*self.lexical.problems(zip(keys.tolist(), held, map(distinct_words, texts), strict=True))]
