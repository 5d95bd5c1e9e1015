"""The page of a report in a real browser: it fits any screen, is quiet, and reads well in both schemes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.browsing import CHROMIUM, FLAGS, PATIENCE
from tests.evals.refusals import html_of, refused_version


@pytest.fixture(scope="module")
def refused(tmp_path_factory) -> Path:
    return html_of(refused_version(tmp_path_factory.mktemp("report")))


@pytest.fixture(scope="module")
def browser(refused: Path) -> Iterator:
    """Start Chromium after the report was made: its event loop would be in the way of the measures'."""
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip("needs Chromium at /usr/bin/chromium")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (390, "light"), (320, "dark")])
def test_it_fits_the_screen_and_is_quiet(refused, browser, width, scheme) -> None:
    shown = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    shown.set_default_timeout(PATIENCE)
    noise, requests = [], []
    shown.on("console", lambda message: noise.append(message.text))
    shown.on("pageerror", lambda error: noise.append(str(error)))
    shown.on("request", lambda request: requests.append(request.url))
    shown.goto(refused.as_uri())
    shown.locator("summary").click()
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert noise == []
    assert requests == [refused.as_uri()]
    assert shown.title().startswith("Refused: v000003-")
    assert _least_contrast(shown) >= 4.5
    shown.close()


def _least_contrast(shown) -> float:
    """Return the lowest contrast of any text, by WCAG 2.2's definition of relative luminance."""
    return shown.evaluate("""() => {
      const parts = colour => colour.match(/[\\d.]+/g).map(Number);
      const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
      const behind = node => {
        for (let one = node; one; one = one.parentElement) {
          const colour = parts(getComputedStyle(one).backgroundColor);
          if (colour.length < 4 || colour[3] > 0) return colour;
        }
      };
      const ratios = [...document.querySelectorAll('body *:not(title)')]
        .filter(node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
        .map(node => {
          const style = getComputedStyle(node);
          const ink = parts(node instanceof SVGElement ? style.fill : style.color);
          const [high, low] = [light(ink), light(behind(node))].sort((a, b) => b - a);
          return (high + 0.05) / (low + 0.05);
        });
      return Math.min(...ratios);
    }""")
