"""XML without its namespaces, and without anything from outside."""

from lxml import etree

from rag_platform.core.errors import ExtractionError


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Read XML: entities stay unresolved, nothing is loaded, depth and size of a text are bounded by the parser.

    Raises:
        ExtractionError: It is no XML.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ExtractionError(f"{name} is no well-formed XML: {error}") from error
    if root is None:
        raise ExtractionError(f"{name} is empty")
    return root


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace; "" for what is no element, such as an entity."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element | None, name: str, default: str = "") -> str:
    """Return an attribute by its name without a namespace."""
    if element is not None:
        for key, value in element.attrib.items():
            if key.rpartition("}")[2] == name:
                return str(value)
    return default


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """Return the first descendant along a path of names, or None."""
    for name in path:
        element = next((one for one in element if local(one) == name), None) if element is not None else None
    return element


def every(element: etree._Element | None, name: str) -> list[etree._Element]:
    """Return the descendants of a name."""
    return list(element.iter(f"{{*}}{name}")) if element is not None else []
