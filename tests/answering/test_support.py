"""What is said of a claim without a model that reads both it and its source."""

import numpy as np
import pytest

from rag_platform.answering.citations.alignment import SentenceReader, held, repeated
from rag_platform.answering.citations.support import QuoteFinder
from rag_platform.answering.citations.support_curve import ACCEPTED, MEASURED, Signs
from rag_platform.answering.coverage import uniform_weight

GUILDS = "An ancient trade, butchers formed guilds in England as far back as 1272."
FERRY = "The ferry did not sail on 3 May because 40 millimetres of rain had fallen in Bergen."
BOILER = "किराया 1200 रुपये है और इसमें बिजली शामिल है।"


@pytest.fixture
def state(embedder, make_hit):
    def judged(claim, *quotes, language="en"):
        hits = [make_hit(place, quote, language=language) for place, quote in enumerate(quotes, 1)]
        return QuoteFinder(hits, [embedder] * len(hits), uniform_weight).judge(claim, (1,))

    return judged


@pytest.mark.parametrize(
    ("claim", "quote", "language", "expected"),
    [
        (GUILDS, GUILDS, "en", "quoted"),
        ("In England butchers had guilds as far back as 1272.", GUILDS, "en", "supported"),
        ("Butchers formed guilds in England as far back as 1372.", GUILDS, "en", "contradicted"),
        ("Butchers formed guilds in France as far back as 1272.", GUILDS, "en", "contradicted"),
        (
            "The ferry did sail on 3 May because 40 millimetres of rain had fallen in Bergen.",
            FERRY,
            "en",
            "contradicted",
        ),
        ("Guilds of bakers and of smiths were richer and older than all of these.", GUILDS, "en", "unverified"),
        ("In Oslo the price of a ferry rose.", FERRY, "en", "unverified"),
        ("किराया 1200 रुपये है, बिजली शामिल है।", BOILER, "hi", "supported"),
        ("किराया 1500 रुपये है और इसमें बिजली शामिल है।", BOILER, "hi", "contradicted"),
    ],
)
def test_a_claim_has_the_state_that_its_source_gives_it(state, claim, quote, language, expected):
    assert state(claim, quote, language=language).state == expected


@pytest.mark.parametrize(
    "claim",
    [
        "Butchers started guilds in England as far back as 1272.",
        "Butchers were organised in guilds in England as far back as 1272.",
        "I am not sure, but butchers formed guilds in England.",
    ],
)
def test_other_words_for_the_same_are_never_called_a_contradiction(state, claim):
    assert state(claim, GUILDS).state in ("supported", "unverified")


def test_another_hit_than_the_cited_one_may_support_it_and_the_first_that_denies_it_is_named(state):
    found = state("In England butchers had guilds as far back as 1272.", FERRY, GUILDS)
    assert (found.state, [quote.place for quote in found.quotes]) == ("supported", [2])
    denied = state("Butchers formed guilds in England as far back as 1372.", FERRY, GUILDS)
    assert (denied.state, [quote.place for quote in denied.quotes]) == ("contradicted", [2])


def test_the_probability_and_the_version_of_the_check_are_told(state):
    found, doubted = (
        state("In England butchers had guilds as far back as 1272.", GUILDS),
        state("A moon is round.", GUILDS),
    )
    assert found.check == doubted.check == MEASURED.version
    assert 0 < doubted.probability < ACCEPTED <= found.probability < 1


def test_what_differs_outweighs_every_word_that_is_held():
    assert MEASURED.probability(Signs(1.0, 0, 0.0)) > ACCEPTED > MEASURED.probability(Signs(1.0, 1, 0.0))


def test_a_word_is_held_by_itself_whole_and_by_another_in_part(embedder):
    reader = SentenceReader(embedder)
    claim, same, other = reader.read(["Butchers form guilds.", "Guilds of butchers.", "It rains."], "en")
    assert held(claim, same).tolist() == pytest.approx([1.0, 0.0, 1.0], abs=0.01)
    assert not held(claim, other).any()
    unread = [one._replace(vectors=None) for one in (claim, same)]
    np.testing.assert_allclose(held(*unread), [1, -0.4, 1], atol=1e-6)


def test_what_a_claim_says_twice_and_its_source_once_is_doubted(state, embedder):
    borough = "Manhattan is the most densely populated part of New York City."
    assert (
        state("Manhattan is the most densely populated part of New York City, people say.", borough).state
        != "unverified"
    )
    assert state("Manhattan is the most densely populated part of Manhattan.", borough).state == "unverified"
    reader = SentenceReader(embedder)
    claim, once, twice = reader.read(["Bears eat bears.", "Bears eat fish.", "Bears fear bears."], "en")
    assert repeated(claim, [once], 10) == pytest.approx(1 / 3)
    assert repeated(claim, [once, twice], 10) == repeated(claim, [once], 2) == 0
    claim, *source = reader.read(["人人为人人", "我为人"], "zh")
    assert repeated(claim, source, 10) == 0


def test_each_source_is_judged_by_the_model_that_reads_it(embedder, make_hit):
    asked = []

    class Other(type(embedder)):
        def embed_tokens(self, texts):
            asked.extend(texts)
            return super().embed_tokens(texts)

    hits = [make_hit(1, FERRY), make_hit(2, GUILDS)]
    found = QuoteFinder(hits, [embedder, Other()], uniform_weight).judge("In England butchers had guilds.", (2,))
    assert found.state == "supported" and GUILDS in asked and FERRY not in asked
