"""Documents of Word 2003 in XML: the elements of its successor under other names, in one file."""

from collections.abc import Iterator, Mapping
from html import escape

from lxml import etree

from rag_platform.documents.formats.xml_tree import attribute, child, every

_NAMES = {
    "listPr": "numPr",
    "ilfo": "numId",
    "lists": "numbering",
    "listDef": "abstractNum",
    "list": "num",
    "ilst": "abstractNumId",
    "nfc": "numFmt",
    "hlink": "hyperlink",
    "vmerge": "vMerge",
    "listDefId": "abstractNumId",
    "createdate": "date",
    "Title": "title",
    "Author": "creator",
    "Created": "created",
    "LastSaved": "modified",
}
"""What elements and attributes are called since 2007."""
_NUMBERS = {"1": "upperRoman", "2": "lowerRoman", "3": "upperLetter", "4": "lowerLetter", "23": "bullet", "255": "none"}
"""Kinds of numbers that are not decimal."""
_WRAPPERS = ("{*}sect", "{*}sub-section", "{*}annotation", "{*}content")
_NOTES = (("footnote", "footnotes"), ("endnote", "endnotes"))
_MARGINS = (("hdr", "header"), ("ftr", "footer"))
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_FOLDER = "word/"


def word_parts(root: etree._Element) -> Mapping[str, bytes]:
    """Return the parts that the document has as a file of Word since 2007 (docx)."""
    for one in root.iter("{*}*"):
        _rename(one)
    links = {target: "hyperlink" for target in map(_target, every(root, "hyperlink")) if target}
    trees = dict(_beside(root))
    etree.strip_tags(root, *_WRAPPERS)
    parts = {f"{_FOLDER}{name}.xml": etree.tostring(tree) for name, (tree, _) in trees.items()}
    listed = [_link(target, kind, "External") for target, kind in links.items()]
    listed += [_link(f"{name}.xml", kind, "Internal") for name, (_, kind) in trees.items()]
    parts[f"{_FOLDER}_rels/document.xml.rels"] = f"<Relationships>{''.join(listed)}</Relationships>".encode()
    if (about := child(root, "DocumentProperties")) is not None:
        parts["docProps/core.xml"] = etree.tostring(about)
    if child(root, "docOleData") is not None:  # packed in a way of its own: it is counted
        parts[f"{_FOLDER}embeddings/oledata.mso"] = b"objects"
    return {**parts, f"{_FOLDER}document.xml": etree.tostring(root)}


def _rename(one: etree._Element) -> None:
    space, _, name = one.tag.rpartition("}")
    for key, value in [*one.attrib.items()]:
        if name == "nfc":
            one.set(key, _NUMBERS.get(value, "decimal"))
        if (plain := key.rpartition("}")[2]) in _NAMES:
            one.set(_NAMES[plain], value)
    if name in _NAMES:
        one.tag = f"{space}}}{_NAMES[name]}"


def _target(link: etree._Element) -> str:
    """Return where a link leads, by which it is known from now on."""
    target = attribute(link, "dest")
    link.set("id", target)
    return target


def _link(target: str, kind: str, mode: str) -> str:
    place = escape(target)
    return f'<Relationship Id="{place}" Type="{_RELATED}/{kind}" Target="{place}" TargetMode="{mode}"/>'


def _beside(root: etree._Element) -> Iterator[tuple[str, tuple[etree._Element, str]]]:
    """Yield the name, the tree and the kind of each part beside the text, out of which they are taken."""
    for name in ("styles", "numbering"):
        if (tree := child(root, name)) is not None:
            yield name, (tree, name)
    body = child(root, "body")
    said = [one for one in every(body, "annotation") if attribute(one, "type") == "Word.Comment"]
    yield "comments", (_taken(said, "comment"), "comments")
    for one in every(body, "annotation"):
        if attribute(one, "type") == "Word.Deletion":
            one.tag = "del"
    for name, kind in _NOTES:
        yield kind, (_taken(every(body, name), name), kind)
    for name, kind in _MARGINS:
        for number, one in enumerate(every(body, name)):
            yield f"{kind}{number}", (_taken([one], name)[0], kind)


def _taken(elements: list[etree._Element], name: str) -> etree._Element:
    """Return elements under one root and a name; a number leads to each from where it stood."""
    tree = etree.Element("root")
    for number, one in enumerate(elements, 1):
        mark = etree.Element(f"{name}Reference", id=str(number))
        mark.tail, one.tail = one.tail, None
        one.getparent().replace(one, mark)
        one.tag = name
        one.set("id", str(number))
        tree.append(one)
    etree.strip_tags(tree, *_WRAPPERS)
    return tree
