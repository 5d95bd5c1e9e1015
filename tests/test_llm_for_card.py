"""Which language model `make serve-llm` takes for a card."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "llm-for-card.sh"


@pytest.mark.parametrize(
    ("mib", "model"),
    [(8188, "4B-AWQ"), (16380, "8B-FP8"), (24564, "14B-FP8"), (49140, "32B-FP8"), (81559, "32B"), (143771, "32B")],
)
def test_the_model_fits_the_card_and_stands_in_the_table(mib, model):
    named = subprocess.run([SCRIPT, str(mib)], capture_output=True, text=True, check=True).stdout.strip()
    assert named == f"Qwen/Qwen3-{model}"
    assert f"Qwen3-{model}" in (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")


def test_without_a_card_it_says_which_fits_which():
    asked = subprocess.run([SCRIPT, "none"], capture_output=True, text=True, check=False)
    assert asked.returncode == 1 and "16 GB Qwen/Qwen3-8B-FP8" in asked.stderr
