"""Which recorded answers go with a document that is forgotten."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_platform.core.answers import Answer, Citation, Disagreement, JudgedClaim
from rag_platform.core.hits import Hit
from rag_platform.erasure.recorded_answers import erase_answers
from rag_platform.erasure.targets import Remains
from rag_platform.erasure.text_fingerprints import Fingerprints
from rag_platform.journal.journal import Journal

TAKEN_AWAY = JudgedClaim("It closes at nine.", None, "contradicted", None, "words", ())


def _quote(hit: Hit) -> Citation:
    return Citation(0, hit.doc_id, hit.chunk_id, hit.uri, hit.title, hit.text, hit.span, hit.raw_sha256, None)


@pytest.mark.parametrize(
    ("abstained", "claims", "disagrees", "goes"),
    [(True, (TAKEN_AWAY,), False, True), (True, (), False, False), (False, (), True, True)],
    ids=["a model wrote what was taken away", "a model wrote nothing", "quoted as what disagrees"],
)
def test_what_was_taken_away_and_what_disagrees_goes_too(
    tmp_path: Path, hits: list[Hit], *, abstained: bool, claims: tuple[JudgedClaim, ...], disagrees: bool, goes: bool
) -> None:
    journal = Journal(tmp_path / "app.sqlite")
    against = (Disagreement(_quote(hits[1]), _quote(hits[0])),) if disagrees else ()
    model = "extractive" if disagrees else "tiny"
    answer = Answer("When?", "…", abstained, (), "v1", model, "", tuple(hits), claims=claims, disagreements=against)
    receipt_id = journal.record(replace(answer, searched=3), mode="hybrid")
    erase_answers(journal, Remains(frozenset([hits[0].doc_id]), (), (), None), Fingerprints((), iter(())))
    assert (journal.receipt(receipt_id) is None) is goes
