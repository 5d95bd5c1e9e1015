"""Who asks in Teams: the person of a member's account in one organisation, and the groups that the settings name."""

import threading
from typing import Any

from cachetools import TTLCache, cached

from rag_platform.chat_apps.teams.activities import Activity
from rag_platform.chat_apps.teams.connector import Connector
from rag_platform.config.sections.access import AccessSettings
from rag_platform.config.sections.chat_apps import TeamsSettings
from rag_platform.core.errors import AccessDenied
from rag_platform.people.identity import Person, known_person

REMEMBERED = 300.0
"""Seconds for which it is not asked again who somebody is."""


class TeamsPeople:
    """The people of one organisation."""

    def __init__(self, connector: Connector, settings: TeamsSettings, access: AccessSettings) -> None:
        """Know them by what the connector is told."""
        self._settings, self._access = settings, access
        self._member = cached(TTLCache(10_000, REMEMBERED), lock=threading.Lock())(connector.member)

    def person(self, activity: Activity) -> Person:
        """Return who did something.

        Raises:
            AccessDenied: they are a guest, of another organisation, or have no such name; or [access] lets them not in.
            RagError: Teams does not tell.
        """
        who = activity.sender.id
        member = self._member(activity.service_url, activity.conversation.id, who) or {}
        upn, email = (str(member.get(name) or "").strip().lower() for name in ("userPrincipalName", "email"))
        user = upn if self._settings.user_claim == "upn" else email
        if self._is_foreign(member, upn) or "@" not in user:
            raise AccessDenied(f"{who} of Teams has no {self._settings.user_claim} as a member of this organisation")
        groups = [name for team, name in self._settings.groups.items() if self._member(activity.service_url, team, who)]
        return known_person(user, str(member.get("name") or user), groups, self._access)

    def _is_foreign(self, member: dict[str, Any], upn: str) -> bool:
        """Return whether somebody is a guest: their address is vouched for by others, or by nobody."""
        guest = str(member.get("userRole") or "user").lower() not in ("user", "owner", "admin")
        tenant = str(member.get("tenantId") or "").lower()
        return guest or "#ext#" in upn or not upn or tenant != (self._settings.tenant or "").lower()
