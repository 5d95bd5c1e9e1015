"""Notebooks, tables, data, subtitles and markup languages as Markdown."""

import json
import plistlib

import pytest

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Loss
from rag_platform.documents.reading.extraction import extract


def read(content, uri):
    return extract(content.encode() if isinstance(content, str) else content, uri=uri)


def test_a_notebook_keeps_text_code_and_what_it_printed_without_pictures():
    outputs = [
        {"output_type": "display_data", "data": {"image/png": "A" * 1_000_000, "text/plain": "<Figure size 640x480>"}},
        {"output_type": "stream", "text": ["line\n"] * 100_000},
        {"output_type": "error", "ename": "ValueError", "evalue": "bad"},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Ducks\n", "Text."]},
        {"cell_type": "code", "source": "1 + 1", "outputs": outputs},
    ]
    book = {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}
    found = read(json.dumps(book), "a.ipynb")
    assert found.text.startswith("# Ducks\nText.\n\n```python\n1 + 1\n```\n\n```\nline\n")
    assert found.text.endswith("```\nValueError: bad\n```") and len(found.text) < 5_000
    assert (found.title, found.flags) == ("Ducks", ("outputs cut to 4000 characters",))
    with pytest.raises(ExtractionError, match="no notebook"):
        read("[]", "a.ipynb")


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n", "a|b\n1|2\n", 'a,b\n"1",2'])
def test_a_table_of_any_delimiter(text):
    assert read(text, "a.csv").text == "| a | b |\n| - | - |\n| 1 | 2 |"


def test_a_long_table_repeats_its_header_and_is_cut_with_a_flag():
    found = read("name,count\n" + "duck,1\n" * 100_000, "a.csv")
    assert found.text.count("| name | count |") == 500
    assert found.flags == ("100001 lines, the first 20000 read",)
    assert "quotation marks taken as text" in read('"' + "a,b\n" * 600_001, "a.csv").flags[0]


def test_records_are_a_table_or_a_section_each():
    assert read('[{"a": 1, "b": true}, {"a": 2}]', "a.json").text == "| a | b |\n| - | - |\n| 1 | yes |\n| 2 |  |"
    long = {"title": "Rain", "body": "wet " * 100}
    assert read(json.dumps(long) + "\nnot json\n", "a.jsonl").flags == ("1 lines not understood as JSON",)
    assert read(json.dumps([long]), "a.json").text.startswith("## Rain\n\ntitle: Rain\n\nbody:\n\nwet wet")
    assert (
        read('{"name": "x", "deep": {"list": [1, 2]}}', "a.json").text == "- name: x\n\n## deep\n\n### list\n\n- 1\n- 2"
    )


def test_deep_or_broken_json_is_kept_as_it_is():
    found = read("[" * 200_000, "a.json")
    assert found.text.startswith("```\n[[[") and "not understood as JSON" in found.flags[0]


def test_yaml_keeps_its_comments():
    assert read("# why\na: 1\n", "a.yaml").text == "```yaml\n# why\na: 1\n```"


def test_subtitles_of_a_minute_have_no_times_and_tell_who_speaks():
    text = "WEBVTT\n\nNOTE by us\n\n1\n00:01.000 --> 00:02.000\n<v Ann>Hello <i>you</i></v>\n\n"
    text += "00:02.000 --> 00:03.000\n<v Ann>there &amp; here\n"
    assert read(text, "a.vtt").text == "Ann: Hello you there & here"
    assert (
        read("1\n00:00:01,000 --> 00:00:02,000\nSo.\n\n2\n00:00:02,000 --> 00:00:03,000\nSo.\n", "a.srt").text == "So."
    )


def test_restructuredtext():
    text = "=====\nTitle\n=====\n\nIntro ``x`` and :ref:`this <that>`.\n\nPart\n----\n\n"
    text += ".. code-block:: python\n   :linenos:\n\n"
    text += "   # no heading\n   a = 1\n\n* one\n\n=== ===\nA   B\n=== ===\n1   2\n=== ===\n"
    assert read(text, "a.rst").text == (
        "# Title\n\nIntro `x` and `this`.\n\n## Part\n\n"
        "```python\n# no heading\na = 1\n```\n\n- one\n\n| A | B |\n| - | - |\n| 1 | 2 |"
    )


