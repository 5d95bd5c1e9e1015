"""Classifiers of pairs as checks: of three classes, two, and one; written here, or exported by others."""

import numpy as np
import pytest

from rag_platform.answering.checks.nli import NliCheck
from rag_platform.config.settings import CheckSettings
from rag_platform.core.errors import ModelError
from tests.foreign_models import export_classifier

NLI = ("CONTRADICTION", "ENTAILMENT", "NEUTRAL")
PAIRS = [("The ferry leaves at nine.", "It leaves at nine.")]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory):
    return tmp_path_factory.mktemp("graphs")


def opened(folder, graphs, **settings):
    return NliCheck(CheckSettings(model=folder.parent.name, folder=folder, **settings), cache=graphs)


def judged(folder, graphs, **settings):
    (judgement,) = opened(folder, graphs, **settings)(PAIRS)
    return round(judgement.supported, 3), round(judgement.contradicted, 3)


@pytest.mark.parametrize(
    ("evidence", "labels", "settings", "expected"),
    [
        (np.log([0.2, 0.7, 0.1]), NLI, {}, (0.7, 0.2)),
        (np.log([0.6, 0.4]), ("entailment", "not_entailment"), {}, (0.6, 0.0)),
        (np.log([0.3, 0.7]), None, {}, (0.7, 0.0)),
        ([np.log(0.8 / 0.2)], ("LABEL_0",), {}, (0.8, 0.0)),
        (np.log([0.1, 0.3, 0.6]), None, {"labels": ("neutral", "refuted", "supported")}, (0.6, 0.3)),
    ],
    ids=["three", "two", "without-names", "one", "named-by-the-settings"],
)
def test_its_classes_become_probabilities(write_classifier, graphs, evidence, labels, settings, expected):
    if settings:
        labels = ("LABEL_0", "LABEL_1", "LABEL_2")
    assert judged(write_classifier(evidence, labels), graphs, **settings) == expected


def test_classes_whose_meaning_is_not_known_are_refused(write_classifier, graphs):
    folder = write_classifier([0.0, 0.0, 0.0], ("LABEL_0", "LABEL_1", "LABEL_2"))
    with pytest.raises(ModelError, match=r"3 classes, called LABEL_0, LABEL_1, LABEL_2; .*`labels` of \[check\]"):
        judged(folder, graphs)
    with pytest.raises(ModelError, match="3 classes, called yes"):
        judged(folder, graphs, labels=("yes", "supported"))


@pytest.mark.parametrize("broken", ["tokenizer.json", "onnx/model.onnx"])
def test_a_model_that_cannot_be_opened_says_where_it_is(write_classifier, graphs, tmp_path, broken):
    folder = export_classifier(write_classifier(np.log([0.2, 0.7, 0.1]), NLI), tmp_path / "theirs")
    (folder / broken).write_bytes(b"{")
    with pytest.raises(ModelError, match=r"the model in .*theirs cannot be opened"):
        judged(folder, graphs)


def test_a_graph_that_others_exported_gives_the_same(write_classifier, graphs, tmp_path):
    own = write_classifier(np.log([0.2, 0.7, 0.1]), NLI)
    foreign = export_classifier(own, tmp_path / "theirs")
    assert judged(foreign, graphs) == judged(own, graphs, precision="fp32") == (0.7, 0.2)


def test_a_long_source_counts_by_its_best_piece(write_classifier, graphs, monkeypatch):
    check = opened(write_classifier(np.log([0.2, 0.7, 0.1]), NLI), graphs, window=32)
    read = []

    def probabilities(piece, claim):
        read.append(piece)
        return np.array([0.1, 0.9, 0.0] if "nine" in piece else [0.4, 0.1, 0.5])

    monkeypatch.setattr(check._opened.model, "probabilities", probabilities)
    (judgement,) = check([("It goes at nine.", "Herons are grey. A lamp is red. " * 5 + "It leaves at nine. " * 2)])
    assert len(read) > 2 and (judgement.supported, judgement.contradicted) == (0.9, 0.4)


def test_what_is_late_and_what_it_does_not_read_is_not_judged(write_classifier, graphs):
    folder = write_classifier(np.log([0.2, 0.7, 0.1]), NLI)
    assert opened(folder, graphs, timeout=1e-9)(PAIRS) == [None]
    english = opened(folder, graphs)
    english._opened = english._opened._replace(languages=("en",))
    assert english([("फेरी नौ बजे निकलती है।", "फेरी नौ बजे निकलती है।"), *PAIRS])[0] is None


def test_its_name_holds_what_its_files_are(write_classifier, graphs):
    folder = write_classifier(np.log([0.2, 0.7, 0.1]), NLI)
    name = opened(folder, graphs).name
    assert name.startswith("nli:classifier") and len(name.rpartition(" ")[2]) == 8
    assert NliCheck(CheckSettings()).name == "nli:nli-MiniLM2-L6-H768 b95119ce"
