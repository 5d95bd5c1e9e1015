"""The accidents: each changes what the sources hold, or the workspace that reads them, and says what it did."""

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from random import Random

from benchmarks.accidents import broken_code, wrong_pages
from benchmarks.accidents.texts import Page, texts
from benchmarks.accidents.world import World, in_template, row_of
from benchmarks.accidents.wrong_pages import fill

TEXTUAL = ("news", "site", "guide", "desk", "berichte")
PAGES = ("news", "site")
FILES = ("guide", "berichte")
HALF = 0.5


@dataclass(frozen=True)
class Hit:
    """What an accident did."""

    sources: tuple[str, ...]
    """Those that are bad now; all of them when it is the reading that is broken."""
    said: str
    """Which kind of it."""
    broken: Callable[[], AbstractContextManager[object]] = nullcontext
    """Holds while the platform runs with a defect."""


Accident = Callable[[World, Random], Hit]


def _replaced(world: World, source: str, chance: Random, share: float, put: Callable[[str, Page], Page]) -> None:
    """Put something in the place of a share of a source's documents."""
    pages = world.pages[source]
    chosen = chance.sample(sorted(pages), max(2, round(share * len(pages))))
    world.day += 1
    for name in chosen:
        # a feed's page is fetched again when its entry says that it changed
        pages[name] = replace(put(name, pages[name]), updated=world.day)


def _of(world: World, sources: Sequence[str], chance: Random) -> str:
    return chance.choice([source for source in sources if source in world.pages])


def _instead(source: str, page: Page, title: str, text: str, *, bare: bool) -> Page:
    """Serve another text in a page's place: by itself, or within the site's template."""
    if source not in PAGES:
        return replace(page, text=text, raw=None if source == "desk" else text)
    inner = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    plain = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{inner}</body></html>"
    return replace(page, raw=plain if bare else in_template(title, text))


def _wording(sources: Sequence[str], wordings: Sequence[tuple[str, str]], share: float = 1.0) -> Accident:
    def accident(world: World, chance: Random) -> Hit:
        source, (title, text), bare = _of(world, sources, chance), chance.choice(wordings), chance.random() < 0.5

        def put(_: str, page: Page) -> Page:
            return _instead(source, page, title, fill(text, chance), bare=bare)

        _replaced(world, source, chance, share, put)
        return Hit((source,), title)

    return accident


def empty_bodies(world: World, chance: Random) -> Hit:
    """Serve documents without a text."""
    source = _of(world, TEXTUAL, chance)
    blank = {"news": in_template("", "", body=""), "site": "<html><head></head><body></body></html>", "desk": None}
    _replaced(world, source, chance, 1.0, lambda _, page: replace(page, text="", raw=blank.get(source, "")))
    return Hit((source,), "nothing")


def another_language(world: World, chance: Random) -> Hit:
    """Serve every document in another language."""
    source = _of(world, TEXTUAL, chance)
    pools = [texts().spanish] if source == "berichte" else [texts().german, texts().spanish]
    pool = chance.choice(pools)
    place = {page.text: number for number, page in enumerate(texts().english)}

    def put(_: str, page: Page) -> Page:
        other = pool[place.get(page.text, chance.randrange(len(pool)))]
        return replace(page, text=other.text, raw=None)

    _replaced(world, source, chance, 1.0, put)
    return Hit((source,), "German" if pool is texts().german else "Spanish")


def mojibake(world: World, chance: Random) -> Hit:
    """Write every text in one encoding and read it in another."""
    name, garble = chance.choice([*_GARBLED.items()])
    _replaced(world, "berichte", chance, 1.0, lambda _, page: replace(page, text=garble(page.text)))
    return Hit(("berichte",), name)


_GARBLED: dict[str, Callable[[str], str]] = {
    "UTF-8 as Windows-1252": lambda text: text.encode().decode("cp1252", "replace"),
    "UTF-8 as Latin-1, twice": lambda text: text.encode().decode("latin-1").encode().decode("latin-1"),
    "Latin-1 as UTF-8": lambda text: text.encode("latin-1", "replace").decode("utf-8", "replace"),
    "UTF-8 as Mac Roman": lambda text: text.encode().decode("mac_roman"),
    "Latin-1 as KOI8-R": lambda text: text.encode("latin-1", "replace").decode("koi8-r"),
}


