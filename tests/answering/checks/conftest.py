"""A language model on loopback as a check, and tiny random classifiers of pairs, whose biases decide."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from rag_platform.answering.checks.llm_check import LanguageModelCheck
from rag_platform.config.settings import GeneratorSettings
from rag_platform.llm import OpenAICompatible
from tests.conftest import write_tiny_model


@pytest.fixture
def judge(server):
    return LanguageModelCheck(OpenAICompatible(GeneratorSettings(base_url=server.address), pause=0.0), timeout=30)


@pytest.fixture(scope="session")
def write_classifier(tmp_path_factory):
    """Return what writes a classifier with so many classes, and how evident each of them is to it."""

    def write(evidence, labels=None):
        folder = write_tiny_model(tmp_path_factory.mktemp("classifier") / "tiny")
        weights = load_file(folder / "model.safetensors")
        hidden = weights["classifier.weight"].shape[1]
        head = {
            "classifier.weight": np.zeros((len(evidence), hidden), np.float32),
            "classifier.bias": np.array(evidence, np.float32),
        }
        save_file(weights | head, folder / "model.safetensors")
        config = json.loads((folder / "config.json").read_text())
        named = {"id2label": {str(number): label for number, label in enumerate(labels)}} if labels else {}
        (folder / "config.json").write_text(json.dumps(config | named))
        return folder

    return write
