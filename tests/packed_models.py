"""A tiny random model in the one-file layout of four-bit weights, and the weights that it stands for."""

import struct
from pathlib import Path

import numpy as np

PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁the", "▁ferry", "▁red", *"abcdefghilmnorstyçдनस्ते渡し船～", "<mask>")
HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 32, 2, 4, 64, 64
_LAYER = {
    "q": ("attention.self.query", HIDDEN, HIDDEN),
    "k": ("attention.self.key", HIDDEN, HIDDEN),
    "v": ("attention.self.value", HIDDEN, HIDDEN),
    "ao": ("attention.output.dense", HIDDEN, HIDDEN),
    "fi": ("intermediate.dense", INNER, HIDDEN),
    "fo": ("output.dense", HIDDEN, INNER),
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


def write_packed_model(path: Path) -> dict[str, np.ndarray]:
    """Write a model of `PIECES` and return its weights by the names that transformers gives them."""
    random = np.random.default_rng(0)
    tensors: list[tuple[str, str, np.ndarray, bytes | None]] = []

    def vector(name: str, called: str, mean: float, *shape: int) -> None:
        tensors.append((name, called, random.normal(mean, 0.1, shape).astype(np.float32), None))

    def matrix(name: str, called: str, rows: int, columns: int) -> None:
        numbers = random.integers(-8, 8, (rows, columns // 32, 32))
        numbers[..., 5] = -8  # each block has its extreme, as those that were rounded have
        scales = random.uniform(0.01, 0.03, (rows, columns // 32, 1)).astype(np.float16)
        nibbles = (numbers + 8).astype(np.uint8)
        packed = np.concatenate([scales.view(np.uint8), nibbles[..., :16] | nibbles[..., 16:] << 4], axis=-1)
        tensors.append((name, called, (numbers * scales.astype(np.float32)).reshape(rows, columns), packed.tobytes()))

    matrix("emb.word", "embeddings.word_embeddings.weight", len(PIECES), HIDDEN)
    vector("emb.pos", "embeddings.position_embeddings.weight", 0, POSITIONS, HIDDEN)
    vector("emb.type", "embeddings.token_type_embeddings.weight", 0, 2, HIDDEN)
    for part, kind, mean in (("w", "weight", 1), ("b", "bias", 0)):
        vector(f"emb.ln.{part}", f"embeddings.LayerNorm.{kind}", mean, HIDDEN)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        for short, (name, rows, columns) in _LAYER.items():
            matrix(f"l{number}.{short}.w", f"{layer}.{name}.weight", rows, columns)
            vector(f"l{number}.{short}.b", f"{layer}.{name}.bias", 0, rows)
        for short, name in _NORMS.items():
            vector(f"l{number}.{short}.w", f"{layer}.{name}.weight", 1, HIDDEN)
            vector(f"l{number}.{short}.b", f"{layer}.{name}.bias", 0, HIDDEN)
    path.write_bytes(_laid_out(tensors))
    return {called: weights.astype(np.float32) for _, called, weights, _ in tensors}


def _laid_out(tensors: list[tuple[str, str, np.ndarray, bytes | None]]) -> bytes:
    pieces = [piece.encode() for piece in PIECES]
    starts = np.cumsum([0, *map(len, pieces)]).astype("<u4")
    scores = np.array([-2 - row / 50 for row in range(len(pieces))], "<f4")
    header = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, HEADS, INNER, len(pieces), POSITIONS, 2, 1e-12, 32)
    words = struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, starts[-1]) + starts.tobytes() + scores.tobytes()
    folding = struct.pack("<IBI", 0xFF21, 1, 0x41)
    head = header + words + b"".join(pieces) + struct.pack("<iI", 1, len(folding)) + folding
    names = [name.encode() for name, *_ in tensors]
    at = len(head) + 4 + sum(23 + len(name) for name in names)
    index, body = struct.pack("<i", len(tensors)), b""
    for name, (_, _, weights, packed) in zip(names, tensors, strict=True):
        data = packed or weights.astype("<f4").tobytes()
        index += struct.pack("<H", len(name)) + name
        index += struct.pack("<BIQQ", packed is not None, weights.size, at + len(body), len(data))
        body += data
    return head + index + body
