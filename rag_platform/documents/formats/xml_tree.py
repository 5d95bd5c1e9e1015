"""XML without its namespaces, and without anything from outside."""

from lxml import etree

from rag_platform.core.errors import ExtractionError


def parse_xml(content: bytes, name: str) -> etree._Element:
    """Read XML: entities stay unresolved, nothing is loaded, depth and size of a text are bounded by the parser.

    An `xml:id` that is no name costs nothing: the parser tells it, and goes on.

    Raises:
        ExtractionError: It is no XML.
    """
    strict, lenient = (
        etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, recover=recover)
        for recover in (False, True)
    )
    try:
        root = etree.fromstring(content, strict)
    except (etree.XMLSyntaxError, ValueError) as error:
        if not strict.error_log or {one.type for one in strict.error_log} != {etree.ErrorTypes.DTD_XMLID_VALUE}:
            raise ExtractionError(f"{name} is no well-formed XML: {error}") from error
        root = etree.fromstring(content, lenient)
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
