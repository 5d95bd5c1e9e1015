"""What a workbook keeps beside its cells: charts, text boxes, diagrams, comments, by the name of their sheet."""

import posixpath
from collections import Counter
from collections.abc import Iterator

from rag_platform.documents.extracted import Lost
from rag_platform.documents.formats.markdown_writer import comment, paragraph
from rag_platform.documents.formats.office.charts import read_charts
from rag_platform.documents.formats.office.diagrams import read_diagrams
from rag_platform.documents.formats.office.packages import Package
from rag_platform.documents.formats.xml_tree import attribute, every


def read_extras(package: Package, lost: Counter[Lost]) -> dict[str, list[str]]:
    """Return what stands beside the cells of each sheet; pictures that nobody described are counted."""
    part = next(iter(package.linked("", "officeDocument")), "xl/workbook.xml")
    if part not in package.names or posixpath.splitext(part)[1] != ".xml":
        return {}
    links, found = package.links(part), {}
    for sheet in every(package.beside(part), "sheet"):
        link = links.get(attribute(sheet, "id"))
        if link and link.target in package.names:
            blocks = [block for one in package.linked(link.target, "drawing") for block in _drawn(package, one, lost)]
            blocks += _comments(package, part, link.target)
            found[attribute(sheet, "name")] = blocks
    return found


def _drawn(package: Package, drawing: str, lost: Counter[Lost]) -> Iterator[str]:
    """Yield the text boxes, charts and diagrams of a drawing, and how its pictures are described."""
    root = package.beside(drawing)
    for shape in every(root, "txBody"):
        lines = ("".join(text.text or "" for text in every(line, "t")) for line in every(shape, "p"))
        yield paragraph("\n\n".join(filter(str.strip, lines)))
    for picture in every(root, "pic"):
        said = next((attribute(one, "descr") for one in every(picture, "cNvPr")), "")
        lost["images without text"] += not said
        yield f"![{' '.join(said.split())}]" if said else ""
    yield from read_charts(package, drawing)
    yield from read_diagrams(package, drawing)


def _comments(package: Package, book: str, part: str) -> Iterator[str]:
    """Yield the threads of a sheet, and those notes that are no copy of one."""
    people = {
        attribute(one, "id"): attribute(one, "displayName")
        for place in package.linked(book, "person")
        for one in every(package.beside(place), "person")
    }
    threads = package.linked(part, "threadedComment")
    for place in threads:
        for one in every(package.beside(place), "threadedComment"):
            words = " ".join(text.text or "" for text in every(one, "text"))
            yield comment(people.get(attribute(one, "personId"), ""), attribute(one, "dT"), words)
    for place in package.linked(part, "comments"):
        root = package.beside(place)
        names = [author.text or "" for author in every(root, "author")]
        for one in every(root, "comment"):
            who = attribute(one, "authorId")
            name = names[int(who)] if who.isdigit() and int(who) < len(names) else ""
            if not name.startswith("tc="):  # Excel's copy of a thread, for programs that know no threads
                yield comment(name, "", "".join(text.text or "" for text in every(one, "t")))