def test_asciidoc():
    text = "= Title\n:author: Ada\n\n== Part\n\n* one\n** two\n\n"
    text += "[source,ruby]\n----\nputs 1\n----\n\n|===\n|A |B\n|1 |2\n|===\n"
    found = read(text, "a.adoc")
    assert (
        found.text
        == "# Title\n\n## Part\n\n- one\n    - two\n\n```ruby\nputs 1\n```\n\n| A | B |\n| - | - |\n| 1 | 2 |"
    )
    assert found.author == "Ada"


def test_latex():
    text = (
        "\\documentclass{article}\\title{Ducks}\\author{Ada}\\begin{document}\\maketitle\\section{Caf\\'e} % no\n"
        "They \\emph{swim} $a^2$ \\cite{x}.\\begin{itemize}\\item one\\end{itemize}"
        "\\begin{tabular}{ll}A & B\\\\ \\hline 1 & 2\\end{tabular}\\end{document}"
    )
    found = read(text, "a.tex")
    assert found.text == "# Ducks\n\n## Café\n\nThey swim $a^2$ [x].\n\n- one\n\n| A | B |\n| - | - |\n| 1 | 2 |"
    assert (found.title, found.author) == ("Ducks", "Ada")


def test_a_title_in_latex_that_nothing_closes_loses_no_letter():
    found = read("\\begin{document}\\section{Ducks swim\n\nThey eat.\\section{Food} Weed.\\end{document}", "a.tex")
    assert found.text.casefold().endswith("ducks swim\n\nthey eat.\n\n## food\n\nweed.")


def test_xml_that_has_attributes_alone_is_no_empty_document():
    rows = '<rows xmlns:x="urn:x"><row name="Heron" x:legs="2"/><row/><row name="Stork"/></rows>'
    assert read(f'<?xml version="1.0"?>{rows}', "a.xml").text == "name: Heron, legs: 2\nname: Stork"
    assert read(f'<?xml version="1.0"?>{rows.replace("<row/>", "<row>Crane</row>")}', "a.xml").text == "Crane"


def test_words_of_xml_as_deep_as_may_be_are_kept():
    deep = f"{'<d>' * 230}<p>deep <!-- no -->words</p>{'</d>' * 230}"
    assert read(f'<?xml version="1.0"?>{deep}', "a.xml").text == "deep words"


def test_an_article_in_xml():
    text = (
        "<article><front><article-meta><title-group><article-title>Ducks</article-title></title-group><contrib-group><contrib>"
        "<name><surname>Byron</surname><given-names>Ada</given-names></name></contrib></contrib-group></article-meta></front>"
        "<body><sec><title>Food</title><p>They <italic>eat</italic>.</p>"
        "<table><tr><th>A</th></tr><tr><td>1</td></tr></table></sec></body></article>"
    )
    found = read(text, "a.xml")
    assert found.text == "# Ducks\n\n## Food\n\nThey eat.\n\n| A |\n| - |\n| 1 |"
    assert found.author == "Ada Byron"


def test_affiliations_are_kept_and_a_caption_amid_a_paragraph_keeps_its_words_apart():
    article = (
        "<article><front><article-meta><contrib-group><contrib><name><surname>Byron</surname></name></contrib>"
        "<aff><label>1</label>Lab of Ducks, Bern</aff></contrib-group></article-meta></front><body>"
        "<p>See.<fig><label>Figure 1</label><caption><p>A duck.</p></caption><graphic/></fig></p></body></article>"
    )
    read = extract(article.encode(), uri="a.xml")
    assert (read.text, read.author) == ("1 Lab of Ducks, Bern\n\nSee. Figure 1 A duck.", "Byron")


