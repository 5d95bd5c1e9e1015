"""What a claim may change of the sentence it repeats, and what it may not: in several languages."""

import pytest

from rag_platform.answering.citations.fidelity import differences, has_all_numbers, lay_beside

WAR = "In July 1898 the Spanish fleet under Admiral Cervera was destroyed near Santiago by the American navy."
FERRY = "The ferry did not sail on 3 May because 40 millimetres of rain had fallen in Bergen."
TEA = "Die Teemaschine im zweiten Stock wurde 2019 von Karin Weber gekauft und nicht mehr gewartet."
PIERRE = "La bibliothèque de Lyon a prêté 300 livres au musée de Genève en mars."
RIVER = "कावेरी नदी 800 किलोमीटर लंबी है और बंगाल की खाड़ी में गिरती है।"
BAY = "It empties into the Atlantic Ocean in Penobscot Bay."
CITY = "北京是中国的首都，上海是中国最大的城市，人口超过2400万。"


def is_faithful(claim, hit, span):
    return not differences(claim, hit, span) and not lay_beside(claim, hit, span).departs


@pytest.mark.parametrize(
    ("quote", "language", "claim"),
    [
        (WAR, "en", "In July 1898 the Spanish fleet was destroyed near Santiago."),
        (WAR, "en", "In July 1898 the Spanish fleet under Admiral Cervera was destroyed by the American navy."),
        (FERRY, "en", "The ferry didn't sail on 3 May because 40 millimetres of rain had fallen in Bergen."),
        (FERRY, "en", "The ferry did not sail on 3 May."),
        (TEA, "de", "Die Teemaschine wurde 2019 von Karin Weber gekauft."),
        (PIERRE, "fr", "La bibliothèque de Lyon a prêté 300 livres au musée de Genève."),
        (RIVER, "hi", "कावेरी नदी 800 किलोमीटर लंबी है।"),
        (CITY, "zh", "上海是中国最大的城市，人口超过2400万。"),
    ],
)
def test_what_leaves_words_out_or_says_them_another_way_is_faithful(make_hit, quote, language, claim):
    assert is_faithful(claim, make_hit(1, quote, language=language), (0, len(quote)))


@pytest.mark.parametrize(
    ("quote", "language", "claim"),
    [
        (WAR, "en", WAR.replace("1898", "1889")),
        (WAR, "en", WAR.replace("July", "June")),
        (WAR, "en", WAR.replace("Cervera", "Nelson")),
        (WAR, "en", WAR.replace("Spanish", "X").replace("American", "Spanish").replace("X", "American")),
        (WAR, "en", WAR.replace("destroyed", "not destroyed")),
        (WAR, "en", "In July 1898 the Spanish fleet was destroyed and the price of bread in Madrid doubled at once."),
        (BAY, "en", "It empties into the Penobscot Bay in Atlantic Ocean."),
        (CITY, "zh", "上海是中国的首都，北京是中国最大的城市，人口超过2400万。"),
        (FERRY, "en", FERRY.replace("did not sail", "sailed")),
        (FERRY, "en", FERRY.replace("millimetres", "centimetres")),
        (TEA, "de", TEA.replace("Karin Weber", "Otto Maier")),
        (TEA, "de", TEA.replace("nicht mehr", "immer")),
        (PIERRE, "fr", PIERRE.replace("Lyon", "X").replace("Genève", "Lyon").replace("X", "Genève")),
        (PIERRE, "fr", PIERRE.replace("mars", "mai")),
        (RIVER, "hi", RIVER.replace("800", "600")),
        (RIVER, "hi", RIVER.replace("लंबी है", "लंबी नहीं है")),
        (CITY, "zh", CITY.replace("2400", "1400")),
    ],
)
def test_what_says_it_of_others_or_the_opposite_is_not(make_hit, quote, language, claim):
    assert claim != quote
    assert not is_faithful(claim, make_hit(1, quote, language=language), (0, len(quote)))


def test_a_title_a_section_and_a_date_may_be_said_though_the_quote_does_not(make_hit):
    hit = make_hit(1, "It was founded by monks and burnt down twice.", "Abbey of Melrose", section="History > 1136")
    assert is_faithful("Melrose Abbey was founded by monks and burnt down twice.", hit, (0, len(hit.text)))
    assert is_faithful("In 1136 it was founded by monks.", hit, (0, len(hit.text)))
    assert not is_faithful("Dryburgh Abbey was founded by monks and burnt down twice.", hit, (0, len(hit.text)))
    assert has_all_numbers("Founded in 1136.", hit) and not has_all_numbers("Founded in 1137.", hit)


def test_a_sentence_beside_the_one_that_is_repeated_does_not_excuse_it(make_hit):
    hit = make_hit(1, "Otters eat fish and crabs. The badger sleeps through most of a cold winter in its den.")
    assert not is_faithful("Badgers eat fish and crabs.", hit, (0, len(hit.text)))
