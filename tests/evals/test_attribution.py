"""The cause of a moved hit: between two real versions only one input differs, and that one is named."""

from dataclasses import replace

import pytest

from evals.candidate_evaluation import score_version
from evals.questions.question import Question, Relevant
from evals.report.attribution import QuestionChange, attribute
from evals.report.ranked_runs import EvaluatedVersion
from rag_platform.config.settings import RetrievalSettings
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.releases.version_diff import difference
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import document
from tests.index.cutting import cut_corpus

WEIR = document("weir.md", "the weir holds the river back every spring and herons nest below the old weir")
FERRY = document("ferry.md", "the ferry crosses at noon")
FILLER = [document(f"filler{number}.md", f"page {number} about nothing much") for number in range(4)]
QUESTION = Question("weir", "weir river", relevant=(Relevant("weir.md", "holds the river back"),))
OLD = RetrievalSettings(mode="lexical")


@pytest.fixture
def workspace(tmp_path) -> SmallWorkspace:
    return SmallWorkspace(tmp_path)


def _corpus(*documents: dict, words: int = 20, model: str = "words") -> Corpus:
    return cut_corpus(*documents, *FILLER, words=words, model=model)


def _measured(
    workspace: SmallWorkspace, corpus: Corpus, question: Question, settings: RetrievalSettings
) -> EvaluatedVersion:
    workspace.settings = workspace.settings.model_copy(update={"retrieval": settings})
    version = build(corpus, workspace.versions, partitions={}).version
    scores = score_version(workspace, version, (question,))
    return EvaluatedVersion(workspace.versions.open(version), scores, settings.model_dump())


def _change(
    workspace: SmallWorkspace,
    before: Corpus,
    after: Corpus,
    *,
    question: Question = QUESTION,
    settings: tuple[RetrievalSettings, RetrievalSettings] = (OLD, OLD),
) -> QuestionChange:
    sides = [_measured(workspace, *side) for side in zip((before, after), (question, question), settings, strict=True)]
    (change,) = attribute((question,), *sides, difference(*(side.version for side in sides)))
    return change


def test_a_document_that_went_is_the_source(workspace) -> None:
    change = _change(workspace, _corpus(WEIR, FERRY), _corpus(FERRY))
    assert (change.cause, change.competition) == ("source", False)
    assert (change.rank_before, change.rank_after, change.gain) == (1, None, -1.0)
    assert [(one.uri, one.before, one.after, one.why) for one in change.evidence] == [
        ("weir.md", 1, None, "the document is no longer there")
    ]


def test_an_edited_document_is_the_source(workspace) -> None:
    edited = document("weir.md", "the weir was sold; herons nest below the old weir")
    change = _change(workspace, _corpus(WEIR, FERRY), _corpus(edited, FERRY))
    assert (change.cause, change.rank_before, change.rank_after) == ("source", 1, None)
    assert change.evidence[0].why == "the document was edited"


def test_other_text_of_the_same_bytes_is_the_extractor(workspace) -> None:
    reread = document("weir.md", "menu home contact", raw_sha256=WEIR["raw_sha256"])
    change = _change(workspace, _corpus(WEIR, FERRY), _corpus(reread, FERRY))
    assert (change.cause, change.rank_after) == ("extractor", None)


def test_the_same_text_cut_elsewhere_is_the_chunker(workspace) -> None:
    rival = document("rival.md", "weir river weir")
    change = _change(workspace, _corpus(WEIR, rival), _corpus(WEIR, rival, words=2))
    assert (change.cause, change.competition) == ("chunker", False)
    assert change.evidence[0].uri == "weir.md"
    assert change.evidence[0].role == "own"


def test_the_same_passages_ranked_by_another_model_are_the_model(workspace) -> None:
    settings = RetrievalSettings(mode="vector")
    good = _corpus(WEIR, FERRY)
    other = _corpus(WEIR, FERRY, model="letters")
    (space,) = other.spaces
    shuffled = replace(other, spaces=(replace(space, vectors=-space.vectors),))
    change = _change(workspace, good, shuffled, settings=(settings, settings))
    assert (change.cause, change.competition) == ("model", False)
    assert change.rank_after > change.rank_before


def test_the_same_versions_ranked_with_other_settings_are_the_fusion(workspace) -> None:
    near = document("near.md", "river river river")
    settings = (OLD, RetrievalSettings(mode="vector"))
    change = _change(workspace, _corpus(WEIR, near), _corpus(WEIR, near), settings=settings)
    assert (change.cause, change.competition) == ("fusion", False)
    assert change.rank_before != change.rank_after


def test_a_new_rival_is_competition_caused_by_the_source(workspace) -> None:
    rival = document("rival.md", "weir river")
    change = _change(workspace, _corpus(WEIR, FERRY), _corpus(WEIR, FERRY, rival))
    assert (change.cause, change.competition) == ("source", True)
    assert (change.rank_before, change.rank_after) == (1, 2)
    assert [(one.uri, one.role) for one in change.evidence] == [("weir.md", "own"), ("rival.md", "rival")]


def test_rarer_words_elsewhere_are_competition_too(workspace) -> None:
    """No hit's own input changed: added documents made a word common, and so the order changed."""
    long = document("weir.md", "weir " + "and so on " * 3 + "holds the river back")
    river = document("flow.md", "river river weir bank")
    weirs = [document(f"more{number}.md", "river flows") for number in range(40)]
    question = replace(QUESTION, question="weir holds river")
    change = _change(workspace, _corpus(long, river), _corpus(long, river, *weirs), question=question)
    assert change.churn > 0
    assert change.cause == "source"


def test_a_chunker_is_to_blame_for_words_that_an_edit_left_alone(workspace) -> None:
    """Two inputs differ at once: the passage lost its place by the cut, and the edit was elsewhere."""
    edited = document("weir.md", f"{WEIR['text']} and below that a mill")
    change = _change(workspace, _corpus(WEIR, FERRY, words=5), _corpus(edited, FERRY, words=2))
    assert change.cause == "chunker"
    gone = document("weir.md", "the weir was sold")
    assert _change(workspace, _corpus(WEIR, FERRY, words=5), _corpus(gone, FERRY, words=2)).cause == "source"


def test_nothing_changed_has_no_cause(workspace) -> None:
    change = _change(workspace, _corpus(WEIR, FERRY), _corpus(WEIR, FERRY))
    assert (change.cause, change.churn, change.gain, change.evidence) == (None, 0, 0.0, ())