def test_abstracts_keywords_notes_and_captions_of_xml_are_kept_and_pictures_counted():
    book = (
        '<article xmlns="http://docbook.org/ns/docbook"><info><title>Weir</title><copyright><year>2024</year></copyright>'
        "<abstract><para>In short.</para></abstract><keywordset><keyword>oak</keyword><keyword>river</keyword>"
        "</keywordset></info><figure><title>The gate</title><mediaobject>"
        "<imageobject><imagedata fileref='a.png'/></imageobject><textobject><phrase>A gate of oak</phrase></textobject>"
        "<caption><para>From the south.</para></caption>"
        "</mediaobject></figure></article>"
    )
    found = read(book, "a.xml")
    assert found.text == (
        "# Weir\n\n## Abstract\n\nIn short.\n\nKeywords: oak, river\n\n## The gate\n\nA gate of oak\n\nFrom the south."
    )
    assert found.losses == (Loss("figures", 1),)
    journal = (
        "<article><front><article-meta><title-group><article-title>Weirs</article-title></title-group>"
        "<author-notes><fn><p>Both wrote it.</p></fn></author-notes><kwd-group><title>Words</title><kwd>oak</kwd>"
        "</kwd-group></article-meta></front><body><p>Text.</p></body></article>"
    )
    assert read(journal, "a.xml").text == "# Weirs\n\nBoth wrote it.\n\nKeywords: oak\n\nText."


def test_rich_text():
    text = r"{\rtf1\ansi\ansicpg1252{\info{\title Plan}{\author Ada}}Caf\'e9.\par\trowd A\cell B\cell\row}"
    found = read(text, "a.rtf")
    assert "Café." in found.text and "| A | B |" in found.text
    assert (found.title, found.author) == ("Plan", "Ada")


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('a,b\n1,"two\nlines"\n', ["| 1 | two lines |"]),
        ("sep=;\na;b\n1;2\n", ["| a | b |", "| 1 | 2 |"]),
        ("1,5;2,5\n3,5;4,5\n", ["| 1,5 | 2,5 |"]),
        ('"a"b,c\n1,2\n', ["| ab | c |"]),
    ],
    ids=["line-in-a-cell", "excels-hint", "decimal-commas", "words-beside-quotes"],
)
def test_odd_tables(text, rows):
    found = read(text, "a.csv")
    assert all(row in found.text for row in rows) and found.flags == ()


def test_a_quotation_mark_that_is_never_closed_swallows_nothing():
    found = read('a,b\n1,"foo\n2,bar\n', "a.csv")
    assert "| 2 | bar |" in found.text and "never closed" in found.flags[0]


def test_a_record_may_hold_any_separator_of_unicode():
    record = json.dumps({"a": "x\u2028y\x85z"}, ensure_ascii=False)
    assert read(record + "\n" + record, "a.jsonl").flags == ()


def test_lists_within_an_object_are_cut_with_a_flag_and_many_keys_are_no_table():
    assert read(json.dumps({"all": list(range(20_001))}), "a.json").flags == ("20001 records, the first 20000 read",)
    assert read("1\n" * 20_001, "a.jsonl").flags == ("20001 records, the first 20000 read",)
    assert "## Record 21\n\nk20: 20" in read(json.dumps([{f"k{n}": n} for n in range(30)]), "a.json").text


def test_tables_of_asciidoc():
    text = '[cols="1,2"]\n|===\n|Name\n|What\n\n|Duck\n|A bird that\nswims\n|===\n\n'
    text += "|===\n|A |B\n2+|both\na|x |y\n|===\n\n,===\na,b\n1,2\n,===\n"
    assert read(text, "a.adoc").text == (
        "| Name | What |\n| - | - |\n| Duck | A bird that swims |\n\n"
        "| A | B |\n| - | - |\n| both | both |\n| x | y |\n\n| a | b |\n| - | - |\n| 1 | 2 |"
    )


def test_tables_of_restructuredtext():
    grid = "+---+------+\n| a | b    |\n+===+======+\n| c | d    |\n|   | more |\n+---+------+\n\n"
    listed = ".. list-table::\n   :header-rows: 1\n\n   * - H1\n     - H2\n   * - c1\n     - c2\n       more\n\n"
    given = '.. csv-table:: Ducks\n   :header: "x", "y"\n\n   1, 2\n'
    assert read(grid + listed + given, "a.rst").text == (
        "| a | b |\n| - | - |\n| c | d more |\n\n| H1 | H2 |\n| - | - |\n| c1 | c2 more |\n\n"
        "Ducks\n\n| x | y |\n| - | - |\n| 1 | 2 |"
    )