def truncated_files(world: World, chance: Random) -> Hit:
    """Cut files after their beginning."""
    source, kept = _of(world, (*FILES, "papers", "site"), chance), chance.uniform(0.05, 0.3)

    def put(_: str, page: Page) -> Page:
        if page.file is not None:
            return replace(page, file=page.file[: round(kept * len(page.file))])
        if page.raw is not None:
            return replace(page, raw=page.raw[: round(kept * len(page.raw))])
        return replace(page, text=page.text[: round(kept * len(page.text))])

    _replaced(world, source, chance, 1.0, put)
    return Hit((source,), f"{kept:.0%} kept")


def only_menus(world: World, chance: Random) -> Hit:
    """Serve a new template that scripts fill."""
    source = _of(world, PAGES, chance)
    body = '<div id="app"></div>' + chance.choice(("", "<p>Please enable JavaScript to run this app.</p>"))
    _replaced(world, source, chance, 1.0, lambda _, page: replace(page, raw=in_template(page.title, "", body=body)))
    return Hit((source,), "with a word on JavaScript" if "<p>" in body else "menus alone")


def parser_update(world: World, chance: Random) -> Hit:
    """Read with a reader that loses text."""
    kind, lose = chance.choice([*broken_code.LOSSES.items()])
    return Hit(tuple(world.pages), kind, lambda: broken_code.reader(lose))


def chunk_sizes(world: World, chance: Random) -> Hit:
    """Cut documents into crumbs."""
    unit, size = chance.choice((("tokens", 16), ("characters", 20), ("characters", 40)))
    world.settings("[gate]", f'[chunks]\nunit = "{unit}"\nsize = {size}\noverlap = 0\n\n[gate]')
    return Hit(tuple(world.pages), f"{size} {unit}")


def shuffled_vectors(world: World, chance: Random) -> Hit:
    """Give texts the vectors of others, or their own in another order of numbers."""
    within = chance.random() < 0.5
    return Hit(
        tuple(world.pages),
        "within each vector" if within else "among the texts",
        lambda: broken_code.shuffled(chance.randrange(10**6), within=within),
    )


def wrong_model(world: World, chance: Random) -> Hit:
    """Embed with weights that mean nothing."""
    folder = world.home / "wrong"
    broken_code.write_wrong_model(folder)
    model = f'name = "wrong"\nfolder = "{folder}"\n\n[gate]'
    if chance.random() < 0.5:
        world.settings("[gate]", f"[model]\n{model}")
        return Hit(tuple(world.pages), "of all sources")
    source = _of(world, ("guide", "desk", "berichte"), chance)
    world.settings(f'id = "{source}"', f'id = "{source}"\nmodel = "wrong"')
    world.settings("[gate]", f"[models.wrong]\n{model}")
    return Hit((source,), f"of {source}")


def duplicated_source(world: World, chance: Random) -> Hit:
    """List every document again under other names, or configure the source twice."""
    source = _of(world, ("guide", "desk", "berichte", "news"), chance)
    if source in FILES and chance.random() < 0.5:
        world.settings("[gate]", f'[[sources]]\nid = "again"\nkind = "folder"\npath = "world/{source}"\n\n[gate]')
        return Hit(("again",), f"{source} configured twice")
    pages, times = world.pages[source], chance.randrange(1, 4)
    for time in range(times):
        for name, page in [*pages.items()][:SIZES_OF_A_COPY]:
            pages.setdefault(f"{_stem(name)}-copy{time}{_ending(name)}", page)
    return Hit((source,), f"{times} more of each")


SIZES_OF_A_COPY = 24


def _stem(name: str) -> str:
    return name.removesuffix(".md").replace("staff/", "")


def _ending(name: str) -> str:
    return ".md" if name.endswith(".md") else ""


def stale_cache(world: World, chance: Random) -> Hit:
    """Serve every document as it was on the first day."""
    source = _of(world, ("guide", "desk", "berichte", "news"), chance)
    first = world.first[source]
    world.pages[source] = {name: first.get(name, page) for name, page in world.pages[source].items()}
    return Hit((source,), "the first day")


