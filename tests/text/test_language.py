"""Which language a text is in."""

import pytest

from rag_platform.text.language import detect_language

SENTENCES = {
    "en": "The farmers brought in the harvest before the heavy rain began to fall.",
    "de": "Die Bauern brachten die Ernte ein, bevor der starke Regen begann.",
    "fr": "Les agriculteurs ont rentré la récolte avant que la forte pluie ne commence.",
    "es": "Los agricultores recogieron la cosecha antes de que empezara la lluvia.",
    "fi": "Viljelijät korjasivat sadon ennen kuin rankkasade alkoi pellolla.",
    "hi": "किसानों ने भारी बारिश शुरू होने से पहले फसल काट ली थी और घर ले गए।",
    "ne": "किसानहरूले भारी वर्षा सुरु हुनुअघि नै बाली भित्र्याएका थिए र घर लगे।",
    "bn": "কৃষকরা ভারী বৃষ্টি শুরু হওয়ার আগেই ফসল ঘরে তুলেছিলেন।",
    "ta": "கனமழை தொடங்கும் முன் விவசாயிகள் அறுவடையை முடித்தனர்.",
    "ja": "農家の人々は大雨が降り始める前に収穫を終えました。",
    "zh": "农民们在大雨开始之前就把庄稼收割完毕并运回家中储存起来了。",
    "ko": "농부들은 폭우가 시작되기 전에 수확을 마쳤습니다.",
    "ru": "Крестьяне собрали урожай до того, как начался сильный дождь.",
    "ar": "جمع المزارعون المحصول قبل أن يبدأ المطر الغزير في الهطول.",
    "th": "ชาวนาเก็บเกี่ยวผลผลิตก่อนที่ฝนจะตกหนัก",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_sentences(code):
    assert detect_language(SENTENCES[code]) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "OK 42",
        "12345 67890 +++ !!! 2024-01-01",
        "https://example.org/a/long/path/to/some/page",
        "6mQm1c4TZ8bVq 0xa9f3Bc77dEf9aa1bcdef QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG",
    ],
)
def test_too_little_to_tell(text):
    assert detect_language(text) == "und"
    assert detect_language(text, fallback="ne") == "ne"
    assert detect_language(text, "fr", "ne") == "fr"


def test_what_is_declared_counts_for_short_texts_only():
    assert detect_language(SENTENCES["en"], "nl") == "nl"
    assert detect_language(SENTENCES["en"] * 10, "nl") == "en"
    assert detect_language("OK", "pt-BR") == "pt"
    assert detect_language("OK", "English") == "und"


def test_code_does_not_count():
    assert detect_language("```\nfor item in range(10): print(item)\n```\n" + SENTENCES["de"]) == "de"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("zh", "本店自2015年3月1日起营业，营业时间为上午9点至晚上10点，节假日照常营业，欢迎光临。"),
        ("ja", "図書館は午前9時から午後8時まで開いています。毎月第3月曜日は休館です。"),
        ("th", "ร้านเปิดตั้งแต่วันที่1มีนาคม2558เวลาทำการ9นาฬิกาถึง22นาฬิกาทุกวัน"),
        ("ja", "お問い合わせはinfo@example.orgまでお願いします。詳細はhttps://example.orgをご覧ください。"),
    ],
)
def test_words_without_blanks_between_them_are_no_codes_or_addresses(code, text):
    assert detect_language(text) == code
    assert detect_language(text, fallback="en") == code


def test_codes_and_addresses_between_such_words_do_not_count():
    text = "密码是6mQm1c4TZ8bVqXkWpLrNs，请寄至someone.with.a.long.name@example.org"
    assert detect_language(text) == "und"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("ja", "会議のお知らせ"),
        ("ja", "午前9時から"),
        ("ja", "コーヒー"),
        ("ja", "ｺｰﾋｰ"),
        ("ja", "佐々木さん❤\ufe0f"),
        ("ko", "회의 안내"),
        ("th", "ประกาศ"),
        ("he", "ברוך הבא"),
        ("el", "Ανακοίνωση"),
        ("ka", "გამარჯობა"),
        ("hy", "Բարև"),
        ("und", "会议通知"),
        ("und", "佐々木"),
        ("und", "إعلان"),
        ("und", "Объявление"),
        ("und", "सूचना"),
        ("und", "Notice"),
        ("und", "Tシャツ"),
        ("und", "会议 회의"),
    ],
)
def test_a_script_of_one_language_tells_it_in_few_letters(code, text):
    assert detect_language(text) == code


def test_what_is_declared_counts_more_than_the_script_of_few_letters():
    assert detect_language("コーヒー", "en") == "en"
    assert detect_language("コーヒー", fallback="en") == "ja"