def test_a_record_too_long_for_its_table_of_restructuredtext_keeps_its_words():
    long = '"' + "duck " * 40_000
    assert "duck duck" in read(f".. csv-table::\n\n   {long}\n\nAfter.\n", "a.rst").text


def test_a_table_with_one_long_row_is_not_filled_up():
    listed = ".. list-table::\n\n   * - a\n" + "     - b\n" * 999 + "   * - c\n" * 999
    found = read(listed, "a.rst").text
    assert found.count("|") < 8000 and found.endswith("| c |")


def test_a_fault_of_a_reader_costs_its_document(monkeypatch):
    monkeypatch.setattr(
        "rag_platform.documents.formats.markup.subtitles.read_subtitles", lambda *_, **__: {}["missing"]
    )
    with pytest.raises(ExtractionError, match="the reader of subtitles failed on it: KeyError: 'missing'"):
        read("WEBVTT\n", "a.vtt")


def test_what_stands_above_a_table_of_a_report_is_no_row_of_it():
    read = extract(b"Report: Levels\nCreated,,\n\nStation,Level,Flow\nMill,1,2\nLock,3,4\n", uri="a.csv")
    head = "| Station | Level | Flow |\n| - | - | - |\n| Mill | 1 | 2 |\n| Lock | 3 | 4 |"
    assert read.text == f"Report: Levels\nCreated\n\n{head}"
    assert extract(b"Name\nAda\nBen\n", uri="a.csv").text == "| Name |\n| - |\n| Ada |\n| Ben |"


def test_quotation_marks_behind_a_backslash_end_no_field():
    rows = b'name,note\nAda,"He said \\"shut\\", then left"\nBen,"C:\\temp\\"\n'
    assert '| Ada | He said "shut", then left |' in extract(rows, uri="a.csv").text
    assert extract(b'a,b\n"C:\\temp\\",1\n', uri="a.csv").text.endswith("| C:\\temp\\ | 1 |")


def test_records_in_lines_that_call_themselves_json():
    assert extract(b'{"a": 1}\n{"a": 2}\n', uri="a.json").text == "| a |\n| - |\n| 1 |\n| 2 |"
    assert extract(b'{"a": 1,}\n{\n', uri="a.json").flags[0].startswith("not understood as JSON")


def test_letters_that_were_written_byte_by_byte_are_read_as_what_they_are():
    written = rb'{"name": "J\u00c3\u00bcrgen \u00f0\u009f\u0098\u0080", "city": "\u00c9vora, S\u00e3o"}'
    assert extract(written, uri="a.json").text == "- name: Jürgen 😀\n- city: Évora, São"


def test_an_outline_has_its_entries_and_a_feed_its_words():
    outline = (
        '<outline text="Weir"><outline text="Gate" _note="Grease it"/><outline text="Plan" htmlUrl="https://x.org"/>'
    )
    read = extract(
        f"<opml><head><title>River</title></head><body>{outline}</outline></body></opml>".encode(), uri="a.opml"
    )
    assert read.text == "# River\n\n- Weir\n    - Gate: Grease it\n    - [Plan](https://x.org)"
    said = "&lt;p&gt;It is &lt;b&gt;shut&lt;/b&gt;.&lt;/p&gt;"
    feed = f"<rss><channel><item><description>{said}</description></item></channel></rss>"
    assert extract(feed.encode(), uri="a.rss").text == "It is **shut**."


def test_an_empty_line_above_xml_does_no_harm():
    assert extract(b'\n <?xml version="1.0"?><a><p>Words.</p></a>', uri="a.xml").text == "Words."


def test_a_drawing_has_the_words_on_it():
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg"><title>Weir</title><path d="M0 0L9 9"/><text>Gate A</text></svg>'
    )
    assert extract(drawing, uri="a.svg").text == "# Weir\n\nGate A"


