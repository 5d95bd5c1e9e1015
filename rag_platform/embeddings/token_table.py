"""What the embeddings stage keeps of the tokens of a source's passages, beside the table of their vectors."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.core.ids import passage_key, passage_keys
from rag_platform.storage.hashed.row_files import RowFiles, open_rows, write_rows
from rag_platform.storage.tables import Store


class TokenTable:
    """The packed token vectors of a source's passages by one model, by their hashes; one writes at a time."""

    def __init__(self, store: Store, fingerprint: str, source: str, bits: int, others: Sequence[RowFiles] = ()) -> None:
        """Open what there is in so many bits; 0: none are kept. What `others` have is not lacked."""
        self.bits = bits
        self._folder, self._others = _folder(store, fingerprint, source, bits), others
        self._all_bits = partial(token_folders, store, fingerprint, source)

    @cached_property
    def _rows(self) -> RowFiles:
        return open_rows(self._folder).there()

    def reread(self) -> None:
        """Look again at what there is: another may have written it meanwhile."""
        vars(self).pop("_rows", None)

    def lacks(self, hashes: pl.Series) -> pl.Series:
        """Return which of these passages are not there: bool."""
        if not self.bits:
            return pl.repeat(False, len(hashes), dtype=pl.Boolean, eager=True)
        known = np.concatenate([rows.keys for rows in (self._rows, *self._others)])
        return pl.Series(~np.isin(_keys(hashes), known), dtype=pl.Boolean)

    def replace(self, needed: Collection[str], fresh: Mapping[str, bytes]) -> None:
        """Add passages, and remove those that are not needed, and what there is in other bits."""
        for other in self._all_bits():
            if other != self._folder:
                shutil.rmtree(other)
        if not self.bits:
            return
        keys, new = np.unique(_keys(needed)), {passage_key(hashed): row for hashed, row in fresh.items()}
        if new or not np.isin(self._rows.keys, keys).all():
            self._rows = write_rows(self._folder, keys, [self._rows], new)


def token_folders(store: Store, fingerprint: str = "*", source: str = "*", bits: int | None = None) -> list[Path]:
    """Return the folders of packed token vectors that there are, of any model, source and bits."""
    return sorted((store.folder / "embeddings").glob(f"{fingerprint}/{source}.tokens-{bits or '*'}"))


def erase_tokens(store: Store, needed: Collection[str]) -> None:
    """Remove from every source's those of passages that are not needed."""
    keys = np.unique(_keys(needed))
    for folder in token_folders(store):
        rows = open_rows(folder)
        if rows.strays() or not np.isin(rows.keys, keys).all():
            write_rows(folder, keys, [rows])


def _folder(store: Store, fingerprint: str, source: str, bits: int) -> Path:
    return store.folder / "embeddings" / fingerprint / f"{source}.tokens-{bits}"


def _keys(hashes: Collection[str] | pl.Series) -> np.ndarray:
    return passage_keys(hashes if isinstance(hashes, pl.Series) else pl.Series([*hashes], dtype=pl.String))
