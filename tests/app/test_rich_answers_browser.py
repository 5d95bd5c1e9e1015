"""Answers that are more than words, in a real browser: tables, charts after a click, formulas, code that is copied."""

import pytest

from tests.app.asked_chat import asked_chat
from tests.app.browsing import expect, in_browser, page_over, settled, tab_of, violations

pytestmark = in_browser

READINGS = "\n".join(f"| 2025-{month:02} | {150 + month} | {month % 3} |" for month in range(1, 13))
GAUGES = rf"""---
title: Gauges
date: 2026-02-03
---
# Gauges

The flood service reads each gauge every hour, and lists the highest level of each month.

## Costs of the stations

| Station | Upkeep | Repairs |
|---|---|---|
| Weir <script>window.owned=1</script> | $1,250.00 | $310.50 |
| Old mill | $980.00 | $1,020.00 |

## Highest levels of the old mill

| Month | Level (cm) | Alarms |
|---|---:|---:|
{READINGS}
| 2026-01 | 402 | 6 |

## Discharge

The discharge over the weir is $Q = \frac{{2}}{{3}} C_d h^{{3/2}}$, where a visit costs $5 or $6.

## Reading a gauge by program

```python
def level(gauge: str) -> float:
    return read_gauge(gauge) * 0.5
```
"""
SAID = r"""So \(a^2\), $\frac{1}{$ and $\href{javascript:x}{y_1}$ [1].

$$
x_1 = \sqrt{2}
$$

| Station | Cost |
|---|---|
| Weir | 5 % |
| Mill | 7 % |
"""
CHART = "Draw a chart of"


@pytest.fixture(scope="module")
def chat(tmp_path_factory, model_folder, embedder):
    """A workspace with a chat about a table, a formula and code; (its folder, the chat's id)."""
    home = tmp_path_factory.mktemp("rich")
    questions = ("What do repairs of the old mill cost?", "discharge over the weir", "def level(gauge: str)")
    workspace, chat = asked_chat(home, {"gauges.md": GAUGES.encode()}, questions, embedder)
    receipt = workspace.answerer.ask("Highest level of the old mill 2026-01 402 6").receipt_id
    workspace.chats.say(chat, "user", "And all of it?")
    workspace.chats.say(chat, "assistant", SAID, receipt)
    return home, chat


@pytest.fixture(scope="module")
def tab(chat, browser):
    home, chat_id = chat
    with page_over(home) as address, tab_of(browser, f"{address}/?chat={chat_id}") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("h2.question").nth(3).wait_for()
        settled(page)
        yield page


def test_quoted_rows_stand_in_their_table_below_its_head(tab):
    table = tab.locator("figure.table").first
    expect(table.locator("thead")).to_have_text("StationUpkeepRepairs")
    expect(table.locator("tr.cited")).to_have_count(1)
    expect(table.locator("tr.cited")).to_contain_text("$1,020.00")
    expect(table.locator("tbody tr")).to_have_count(2)
    expect(table).to_contain_text("<script>window.owned=1</script>")
    assert tab.evaluate("window.owned") is None


def test_a_long_table_is_folded_to_the_quoted_rows_and_unfolds(tab):
    table = tab.locator("figure.table").last
    expect(table.locator("tr.cited").first).to_contain_text("402")
    expect(table.locator(":scope > .wide tbody tr")).to_have_count(2)
    table.get_by_text("All 13 rows").click()
    expect(table.locator("details tbody tr")).to_have_count(13)


def test_a_chart_comes_after_a_click_and_goes_after_another(tab):
    expect(tab.locator(".stVegaLiteChart")).to_have_count(0)
    assert not tab.evaluate("performance.getEntriesByType('resource').some((one) => /vega/i.test(one.name))")
    first = tab.get_by_role("button", name=CHART).first
    first.click()
    expect(tab.locator(".stVegaLiteChart svg, .stVegaLiteChart canvas").first).to_be_visible()
    assert violations(tab) == []
    tab.get_by_role("button", name="Hide the chart of").first.click()
    expect(tab.locator(".stVegaLiteChart")).to_have_count(0)
    expect(tab.get_by_role("button", name=CHART)).to_have_count(3)


def test_formulas_are_drawn_and_what_is_none_stays_as_it_is_written(tab):
    drawn = tab.locator(".formula .katex")
    expect(drawn.first).to_be_visible()
    expect(tab.locator(".formula[data-display] .katex-display")).to_have_count(1)
    quote = tab.locator(".answer blockquote", has_text="discharge over the weir")
    expect(quote.locator(".katex")).to_have_count(1)
    expect(quote).to_contain_text("a visit costs $5 or $6")
    said = tab.locator(".answer").last
    expect(said).to_contain_text(r"$\frac{1}{$")
    expect(said.locator("a[href^=javascript]")).to_have_count(0)


def test_code_is_copied_as_it_is_and_named_by_its_language(tab):
    code = tab.locator("figure.code")
    expect(code.locator("figcaption span")).to_have_text("python")
    code.get_by_role("button", name="Copy this code").click()
    expect(code.get_by_role("button")).to_have_text("Copied")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied == "def level(gauge: str) -> float:\n    return read_gauge(gauge) * 0.5"


def test_nothing_went_wrong_and_a_phone_is_wide_enough(tab):
    tab.set_viewport_size({"width": 390, "height": 844})
    settled(tab)
    assert tab.trouble == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
