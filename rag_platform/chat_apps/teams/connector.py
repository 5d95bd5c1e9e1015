"""The connector of Teams: who somebody is, and what they are told, by its REST interface.

https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference
"""

import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import httpx
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from rag_platform.chat_apps.teams.activities import Activity
from rag_platform.config.sections.chat_apps import TeamsSettings
from rag_platform.core.errors import RagError

_BUSY = (412, 429, 502, 503, 504)
"""With which the connector says: try again."""
_EARLY = 120.0
"""Seconds before its end at which a token is no longer used."""


class Connector:
    """What the bot says to Teams; safe to use from many threads."""

    def __init__(self, settings: TeamsSettings, secret: str, sleep: Callable[[float], None] = time.sleep) -> None:
        """Sign in with the bot's own secret."""
        self._settings, self._secret, self._sleep = settings, secret, sleep
        self._client = httpx.Client(timeout=15.0)
        self._lock = threading.Lock()
        self._token, self._until = "", 0.0

    def member(self, service_url: str, conversation: str, account: str) -> dict[str, Any] | None:
        """Return what is known of a member of a conversation or a team; None: they are no member of it.

        Raises:
            RagError: it cannot be told.
        """
        try:
            answer = self._call("GET", service_url, f"{_part(conversation)}/members/{_part(account)}")
        except httpx.HTTPStatusError as error:
            if error.response.status_code in (403, 404):  # 403: the bot is not there itself
                return None
            raise _told(error) from error
        except (httpx.HTTPError, ValueError, KeyError) as error:
            raise _told(error) from error
        return dict(answer.json())

    def reply(self, activity: Activity, message: dict[str, Any]) -> None:
        """Say something in the thread of an activity.

        Raises:
            RagError: it could not be said.
        """
        path = f"{_part(activity.conversation.id)}/activities/{_part(activity.id)}"
        about = {"from": {"id": activity.recipient.id}, "conversation": {"id": activity.conversation.id}}
        try:
            self._call("POST", activity.service_url, path, json=about | {"replyToId": activity.id} | message)
        except (httpx.HTTPError, ValueError, KeyError) as error:
            raise _told(error) from error

    def sign_in(self) -> str:
        """Return the bot's own token, a new one where the last has nearly expired.

        Raises:
            httpx.HTTPError, ValueError, KeyError: there is none.
        """
        with self._lock:
            if time.monotonic() > self._until:
                given = {"grant_type": "client_credentials", "client_id": self._settings.app_id}
                given |= {"client_secret": self._secret, "scope": f"{self._settings.issuer}/.default"}
                address = f"{self._settings.login}/{self._settings.tenant}/oauth2/v2.0/token"
                told = self._client.post(address, data=given).raise_for_status().json()
                self._token = str(told["access_token"])
                self._until = time.monotonic() + float(told["expires_in"]) - _EARLY
            return self._token

    def _call(self, method: str, service_url: str, path: str, **given: Any) -> httpx.Response:
        url = f"{service_url.rstrip('/')}/v3/conversations/{path}"
        tries = Retrying(
            retry=retry_if_exception(_passing), stop=stop_after_attempt(4), wait=wait_exponential_jitter(1, 10),
            sleep=self._sleep, reraise=True,
        )  # fmt: skip
        return tries(self._once, method, url, **given)

    def _once(self, method: str, url: str, **given: Any) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.sign_in()}"}
        return self._client.request(method, url, headers=headers, **given).raise_for_status()


def _passing(error: BaseException) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code in _BUSY
    return isinstance(error, httpx.ConnectError)  # of others nobody knows whether they were heard


def _told(error: Exception) -> RagError:
    """Return an error without addresses, in which ids of people stand."""
    said = f"{error.response.status_code}" if isinstance(error, httpx.HTTPStatusError) else type(error).__name__
    return RagError(f"Teams, or where the bot signs in, answered {said}")


def _part(text: str) -> str:
    return quote(text, safe="")
