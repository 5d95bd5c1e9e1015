"""Source code: a section for each definition, and chunks named by them."""

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from rag_platform.chunks import Chunker, layout
from rag_platform.documents.formats.code.definitions import find_definitions
from rag_platform.documents.reading.extraction import extract

PYTHON = '''"""A module."""
import os

LIMIT = 3


# Adds.
@cache
def add(a, b):
    return a + b


class Pond:
    """Holds ducks."""

    depth = 2

    def __init__(self):
        self.ducks = []

    def feed(self):
        return "bread"


if LIMIT:
    print(add(1, 2))
'''


def names(text, language):
    def walk(found, above=""):
        for one in found:
            yield above + one.name
            yield from walk(one.inner, f"{above}{one.name}.")

    return list(walk(find_definitions(text, language)))


def test_each_definition_is_a_section_named_by_path_class_and_function():
    read = extract(PYTHON.encode(), uri="file:///home/x/farm/pond.py")
    assert (read.type, read.title) == ("code", "farm/pond.py")
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    pieces = Chunker(tokenizer, 200, 20, limit=256).split(read.text, title=read.title, **layout(read.type))
    assert all(read.text[piece.start : piece.end] == piece.text for piece in pieces)
    found = {piece.section: piece.text for piece in pieces}
    assert "# Adds.\n@cache\ndef add(a, b):" in found["farm/pond.py > add"]
    assert "self.ducks = []" in found["farm/pond.py > Pond > __init__"]
    assert 'return "bread"' in found["farm/pond.py > Pond > feed"]
    assert "print(add(1, 2))" in found["farm/pond.py"]
    assert pieces[2].header == "farm/pond.py > Pond"


def test_no_line_is_lost_and_none_stands_twice():
    shown = extract(PYTHON.encode(), uri="pond.py").text.split("\n")
    for line in filter(str.strip, PYTHON.split("\n")):
        assert shown.count(line) == PYTHON.split("\n").count(line), line


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "javascript",
            "export function a() {}\nclass B {\n  c() {}\n}\nconst d = () => 1;\nlet e = 5;",
            ["a", "B", "B.c", "d"],
        ),
        ("typescript", "interface A { b: string }\nexport class C {\n  d(): void {}\n}", ["A", "C", "C.d"]),
        ("java", "class A {\n  A() {}\n  int b() { return 1; }\n}", ["A", "A.A", "A.b"]),
        ("go", "package p\nfunc A() {}\nfunc (s *S) B() {}", ["A", "S.B"]),
        ("rust", "fn a() {}\nimpl T for S {\n  fn b(&self) {}\n}", ["a", "T for S", "T for S.b"]),
        ("c", "static int *a(int b) { return 0; }\nstruct p { int x; };", ["a", "p"]),
        ("cpp", "namespace n {\nclass A {\n  void b() {}\n};\n}\nvoid A::c() {}", ["n", "n.A", "n.A.b", "A::c"]),
        ("csharp", "class A\n{\n  void B() {}\n}", ["A", "A.B"]),
        ("ruby", "module M\n  def a\n  end\nend", ["M", "M.a"]),
        ("php", "<?php\nfunction a() {}\nclass B {\n  function c() {}\n}", ["a", "B", "B.c"]),
        ("kotlin", "fun a() {\n}\ndata class B(val c: Int)", ["a", "B"]),
        ("sql", "create table a (b int);\nCREATE OR REPLACE VIEW c AS SELECT 1;", ["a", "c"]),
        ("bash", "a() {\n  echo\n}", ["a"]),
        ("python", "def broken(:\n  pass", ["broken"]),
    ],
)
def test_definitions_of_many_languages(language, text, expected):
    assert names(text, language) == expected
