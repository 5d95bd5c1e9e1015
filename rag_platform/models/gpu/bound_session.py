"""A graph in ONNX Runtime on a graphics card, its inputs and outputs bound to the card's memory."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort

from rag_platform.models.onnx_runtime import cores

PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "cuda": ("CUDAExecutionProvider",),
    "tensorrt": ("TensorrtExecutionProvider", "CUDAExecutionProvider"),
}
"""Of each runtime, the best first; what these cannot run, the processor does."""
_CPU = "CPUExecutionProvider"
_INSTALL = (
    "Install the build for NVIDIA's cards in the place of the other: `pip uninstall onnxruntime`, then "
    "`pip install 'onnxruntime-gpu[cuda,cudnn]'`; see docs/models.md"
)


class BoundSession:
    """Runs a graph of batches (`batched_graph`); one thread at a time uses a card, so lock it or call it from one."""

    def __init__(self, graph: Path, runtime: str, device: str | None, cache: Path) -> None:
        """Open a graph on a card, or, with a warning that says why, on the processor.

        Args:
            graph: The file.
            runtime: A key of `PROVIDERS`.
            device: Such as "cuda:1"; None: the first card.
            cache: Where TensorRT keeps what it built for this card, which takes minutes.
        """
        self._number = int((device or "cuda:0").partition(":")[2] or 0)
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = cores(), 3
        self._session = ort.InferenceSession(graph, options, providers=self._providers(runtime, cache))
        used = self._session.get_providers()
        self.device = "cuda" if PROVIDERS[runtime][-1] in used else "cpu"
        """Where it runs: "cuda" or "cpu"."""
        if PROVIDERS[runtime][0] not in used:
            _tell(runtime, used)

    def run(self, outputs: Sequence[str], feed: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Copy the inputs to the card, run, and return these outputs, which alone are copied back."""
        binding = self._session.io_binding()
        for name, array in feed.items():
            binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(array, self.device, self._at))
        for output in outputs:
            binding.bind_output(output, self.device, self._at)
        self._session.run_with_iobinding(binding)
        return [value.numpy() for value in binding.get_outputs()]

    @property
    def _at(self) -> int:
        return self._number if self.device == "cuda" else 0

    def _providers(self, runtime: str, cache: Path) -> list[tuple[str, dict[str, Any]]]:
        """Return those that this build has, with their options: full precision, as the vectors of a processor have."""
        chosen = [name for name in PROVIDERS[runtime] if name in ort.get_available_providers()]
        if chosen and hasattr(ort, "preload_dlls"):
            ort.preload_dlls()  # of NVIDIA's wheels, where the system has no CUDA
        options: dict[str, dict[str, Any]] = {
            "CUDAExecutionProvider": {"device_id": self._number, "use_tf32": 0},
            "TensorrtExecutionProvider": {
                "device_id": self._number,
                "trt_engine_cache_enable": True,
                "trt_engine_cache_path": str(cache),
            },
        }
        return [*((name, options[name]) for name in chosen), (_CPU, {})]


def _tell(runtime: str, used: list[str]) -> None:
    """Say that the model runs elsewhere than the settings ask, and what to do."""
    wanted = PROVIDERS[runtime][0]
    built = wanted in ort.get_available_providers()
    why = (
        "there is no card that it can use: look at nvidia-smi, the driver and its log"
        if built
        else f"ONNX Runtime has no {wanted} here. {_INSTALL}"
    )
    where = "on the processor, with the same vectors and many times slower" if len(used) == 1 else f"by {used[0]}"
    logging.getLogger(__name__).warning("model.runtime = %r, but the model runs %s: %s", runtime, where, why)
