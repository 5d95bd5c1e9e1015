"""Run the tests of embedding models with sentence-transformers on torch, on the processor.

    python scripts/test-torch.py FOLDER

FOLDER (about 1.3 GB) gets an environment of its own, which sees that of the interpreter beside it. The build of torch
for processors is wanted; where the package index has none, name PyTorch's in PIP_EXTRA_INDEX_URL.
"""

import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

TORCH = "2.13.0"
ROOT = Path(__file__).resolve().parent.parent
TESTS = ("tests/embeddings/test_embedder_contract.py", "-k", "sentence-transformers")


def main() -> int:
    """Install what is missing, run the tests, and return pytest's exit status."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    venv = Path(sys.argv[1]).resolve()
    python = venv / "bin" / "python"
    if not (venv / ".installed").exists():
        install(venv, python)
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-q", *TESTS]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def install(venv: Path, python: Path) -> None:
    """Make the environment; what the platform pins stays at its version."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(asked, check=True, capture_output=True, text=True)
    (Path(own.stdout.strip()) / "platform.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    pins = re.findall(r"^\w[^\\\n]*", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write("\n".join(pins))
        constraints.flush()
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        subprocess.run([*pip, f"torch=={TORCH}"], check=True)  # first: it may be found with its kind, +cpu
        subprocess.run([*pip, "-c", constraints.name, "sentence-transformers>=6.2"], check=True)
    (venv / ".installed").touch()


if __name__ == "__main__":
    sys.exit(main())
