"""A normal day: edits, new and removed documents, news, a page that was renamed, a translation."""

import re
from dataclasses import replace
from random import Random

from benchmarks.accidents.texts import Page, texts
from benchmarks.accidents.world import POOLS, World

_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-ZÄÖÜ])")


def live_a_day(world: World, chance: Random, without: str = "") -> list[str]:
    """Change what a day changes, in every source but `without`; returns what was done."""
    world.day += 1
    return [
        f"{source}: {done}"
        for source in world.pages
        if source not in (without, "papers")
        for _ in range(chance.choice((0, 1, 1, 2, 3)))
        if (done := chance.choices(_CHANGES, _OFTEN)[0](world, source, chance))
    ]


def edit(world: World, source: str, chance: Random) -> str:
    """Edit a document or two: a sentence put in, taken out or written anew."""
    names = [name for name, page in world.pages[source].items() if page.file is None]
    for name in chance.sample(names, min(len(names), chance.choice((1, 1, 2)))):
        page = world.pages[source][name]
        world.pages[source][name] = _edited(page, chance, world.day, "german" if source == "berichte" else "english")
    return "edited"


def edit_every(world: World, day: int, days: int) -> None:
    """Edit so many of the first day's documents that all but a share of 1/`days` have another edition in the end."""
    for source, pages in world.first.items():
        for name in [*pages][day::days]:
            page = world.pages[source].get(name)
            if page and page.file is None:
                language = "german" if source == "berichte" else "english"
                world.pages[source][name] = _edited(page, Random(f"{name} {day}"), world.day, language)


def _edited(page: Page, chance: Random, day: int, language: str) -> Page:
    new = chance.choice(_SENTENCE.split(chance.choice(getattr(texts(), language)).text))
    if page.raw is not None:
        return page.saying(new, day)
    parts = _SENTENCE.split(page.text)
    place, action = chance.randrange(len(parts)), chance.choice(("put in", "put in", "written anew", "taken out"))
    kept = parts[place + 1 :] if action != "put in" and len(parts) > 3 else parts[place:]
    added = [] if action == "taken out" and len(parts) > 3 else [new]
    return page.with_text(" ".join([*parts[:place], *added, *kept]), day)


def add(world: World, source: str, chance: Random) -> str:
    """Write a new document; of a feed several."""
    pool = POOLS.get(source, "german")
    for _ in range(chance.choice((1, 2, 3)) if source == "news" else 1):
        page = replace(world.fresh(pool), published=world.day, updated=world.day)
        number = 1000 * (world.day + 2) + len(world.pages[source])
        name = {"desk": str(number), "news": f"news-{number}", "site": f"site-{number}"}.get(source, f"{number}.md")
        world.pages[source][name] = page
    return "added"


def remove(world: World, source: str, chance: Random) -> str:
    """Take a document away, of those that nobody asked about."""
    names = [name for name in world.pages[source] if source != "desk" or int(name) > 1015]
    if source == "news" or len(names) < 12:
        return ""
    del world.pages[source][chance.choice(names)]
    return "removed"


def rename(world: World, source: str, chance: Random) -> str:
    """Give a file another name."""
    names = [name for name in world.pages[source] if name.endswith(".md") and "/" not in name]
    if not names:
        return ""
    name = chance.choice(names)
    world.pages[source][f"renamed-{world.day}-{name[-12:]}"] = world.pages[source].pop(name)
    return "renamed"


def translate(world: World, source: str, chance: Random) -> str:
    """Add the translation of a ticket."""
    known = {page.text: number for number, page in enumerate(texts().english)}
    told = [(name, known[page.text]) for name, page in world.pages["desk"].items() if page.text in known]
    if source != "desk" or not told:
        return ""
    name, number = chance.choice(told)
    page = getattr(texts(), chance.choice(("german", "spanish")))[number]
    world.pages["desk"][f"{name}{world.day:03}"] = replace(page, published=world.day, updated=world.day)
    return "translated"


_CHANGES = edit, add, remove, rename, translate
_OFTEN = 10, 4, 2, 1, 2
