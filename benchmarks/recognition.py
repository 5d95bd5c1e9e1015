"""Compare what text recognition reads on pictures of PDF pages with the text layer of the same pages.

Usage: python -m benchmarks.recognition FILE [FILE ...]

Each PDF is read twice as the platform does: from its text layer, and from the pictures of its pages alone. Printed are
the share of the layer's words that were recognised, and the share of its pairs of neighbouring words, which falls when
lines or columns are mixed up. It fails when the mean of either is below its floor, and tells when nothing recognises
text here.
"""

import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from rag_platform.documents.formats.images.ocr import engines
from rag_platform.documents.formats.pdf.reader import read_pdf
from rag_platform.documents.options import Options

_WORDS, _PAIRS = 0.9, 0.8
"""Floors of the means, for clean print in Latin letters."""


def kept(layer: str, seen: str) -> tuple[float, float]:
    """Return the shares of a text's words, and of its pairs of neighbouring words, that another text has."""
    bags = [[Counter(words), Counter(pairwise(words))] for words in map(_words, (layer, seen))]
    words, pairs = ((want & have).total() / max(want.total(), 1) for want, have in zip(*bags, strict=True))
    return words, pairs


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def main(files: list[Path]) -> int:
    """Print the shares of each file and their means; return the exit code."""
    if not (recognisers := engines()):
        print("skipped: nothing recognises text here; install the extra `ocr`")
        return 0
    shares = []
    for path in files:
        content = path.read_bytes()
        layer, seen = (read_pdf(content, options=Options(page_text=source, ocr=recognisers)).text
                       for source in ("layer", "ocr"))  # fmt: skip
        shares.append(kept(layer, seen))
        print(f"{path.name:36} words kept {shares[-1][0]:.3f}  pairs kept {shares[-1][1]:.3f}", flush=True)
    words, pairs = (sum(column) / len(shares) for column in zip(*shares, strict=True))
    print(f"{recognisers}: mean of {len(shares)} files: words kept {words:.3f}, pairs kept {pairs:.3f}")
    return int(words < _WORDS or pairs < _PAIRS)


if __name__ == "__main__":
    sys.exit(main([*map(Path, sys.argv[1:])]))