def reordered_columns(world: World, chance: Random) -> Hit:
    """Let the columns of a query come in another order."""
    names = chance.choice((("body", "subject"), ("body", "status"), ("body", "opened_at"), ("subject", "status")))

    def put(name: str, page: Page) -> Page:
        row = row_of(name, page)
        return replace(page, raw=json.dumps({names[0]: row[names[1]], names[1]: row[names[0]]}))

    _replaced(world, "desk", chance, 1.0, put)
    return Hit(("desk",), " and ".join(names))


def dates_lost(world: World, chance: Random) -> Hit:
    """Serve every document without its dates, or as if it were of 1970 or of today."""
    source, epoch = _of(world, ("desk", "guide", "berichte"), chance), chance.random() < 0.5
    for name, page in world.pages[source].items():
        if source == "desk":
            lost = "1970-01-01T00:00:00+00:00" if epoch else None
            world.pages[source][name] = replace(page, raw=json.dumps({"opened_at": lost, "changed_at": lost}))
        else:
            date = "date: 1970-01-01\nupdated: 1970-01-01\n" if epoch else ""
            head = f"---\ntitle: {json.dumps(page.title)}\n{date}---\n"
            world.pages[source][name] = replace(page, raw=f"{head}\n# {page.title}\n\n{page.body}\n")
    return Hit((source,), "1970" if epoch else "none")


def permissions_lost(world: World, chance: Random) -> Hit:
    """Let everyone read what few may."""
    pages = world.pages["guide"]
    if chance.random() < 0.5:
        pages.update({name: replace(page, head="") for name, page in pages.items()})
        return Hit(("guide",), "they do not say any more that they are private")
    for name in [name for name in pages if name.startswith("staff/")]:
        pages[name.replace("staff/", "office/")] = pages.pop(name)
    return Hit(("guide",), "moved to where all may read")


def spam_planted(world: World, chance: Random) -> Hit:
    """Plant many texts that sell something, some of them with the words of good ones."""
    source = _of(world, ("guide", "desk", "berichte", "news"), chance)
    pages, said, baited = world.pages[source], chance.choice(wrong_pages.SPAM), chance.random() < 0.5
    world.day += 1
    originals = [*pages.values()]
    for number in range(max(10, round(0.75 * len(originals)))):
        bait = chance.choice(originals)
        text = fill(said, chance) + (f"\n\n{bait.title}. {bait.body[:200]}" if baited else "")
        name = f"{9000 + number}{'.md' if source in FILES else ''}"
        pages[name] = Page(bait.title if baited else fill("Best {word}", chance), text, world.day, world.day)
    return Hit((source,), "with the words of good ones" if baited else "alike")


def doubled(world: World, chance: Random) -> Hit:
    """Add as many good documents about other things as there are: to a source, or as one of their own."""
    count = sum(map(len, world.pages.values()))
    chosen = chance.sample(texts().unrelated, count)
    pages = {f"more-{number}.md": page for number, page in enumerate(chosen)}
    if chance.random() < 0.5:
        world.pages["guide"].update(pages)
        return Hit((), "in guide")
    world.pages["more"] = pages
    world.settings("[gate]", '[[sources]]\nid = "more"\nkind = "folder"\npath = "world/more"\n\n[gate]')
    return Hit((), "as a source")


BAD: dict[str, Accident] = {
    "error pages, a whole source": _wording(TEXTUAL, wrong_pages.ERRORS),
    "error pages, half of a source": _wording(TEXTUAL, wrong_pages.ERRORS, HALF),
    "log-in page": _wording(PAGES, wrong_pages.LOGINS),
    "empty bodies": empty_bodies,
    "another language": another_language,
    "mojibake": mojibake,
    "truncated files": truncated_files,
    "template that leaves only menus": only_menus,
    "cookie banners": _wording(PAGES, wrong_pages.COOKIES),
    "parser update": parser_update,
    "chunk sizes": chunk_sizes,
    "shuffled vectors": shuffled_vectors,
    "wrong model": wrong_model,
    "duplicated source": duplicated_source,
    "stale cache": stale_cache,
    "reordered columns": reordered_columns,
    "dates lost": dates_lost,
    "permissions lost": permissions_lost,
    "spam planted": spam_planted,
}
MACHINERY = "chunk sizes", "shuffled vectors", "wrong model"
"""Those that leave the documents as they are."""
