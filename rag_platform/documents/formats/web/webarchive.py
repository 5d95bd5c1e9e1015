"""Pages that Safari saved as one file (webarchive): a property list of the page, its frames and pictures."""

import plistlib
from dataclasses import replace
from xml.parsers.expat import ExpatError

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.web.html import read_html


def read_webarchive(content: bytes, *, comments: bool = False) -> Extracted:
    """Read a saved page as the page that it is; its frames are counted.

    Raises:
        ExtractionError: It is damaged, or holds no page.
    """
    try:
        saved = plistlib.loads(content)
        page, frames = saved["WebMainResource"], saved.get("WebSubframeArchives") or ()
        markup, uri, charset = (
            page["WebResourceData"],
            page.get("WebResourceURL"),
            page.get("WebResourceTextEncodingName"),
        )
        read = read_html(bytes(markup), uri=str(uri or ""), charset=charset, comments=comments)
    except (plistlib.InvalidFileException, ExpatError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise ExtractionError(f"no page that Safari saved: {error!r}") from error
    lost = {loss.what: loss.count for loss in read.losses} | {"embedded objects": len(frames)}
    return replace(read, losses=losses(lost))