PAPER = r"""\documentclass{article}
\title{The Weir\thanks{Funded}}\date{2 March 2026}
\newcommand{\weir}{the Mill weir}\def\gate{main gate}
\begin{document}
The \gate{} of \weir{} is \href{https://x.org}{planned}.
\begin{table}\caption{Levels}\begin{tabular}{l}Mill \\\end{tabular}\end{table}
\begin{minipage}{0.5\textwidth}Beside\end{minipage}
\begin{thebibliography}{9}\bibitem{ada} Ada. Notes.\end{thebibliography}
\end{document}"""


def test_a_paper_has_what_its_macros_stand_for_and_no_names_of_environments():
    read = extract(PAPER.encode(), uri="a.tex")
    assert (read.title, read.published_at.isoformat()) == ("The Weir", "2026-03-02T00:00:00+00:00")
    assert read.text == (
        "# The Weir\n\nThe main gate of the Mill weir is [planned](https://x.org).\n\n"
        "Levels\n\n| Mill |\n| - |\n\nBeside\n\n[ada] Ada. Notes."
    )


def test_slides_in_latex_have_their_titles():
    slides = r"\documentclass{beamer}\begin{document}\begin{frame}{Gate}\begin{block}{Fact}Shut.\end{block}\end{frame}"
    slides += r"\begin{frame}\frametitle{Lock} Open.\end{frame}\end{document}"
    assert extract(slides.encode(), uri="a.tex").text == "## Gate\n\n**Fact**\n\nShut.\n\n## Lock\n\nOpen."


def test_who_wrote_an_asciidoc_when_and_whom_it_quotes():
    head = "= Weir\nAda <a@x.org>; Ben\nv1.0, 2026-03-02\n:keywords: river, works\n\n"
    read = extract(f"{head}[quote, Cy, Notes]\n____\nShut.\n____\n".encode(), uri="a.adoc")
    assert (read.author, read.published_at.day, read.tags) == ("Ada <a@x.org>; Ben", 2, ("river", "works"))
    assert "Cy, Notes:\n\nShut." in read.text
    assert extract(b"= Weir\n\nWords.", uri="a.adoc").author == ""


def test_names_between_bars_are_what_they_stand_for():
    text = ".. |gate| replace:: the *main* gate\n\nOf |gate| and |other|, a |b| c.\n"
    assert extract(text.encode(), uri="a.rst").text == "Of the *main* gate and |other|, a |b| c."


@pytest.mark.parametrize(
    "above", ["% The Weir\n% Ada\n% March 2, 2026\n", "Title: The Weir\nAuthor: Ada\nDate: 2026-03-02\n"]
)
def test_what_pandoc_and_multimarkdown_write_above_a_text(above):
    read = extract(f"{above}\n# Gate\n\nShut.\n".encode(), uri="a.md")
    assert (read.title, read.author, read.published_at.day) == ("The Weir", "Ada", 2)
    assert read.text == "# Gate\n\nShut."


def test_an_output_of_a_notebook_that_is_text_is_no_print_out():
    output = {"output_type": "display_data", "data": {"text/plain": "<x>", "text/markdown": "It is **shut**."}}
    book = {"cells": [{"cell_type": "code", "source": "x", "outputs": [output]}], "nbformat": 4, "metadata": {}}
    assert extract(json.dumps(book).encode(), uri="a.ipynb").text == "```python\nx\n```\n\nIt is **shut**."


@pytest.mark.parametrize("form", [plistlib.FMT_BINARY, plistlib.FMT_XML])
def test_a_page_that_safari_saved(form):
    page = "<html><head><title>Weir</title></head><body><p>It is shut since noon, says Müller.</p></body></html>"
    main = {"WebResourceData": page.encode("latin1"), "WebResourceTextEncodingName": "latin1", "WebResourceURL": "x"}
    saved = plistlib.dumps({"WebMainResource": main, "WebSubframeArchives": [{}]}, fmt=form)
    read = extract(saved, uri="a.webarchive")
    assert (read.title, read.text) == ("Weir", "It is shut since noon, says Müller.")
    assert [(one.what, one.count) for one in read.losses] == [("embedded objects", 1)]
    with pytest.raises(ExtractionError, match="no page that Safari saved"):
        extract(b"bplist00", uri="a.webarchive")
