"""MediaWiki's interface for programs (https://www.mediawiki.org/wiki/API:Main_page), asked politely."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError, LoginFailed
from rag_platform.core.ports import Fetched, Gone
from rag_platform.sources.http.cookies import CookieJar
from rag_platform.sources.http.fetcher import Fetcher

_FORM = {"content-type": "application/x-www-form-urlencoded"}
Answer = dict[str, Any]


class MediaWikiApi:
    """Asks one wiki, as somebody where a name is given; errors never show the password."""

    def __init__(self, api: str, fetch: FetchSettings, user: str | None, password: str | None) -> None:
        self._api, self._user, self._password = api, user, password
        self._fetcher = Fetcher(fetch.model_copy(update={"robots": False}), cookies=CookieJar(api))
        self._known = False

    def ask(self, **parameters: str | int) -> Answer:
        """Return what the wiki says.

        Raises:
            LoginFailed: it does not know the user, or not with this password.
            FetchError: it could not be asked, or says that something is wrong.
        """
        if self._user is not None and not self._known:
            self._log_in()
            self._known = True
        who = {"assert": "user"} if self._known else {}  # else a session that ended would show what the public may see
        return self._asked("GET", {**parameters, **who})

    def ask_all(self, **parameters: str | int) -> Iterator[Answer]:
        """Yield the parts of a long answer."""
        more: dict[str, Any] | None = {}
        while more is not None:
            answer = self.ask(**{**parameters, **more})
            yield answer.get("query", {})
            more = answer.get("continue")

    def get(self, url: str) -> Fetched:
        """Fetch a file that the wiki has named."""
        return self._fetcher.get(url)

    def _log_in(self) -> None:
        token = self._asked("GET", {"action": "query", "meta": "tokens", "type": "login"})
        given = {"lgname": self._user or "", "lgpassword": self._password or ""}
        token_of = token["query"]["tokens"]["logintoken"]
        said = self._asked("POST", {"action": "login", "lgtoken": token_of, **given}).get("login", {})
        if said.get("result") != "Success":
            why = said.get("reason") or said.get("result") or "it gave no reason"
            raise LoginFailed(f"{self._api} does not let {self._user!r} in: {why}; check `user` and `password`")

    def _asked(self, method: str, parameters: dict[str, Any]) -> Answer:
        written = urlencode({**parameters, "format": "json", "formatversion": 2})
        try:
            if method == "GET":
                content = self._fetcher.request("GET", f"{self._api}?{written}").content
            else:
                content = self._fetcher.request(method, self._api, written.encode(), _FORM).content
            answer: Any = json.loads(content)
            if not isinstance(answer, dict) or not answer:
                raise ValueError("no object that says something")
        except (ValueError, Gone) as error:
            raise FetchError(
                f"{self._api} does not answer in JSON; expected the address of a wiki's api.php"
            ) from error
        if "error" in answer:
            raise FetchError(f"the wiki says: {answer['error'].get('info')}")
        return answer
