"""A website on loopback that answers when it is told to."""

import threading
from collections import Counter
from contextlib import contextmanager

from tests.loopback import LoopbackHandler, LoopbackServer, running

PAGES = 100
"""Of each part of the site."""
SOURCE = """
[[sources]]
id = "{part}"
kind = "web"
urls = {urls}
[sources.fetch]
allow_private = true
timeout = 600
"""
PAGE = (
    "<html><body><h1>Berth {0} of the {1}</h1><p>Berth {0} in the {1} harbour is {0} feet deep at low water.</p></body>"
)


class HeldSite(LoopbackServer):
    """Parts of numbered pages; each waits until so many of its part were given as were asked for."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self._asked, self._given, self._more = Counter(), Counter(), threading.Condition()

    def source(self, part):
        """Return the table of a source that reads a part of the site."""
        return SOURCE.format(part=part, urls=[f"{self.address}/{part}/{number}" for number in range(PAGES)])

    def give(self, part, pages=PAGES):
        """Let so many more requests of a part be answered."""
        with self._more:
            self._given[part] += pages
            self._more.notify_all()

    def waits(self, part):
        """Return whether a request of a part waits."""
        return self._asked[part] > self._given[part]

    def close(self, parts):
        """Hold further requests of these parts, whatever was given before."""
        with self._more:
            for part in parts:
                self._given[part] = self._asked[part]

    def wait(self, part):
        """Return once the request of a part that comes now may be answered."""
        with self._more:
            self._asked[part] += 1
            mine = self._asked[part]
            self._more.wait_for(lambda: self._given[part] >= mine)


class _Handler(LoopbackHandler):
    def do_GET(self):
        _, part, *number = self.path.split("/")
        if number:
            self.server.wait(part)
            self.answer(PAGE.format(number[0], part).encode(), headers={"content-type": "text/html"})
        else:
            self.answer(b"", 404)  # robots.txt


@contextmanager
def held_site():
    """Serve one; whoever still waits at its end is answered."""
    with running(HeldSite()) as site:
        yield site
