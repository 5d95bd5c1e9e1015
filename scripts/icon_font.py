"""Cut the font of icons down to those that the page and Streamlit name: a twentieth of what a visitor would load.

    uv run --no-project --with fonttools==4.68.0 --with brotli==1.2.1 scripts/icon_font.py STREAMLIT

STREAMLIT is the installed package, which carries the whole font. Writes app/icons/symbols.woff2, and what it holds into
app/icons/names.txt: the icons that app/ and Streamlit's scripts name, and those of app/icons/beside.txt, which app/ may
name without cutting again. A test tells when one is missing.
"""

import re
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r':material/(\w+):|View\("\w+", "(\w+)"')


def main(streamlit: Path) -> None:
    """Write the font and the names of what it holds."""
    font = TTFont(next((streamlit / "static" / "static" / "media").glob("MaterialSymbols-Rounded.*.woff2")))
    names = _glyphs_by_name(font)
    ours = {name for path in (ROOT / "app").rglob("*.py") for name in _words(path.read_text())}
    theirs = {name for path in streamlit.glob("static/static/js/*.js") for name in _theirs(path.read_text())}
    beside = (ROOT / "app" / "icons" / "beside.txt").read_text().split()
    kept = sorted((ours | theirs | {*beside}) & names.keys())
    options = subset.Options(flavor="woff2", layout_features=["liga", "rlig"], layout_closure=False)
    cut = subset.Subsetter(options)
    letters = {ord(letter) for name in kept for letter in name}
    cut.populate(unicodes=letters, glyphs=[names[name] for name in kept])
    cut.subset(font)
    subset.save_font(font, ROOT / "app" / "icons" / "symbols.woff2", options)
    (ROOT / "app" / "icons" / "names.txt").write_text("\n".join(kept) + "\n")


def _words(text: str) -> set[str]:
    return {name for found in NAMED.findall(text) for name in found if name}


def _theirs(text: str) -> set[str]:
    """Return what scripts name as icons: whole names, or names that are put together with the prefix elsewhere."""
    return set(re.findall(r"material/(\w+)", text)) | set(re.findall(r"iconValue:[\"`]:?(\w+)", text))


def _glyphs_by_name(font: TTFont) -> dict[str, str]:
    """Return the glyph of each name, which is a ligature of its letters."""
    letter_of = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    found = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            substitution = getattr(table, "ExtSubTable", table)
            for first, ligatures in getattr(substitution, "ligatures", {}).items():
                for one in ligatures:
                    found["".join(letter_of.get(part, "?") for part in (first, *one.Component))] = one.LigGlyph
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
