"""Run the tests of what goes beyond one machine: the contracts of the ports, over each adapter that there is.

    python scripts/test-scale.py FOLDER [PYTEST'S ARGUMENTS]

FOLDER (0.6 GB) gets an environment of its own, with Ray, Lance, Milvus Lite and dagster-postgres, which sees what is
installed in the one that runs this. The tests are those with the mark `scale`; PostgreSQL, Milvus and the S3 server run
on this machine. What `make test` skips of them because a library is absent runs here.
"""

import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PINS = (
    "ray==2.60.0",
    "pylance==14.0.2",
    "pymilvus==3.0.2",
    "milvus-lite==3.2.2",  # the server of the tests
    "dagster-postgres==0.29.27",
    "sqlalchemy<2.1",  # 2.1 breaks dagster-postgres
)
"""They were resolved together."""
OWN = ("sqlalchemy",)
"""What is pinned here as well as in the platform's constraints, where another version stands."""
MARK = "mark.scale"
"""How a file of tests says it; the others need not be collected."""
ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Install what is missing, run the tests, and return pytest's exit status."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    venv = Path(sys.argv[1]).resolve()
    python = venv / "bin" / "python"
    installed = venv / ".installed"
    if not installed.exists() or installed.read_text(encoding="utf-8") != "\n".join(PINS):
        install(venv, python)
        installed.write_text("\n".join(PINS), encoding="utf-8")
    files = [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if MARK in path.read_text("utf-8")]
    if not files:
        sys.exit(f"No file of tests/ has `pytest.{MARK}`: expected the contracts of the ports.")
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-q", "-m", "scale", *files, *sys.argv[2:]]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def install(venv: Path, python: Path) -> None:
    """Make the environment; what the platform pins stays at its version, but for `OWN`."""
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(asked, check=True, capture_output=True, text=True)
    (Path(own.stdout.strip()) / "platform.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    files = [(ROOT / name).read_text(encoding="utf-8") for name in ("constraints.txt", "constraints-test.txt")]
    pins = [pin for text in files for pin in re.findall(r"^\w[^\\\n]*", text, re.MULTILINE)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as constraints:
        constraints.write("\n".join(pin for pin in pins if re.split(r"[=\[]", pin)[0] not in OWN))
        constraints.flush()
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        subprocess.run([*pip, "-c", constraints.name, *PINS], check=True)


if __name__ == "__main__":
    sys.exit(main())
