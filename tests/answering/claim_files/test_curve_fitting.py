"""A check fitted to claims that people judged."""

import json
from datetime import UTC, datetime

import pytest

from rag_platform.answering.checks.check import Judgement
from rag_platform.answering.checks.own_curve import OwnCurve, OwnCurves
from rag_platform.answering.citations.support_curve import MEASURED
from rag_platform.answering.citations.verification import verify
from rag_platform.answering.claim_files.claim_judging import judge_rows
from rag_platform.answering.claim_files.claim_rows import ClaimRow
from rag_platform.answering.claim_files.curve_fitting import LEAST, fit_own_curve
from rag_platform.answering.coverage import uniform_weight
from rag_platform.core.errors import ClaimFileError

NOW = datetime(2026, 11, 23, tzinfo=UTC)
SOURCE = "Herons nest in the reeds below the old mill."


class Timid:
    """A check that tells claims apart, but is sure of none: supported ones have a little more."""

    name = "timid 1"

    def __init__(self, towards=1):
        self.towards = towards

    def __call__(self, pairs):
        return [Judgement(0.2 + 0.1 * self._sign(claim) + 0.001 * len(claim), 0.0) for claim, _ in pairs]

    def _sign(self, claim):
        return self.towards if "grey" in claim else -self.towards


def rows(each=LEAST):
    lamps, labels = ("red", "grey"), ("unsupported", "supported")
    said = [(f"The {lamps[held]} lamp of the {'o' * n}ld gate is lit.", held) for n in range(each) for held in (0, 1)]
    return [ClaimRow(line, claim, SOURCE, label=labels[held]) for line, (claim, held) in enumerate(said, 1)]


def fitted(claims, embedder, check):
    return fit_own_curve(claims, lambda some, own: judge_rows(some, embedder, check, None, own), check.name, NOW)


def test_a_check_that_is_sure_of_nothing_is_read_as_the_claims_say(embedder, hits, tmp_path):
    curve = fitted(rows(), embedder, Timid())
    assert (curve.check, curve.claims, curve.at[:10]) == ("timid 1", 2 * LEAST, "2026-11-23")
    assert (curve.before, curve.after) == (0.5, 1.0) and curve.of(0.35) > 0.5 > curve.of(0.15)
    own = OwnCurves(tmp_path / "checks")
    own.put(curve)
    (claim,) = verify("The grey lamp is lit [1].", hits, embedder, uniform_weight, check=Timid(), own=own).claims
    assert (claim.state, claim.check) == ("supported", curve.name) and curve.name.startswith("timid 1, own ")
    (claim,) = verify("The grey lamp is lit [1].", hits, embedder, uniform_weight, check=Timid()).claims
    assert (claim.state, claim.check) == ("unverified", "timid 1")


def test_the_check_without_a_model_has_a_curve_too(embedder, hits):
    said = "Employees have 25 days of paid leave a year [1]."
    (before,) = verify(said, hits, embedder, uniform_weight).claims
    for shift, state in ((9, "supported"), (-9, "unverified")):
        own = {MEASURED.version: OwnCurve(MEASURED.version, shift, 1.0)}
        (claim,) = verify(said, hits, embedder, uniform_weight, own=own).claims
        assert claim.state == state and claim.check == own[MEASURED.version].name != before.check


@pytest.mark.parametrize(
    ("claims", "towards", "told"), [(rows(LEAST - 1), 1, "19 supported and 19"), (rows(), -1, "does not tell")]
)
def test_too_few_claims_and_a_check_that_tells_nothing_are_refused(embedder, claims, towards, told):
    with pytest.raises(ClaimFileError, match=told):
        fitted(claims, embedder, Timid(towards))


def test_a_curve_takes_the_place_of_its_check_and_a_damaged_file_counts_as_none(tmp_path):
    own = OwnCurves(tmp_path)
    assert own.get("a") is None
    for curve in (OwnCurve("a", 1.0, 1.0), OwnCurve("b", 2.0, 1.0), OwnCurve("a", 3.0, 1.0)):
        own.put(curve)
    assert (own.get("a").shift, own.get("b").shift, len(json.loads(own.path.read_text()))) == (3.0, 2.0, 2)
    assert own.get("a").name != OwnCurve("a", 1.0, 1.0).name
    own.path.write_text("{")
    assert own.get("a") is None
