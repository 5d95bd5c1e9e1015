"""Sessions of the handbook, run as they stand.

A session is all fenced blocks of a page that are marked `console`: a line that begins with `$ ` is a command, which
goes on in the next line where it ends with a backslash, and what follows is what it prints. In that, `…` stands for
anything within a line, and alone for any lines. The commands of a page share one shell, in the folder of a published
workspace. `rag serve` goes on beside them, as does what ends with `&`; the page's port is exchanged for a free one. A
block of `python` is a program of its own, and its output is not compared.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.loopback import free_port
from tests.pipeline.fixed_gate import FixedGate

ROOT = Path(__file__).resolve().parents[1]
PORT = "8600"
"""At which pages reach the API."""
SETTINGS = """
[model]
name = "tiny"
folder = "{model}"
[retrieval]
mode = "lexical"
[[sources]]
id = "handbook"
kind = "folder"
path = "handbook"
collection = "handbook"
min_words = 1
[[sources]]
id = "teaching"
kind = "upload"
min_words = 1
"""
TEXTS = {
    "optics.md": "# Optics\n\nRefraction is the bending of light where it enters another medium.\n",
    "ferry.md": "# Ferry\n\nThe ferry runs from six until dusk. A ticket costs two crowns.\n",
}
_BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "@@ended@@"


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a session, and what it is to print."""

    command: str
    printed: str


def published(home: Path, model: Path, embedder: OnnxEmbedder) -> Path:
    """Make the workspace that pages speak of, with a live version, for processes that open the model by themselves."""
    (home / "handbook").mkdir(parents=True)
    (home / "rag.toml").write_text(SETTINGS.format(model=model))
    for name, text in TEXTS.items():
        (home / "handbook" / name).write_text(text)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    workspace.collections().create("Physics, first year")
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return home


def steps(text: str) -> Iterator[Step]:
    """Yield the commands of a page, in their order."""
    for kind, block in _BLOCK.findall(text):
        if kind == "python":
            yield Step(f"python - <<'END-OF-PROGRAM'\n{block}END-OF-PROGRAM", "…\n")
            continue
        for given in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command = re.match(r"(?:.*\\\n)*.*\n", given)[0]
            yield Step(re.sub(r"\\\n> ?", "\\\n", command).rstrip("\n"), given[len(command) :])


def run_session(page: Path, home: Path, **variables: str) -> None:
    """Run a page's session in a workspace; an assertion fails at the first command that fails or prints otherwise."""
    port = str(free_port())
    listed = list(steps(page.read_text(encoding="utf-8").replace(PORT, port)))
    assert listed, f"{page} has no session"
    done = _shell("".join(map(_script, listed)), home, {"PORT_OF_THE_PAGE": port, **variables})
    told = re.split(rf"^{_END} (\d+)\n", done.stdout, flags=re.MULTILINE)
    for step, printed, code in zip(listed, told[::2], told[1::2], strict=False):
        assert code == "0", f"{page.name}: $ {step.command}\nended with {code}:\n{printed}{done.stderr}"
        assert re.fullmatch(_pattern(step.printed), printed), f"{page.name}: $ {step.command}\nprinted:\n{printed}"
    assert len(told) // 2 == len(listed), f"{page.name} ended early:\n{done.stdout}{done.stderr}"


def _script(step: Step) -> str:
    command = step.command
    if re.match(r"rag serve\b", command):
        healthy = "curl -sf http://127.0.0.1:$PORT_OF_THE_PAGE/healthz >/dev/null"
        command = f"{command.removesuffix('&')} --port $PORT_OF_THE_PAGE >>serve.log 2>&1 &\n"
        command += f"until {healthy}; do kill -0 $! || {{ cat serve.log; exit 9; }}; sleep 0.1; done"
    return f"{command}\n__ended $?\n"


def _pattern(printed: str) -> str:
    if not printed.strip():
        return r"(?:.*\n?)*"  # nothing is said of it
    lines = (
        r"(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in printed.splitlines()
    )
    return "".join(lines) + r"\n*"


def _shell(script: str, home: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    tools = home / ".tools"
    tools.mkdir(exist_ok=True)
    for name, call in (("rag", "-m rag_platform"), ("python", "")):
        (tools / name).write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" {call} "$@"\n')
        (tools / name).chmod(0o755)
    start = f"__ended() {{ printf '\\n{_END} %s\\n' $1; }}\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n"
    paths = {"PATH": f"{tools}:{os.environ['PATH']}", "RAG_HOME": str(home)}
    environment = os.environ | paths | {"COLUMNS": "120", "NO_COLOR": "1"} | variables
    bash = ["bash", "-c", start + script]
    return subprocess.run(bash, cwd=home, env=environment, capture_output=True, text=True, timeout=600, check=False)
