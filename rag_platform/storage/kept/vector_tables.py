"""The vectors that one model gave to the texts of a source: a large file, and a small one of what came since.

An edit adds a few vectors, so the small file alone is written; once it has grown, or much of the large one is of texts
that are gone, the large one is written anew. Over any history that comes to a few times what there is.
"""

import polars as pl

from rag_platform.core.errors import StorageError
from rag_platform.core.schemas import EMBEDDINGS
from rag_platform.storage.migrations import latest_version, packed_vectors, schema_version
from rag_platform.storage.tables import Store

_RECENT = ".recent"
"""How the stage of the small file is named: as that of the large one, and this."""
_SHARE = 1 / 4
"""Of the large file: so much may the small one be, and so much of it may be of texts that are gone."""


class VectorTable:
    """Both files, which are `EMBEDDINGS`, as one table of `embeddings_schema`; who writes holds the source's lock."""

    def __init__(self, store: Store, fingerprint: str, source: str, dimension: int) -> None:
        self._store, self._source, self.dimension = store, source, dimension
        self._large, self._small = f"embeddings/{fingerprint}", f"embeddings/{fingerprint}{_RECENT}"

    def hashes(self) -> pl.Series:
        """Return the texts that have a vector, by their hashes; no vector of the large file is read."""
        return pl.concat([self._known(), self._frame(self._small)["text_hash"]]).unique()

    def read(self, hashes: pl.Series | None = None) -> pl.DataFrame:
        """Return all vectors, each text once; or those of some texts, by their hashes.

        Raises:
            DamagedFile: one of the files is not what was written.
            StorageError: the vectors are of another dimension.
        """
        return self._opened(self._packed(hashes))

    def _packed(self, hashes: pl.Series | None = None) -> pl.DataFrame:
        small = self._frame(self._small)
        if hashes is not None:
            small = small.filter(pl.col("text_hash").is_in(hashes.implode()))
            hashes = hashes.filter(~hashes.is_in(small["text_hash"].implode()))
        large = self._frame(self._large) if hashes is None else self._of_large(hashes)
        return pl.concat([large, small.join(large, on="text_hash", how="anti")]) if small.height else large

    def _of_large(self, hashes: pl.Series) -> pl.DataFrame:
        """Return vectors of the large file; of few texts no others are read."""
        if hashes.is_empty():
            return pl.DataFrame(schema=EMBEDDINGS)
        wanted = pl.col("text_hash").is_in(hashes.unique().implode())
        if len(hashes) > _SHARE * len(self._known()):
            return self._frame(self._large).filter(wanted)
        return self._store.select(self._large, self._source, EMBEDDINGS.names(), wanted, EMBEDDINGS)

    def _opened(self, packed: pl.DataFrame) -> pl.DataFrame:
        if (packed["vector"].bin.size() != 4 * self.dimension).any():
            raise StorageError(
                f"{self._store.path(self._large, self._source)} holds vectors that have not {self.dimension} numbers, "
                "as those of its model; move it aside and sync again: it is rebuilt"
            )
        vectors = pl.col("vector").bin.reinterpret(dtype=pl.Array(pl.Float32, self.dimension), endianness="little")
        return packed.with_columns(vectors)

    def mend(self) -> None:
        """Set aside what is damaged, to be made anew, and write as today what an earlier release wrote."""
        for stage in (self._large, self._small):
            self._store.mend(stage, self._source)
            path = self._store.here(stage, self._source)
            if path.exists() and schema_version(path) < latest_version(stage):
                self._write(stage, self._frame(stage))

    def add(self, rows: pl.DataFrame) -> None:
        """Keep vectors of texts that have none yet."""
        if rows.is_empty():
            return
        small = pl.concat([self._frame(self._small), packed_vectors(rows)])
        if small.height > _SHARE * len(self._known()):
            self._write_all(pl.concat([self._frame(self._large), small]))
        else:
            self._write(self._small, small)

    def keep(self, hashes: pl.Series) -> None:
        """Let go of the vectors of all other texts: at once of new ones, of old ones when they are many."""
        wanted, known = pl.col("text_hash").is_in(hashes.unique().implode()), self._known()
        stays = known.is_in(hashes.unique().implode())
        if (~stays).sum() > _SHARE * len(known):
            self._write_all(self._packed().filter(wanted))
        elif (small := self._frame(self._small)).height and (left := small.filter(wanted)).height < small.height:
            self._write(self._small, left)

    def _known(self) -> pl.Series:
        return self._store.column(self._large, self._source, "text_hash", EMBEDDINGS)

    def _frame(self, stage: str) -> pl.DataFrame:
        return self._store.read(stage, self._source, EMBEDDINGS)

    def _write_all(self, frame: pl.DataFrame) -> None:
        """Write the large file before the small one goes: a text that is in both counts once."""
        self._write(self._large, frame.unique("text_hash", keep="first").sort("text_hash"))
        self._store.drop(self._small, self._source)

    def _write(self, stage: str, frame: pl.DataFrame) -> None:
        self._store.write(stage, self._source, frame, compression="uncompressed")
