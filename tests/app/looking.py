"""Looking at a view, light and dark, on a desk and on a phone, for what is wrong in it.

With RAG_SCREENSHOTS=folder, what is seen is kept there as pictures.
"""

import os
from pathlib import Path

from tests.app.browsing import fits, settled, violations

DESK, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
LOOKS = (("light", DESK), ("dark", DESK), ("dark", PHONE), ("light", PHONE))
"""Each is one change from the one before: of the colours, or of the window."""
SHOWN = """(dark) => {
  const [red, green, blue] = getComputedStyle(document.querySelector(".stApp")).backgroundColor.match(/\\d+/g);
  return dark === (Number(red) + Number(green) + Number(blue) < 384);
}"""

PLAIN = """() => [...document.querySelectorAll("[data-testid=stHtml] a[href]")]
  .filter((one) => ["rgb(0, 0, 238)", "rgb(158, 158, 255)"].includes(getComputedStyle(one).color))
  .map((one) => "of the browser's own blue: " + one.outerHTML.slice(0, 200))"""
"""Links that have none of our colours: above a view, axe cannot tell what they stand on."""


def looks_at(place):
    """Return how the view at a place of a list is looked at, from a desk first: in both lights and both windows.

    All four ways are too many for so many views; for pictures they are taken.
    """
    return LOOKS if os.environ.get("RAG_SCREENSHOTS") else LOOKS[place % 2 :: 2]


def wrong(tab, name, look):
    """Look at what a tab shows, in that light and window, and return what is wrong with it."""
    scheme, size = look
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size(size)
    settled(tab)
    tab.wait_for_function(SHOWN, arg=scheme == "dark")
    _keep(tab, f"{name}-{scheme}-{'desk' if size == DESK else 'phone'}.png")
    broken = tab.locator("[data-testid=stException], .unexpected").all_inner_texts()
    ours = [frame for frame in tab.frames if frame.url.startswith("http")]  # the page, and a source beside it
    found = [*broken, *tab.trouble, *tab.evaluate(PLAIN), *(one for frame in ours for one in violations(frame))]
    return [f"{name}, {scheme}, {size['width']}: {one}" for one in [*found, *([] if fits(tab) else ["it is too wide"])]]


def _keep(tab, name):
    if folder := os.environ.get("RAG_SCREENSHOTS"):
        tab.screenshot(path=Path(folder) / name)
