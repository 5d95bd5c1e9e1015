"""A wiki that speaks as much of MediaWiki's API as the example of a plugin asks for, on the tests' own server."""

import json
from urllib.parse import parse_qs, urlsplit

PER_ANSWER = 2


class Wiki:
    """Pages with revisions; set `texts` and `broken`."""

    def __init__(self, site):
        self.site = site
        self.texts: dict[str, str] = {}
        self.revisions: dict[str, int] = {}
        self.parsed: list[str] = []
        self.broken = False
        site.pages["/robots.txt"] = b""
        site.missing = self.answer

    def put(self, title, text):
        self.texts[title] = text
        self.revisions[title] = max(self.revisions.values(), default=100) + 1

    def answer(self, path):
        asked = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        if self.broken:
            return b"<html>Sorry"
        found = self._list(asked) if asked["action"] == "query" else self._parse(asked)
        return json.dumps(found).encode()

    def _list(self, asked):
        titles = [title for title in sorted(self.texts) if title >= asked.get("gapcontinue", "")]
        pages = [{"title": title, "lastrevid": self.revisions[title]} for title in titles[:PER_ANSWER]]
        more = [{"continue": {"gapcontinue": title, "continue": "gapcontinue||"}} for title in titles[PER_ANSWER:][:1]]
        return {"query": {"pages": pages}} | (more[0] if more else {})

    def _parse(self, asked):
        title = next(title for title, revision in self.revisions.items() if str(revision) == asked["oldid"])
        self.parsed.append(title)
        return {"parse": {"title": title, "text": f"<p>{self.texts[title]}</p>"}}
