"""The table of `rag eval`, on terminals of different widths."""

import re
import warnings

import pytest

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", r"'click\.", DeprecationWarning)  # typer imports what click 9 will drop
    from rag_platform.cli.console import out
    from rag_platform.cli.release import evaluation

MEASURES = {"nDCG@10": 0.12345, "R@100": 1.0, "AP": None, "MRR@10": 0.5, "Success@5": 0.75, "ms_p50": 12.3}
MODES = ("lexical", "vector", "hybrid", "rerank")
SCORES = {"dataset": "a-corpus", "docs": 10_000, "queries": 323, "modes": dict.fromkeys(MODES, MEASURES)}


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (100, ["rerank", "0.1235", "1", "–", "0.5", "0.75", "12.3"]),
        (80, ["rerank", "0.1235", "1", "–", "0.5", "0.75", "12.3"]),
        (60, ["nDCG@10", *["0.1235"] * 4]),
    ],
)
def test_each_number_stands_whole_in_its_row(monkeypatch, capsys, width, row) -> None:
    monkeypatch.setattr(out, "width", width)
    evaluation._show(SCORES)
    told = capsys.readouterr().out
    assert row in [re.split(r"\s*│\s*", line.strip("│ ")) for line in told.split("\n")]
    assert "…" not in told
    assert max(map(len, told.split("\n"))) <= width
