"""Captions and descriptions of figures in the text of a page."""

from rag_platform.text.notation.captions import figures_in, figures_named

TEXT = """![A heron (Ardea)]
Figure 2: Seen in winter,
when the water is low

As Figure 3 shows, it is rare.

Table 3: Herons

Abbildung A1.2. Wheat
Рис. 4: Рис
![grains]

![Alone]

![A link](http://elsewhere.example/p.png)
"""


def test_a_figure_has_its_caption_its_description_and_its_place():
    found = list(figures_in(TEXT))
    assert [(one.number, one.caption, one.description) for one in found] == [
        ("2", "Figure 2: Seen in winter, when the water is low", "A heron (Ardea)"),
        ("A1.2", "Abbildung A1.2. Wheat", ""),
        ("4", "Рис. 4: Рис", "grains"),
        ("", "", "Alone"),
    ]
    assert TEXT[slice(*found[0].span)].endswith("is low")
    assert [one.number for one in figures_in(TEXT, TEXT.index("As"), TEXT.index("Рис"))] == ["A1.2"]


def test_what_follows_a_caption_is_not_all_of_it():
    (found,) = figures_in("Figure 1: " + "word " * 1000)
    assert len(found.caption) < 310 and found.span[1] < 310


def test_figures_are_named_by_their_numbers_and_tables_are_none():
    assert figures_named("see Fig. 3 and Abb. 7.2, Figure 3, not configure 4, table 5") == ["3", "7.2"]
