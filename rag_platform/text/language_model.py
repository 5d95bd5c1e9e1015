"""The language classifier's model, unpacked once: py3langid's own file takes 0.7 s to unpack at each start."""

import logging
from pathlib import Path
from typing import BinaryIO

import numpy as np
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier
from py3langid.modelio import load_model

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.user_cache import name_by_content, noted_sha256, undamaged, user_cache


def open_classifier() -> LanguageIdentifier:
    """Open the classifier of all the languages that it knows."""
    folder, packed = user_cache() / "languages", MODEL_DIR / MODEL_FILE
    stem = f"py3langid-{noted_sha256(packed)[:16]}"
    path = undamaged(folder, stem, ".npy")
    return _read(path) if path else _unpack(packed, folder, stem)


def _read(path: Path) -> LanguageIdentifier:
    with path.open("rb") as file:
        weights, priors, classes, moves, rows, features = (_mapped(file) for _ in range(6))
    states = [moves.data, features.tolist()]  # of which Python reads single numbers faster than of an array
    return LanguageIdentifier(weights, priors, classes.tolist(), *states, tk_row=rows.tolist())


def _mapped(file: BinaryIO) -> np.ndarray:
    """Return the array that follows: a text looks at some of its pages only, and to copy all takes 0.1 s."""
    np.lib.format.read_magic(file)
    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    place = file.tell()
    mapped = np.memmap(file, dtype, "r", place, shape)
    file.seek(place + mapped.nbytes)
    return mapped


def _unpack(packed: Path, folder: Path, stem: str) -> LanguageIdentifier:
    """Open the packed model, and write it down unpacked: six arrays, one after the other."""
    weights, priors, classes, moves, rows, features = load_model(packed)
    new = folder / f"{stem}.npy"
    try:
        with atomic_write(new) as beside, beside.open("wb") as file:
            for one in (weights, priors, np.array(classes), moves, rows, np.array(features)):
                np.save(file, np.asarray(one), allow_pickle=False)
        name_by_content(new)
    except (OSError, StorageError) as error:  # it is then unpacked at each start
        logging.getLogger(__name__).info("the language classifier is not kept unpacked: %s", error)
    return LanguageIdentifier(weights, priors, classes, moves, features, tk_row=rows)
