"""Subtitles of four kinds."""

from rag_platform.documents.reading.extraction import extract


def read(text: str, uri: str) -> str:
    return extract(text.encode(), uri=uri).text


def test_longer_subtitles_have_the_time_of_each_minute():
    cues = "".join(f"{n}\n00:{n // 4:02}:{n % 4 * 15:02},000 --> 00:59:00,000\nLine {n}.\n\n" for n in range(9))
    assert read(cues, "a.srt") == (
        "## 0:00:00\n\nLine 0. Line 1. Line 2. Line 3.\n\n## 0:01:00\n\nLine 4. Line 5. Line 6. Line 7.\n\n"
        "## 0:02:00\n\nLine 8."
    )


def test_scrolling_lines_are_written_once():
    shown = ("Water", "Water\nthe fern", "the fern")
    cues = "\n\n".join(f"00:0{n}.000 --> 00:0{n + 1}.000\n{lines}" for n, lines in enumerate(shown))
    assert read(f"WEBVTT\n\n{cues}\n", "a.vtt") == "Water the fern"


ASS = """[Script Info]
Title: Film

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:01:10.50,0:01:12.00,Default,Ben,0,0,0,,Yes, and {\\i1}now{\\i0}\\Nhere.
Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Nobody says this
Dialogue: 0,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,Hello
Dialogue: 1,0:00:01.00,0:00:02.00,Default,Ada,0,0,0,,Hello
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}
"""


def test_dialogue_of_ass_comes_in_the_order_of_its_times():
    expected = "## 0:00:01\n\nAda: Hello\n\n## 0:01:10\n\nBen: Yes, and now here."
    assert read(ASS.replace("\n", "\r\n"), "a.ass") == expected == read(ASS, "film")


def test_ttml_tells_who_speaks_and_knows_several_ways_to_write_times():
    text = """<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
 xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:tickRate="10">
<head><metadata><ttm:agent xml:id="a"><ttm:name>Ada</ttm:name></ttm:agent></metadata></head>
<body><div><p begin="00:00:01.000" ttm:agent="a">Hello<br/>you</p>
<p begin="65s">there</p><p begin="1300t">Bye</p></div></body>
</tt>"""
    assert read(text, "a.ttml") == "## 0:00:01\n\nAda: Hello you\n\n## 0:01:05\n\nthere\n\n## 0:02:10\n\nBye"


def test_two_voices_of_one_cue_are_two_turns():
    cues = (
        b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Who waters\nthe fern?</v>\n<v Ben>Me.</v> <v.loud Ann>When?</v>\n"
    )
    assert extract(cues, uri="a.vtt").text == "Ann: Who waters the fern?\n\nBen: Me.\n\nAnn: When?"
