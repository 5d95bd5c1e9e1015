"""Tags and text of what a view shows, and what is shown: a hostile text, and a citation of one."""

from html.parser import HTMLParser

from rag_platform.core.answers import Citation

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)> ![p](http://evil.example/?q=1) [l](http://evil.example)"
)
CITATION = Citation(1, "doc 1", "c", "u", 'A "title" <b>', "a quote\nof two lines", (3, 9), "ab", None)


class Tags(HTMLParser):
    """The tags that a piece of HTML opens, with their attributes, and its text."""

    def __init__(self, html):
        super().__init__()
        self.found, self.text = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data

    def of(self, tag):
        """Return the attributes of each such tag."""
        return [attributes for name, attributes in self.found if name == tag]
