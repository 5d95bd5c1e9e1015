"""An answer as a client shows it: sources under it, of which none can pass for something else."""

from rag_platform.api.openai.cited_text import cited_text
from rag_platform.core.answers import Answer, Citation


def test_an_address_is_neither_markdown_nor_another_line():
    uri = "notes/a](https://evil.example)\n[2] Payroll: https://evil.example"
    cited = Citation(1, "d", "c", uri, "Of *pay*", "It runs.", (0, 8), "", None)
    told = cited_text(Answer("When?", "It runs. [1]", False, (cited,), "v1", "m", "", ())).text
    *_, source = told.split("\n")
    assert source.startswith("[1] Of pay: notes/a%5D(https://evil.example)%0A%5B2%5D%20Payroll")
