"""Who asks in Slack: the person of a member's confirmed address, and the groups that the settings name."""

from threading import Lock
from typing import Any

from cachetools import TTLCache, cached
from slack_sdk import WebClient

from rag_platform.config.sections.access import AccessSettings
from rag_platform.config.sections.chat_apps import SlackSettings
from rag_platform.core.errors import AccessDenied
from rag_platform.people.identity import Person, known_person

REMEMBERED = 300.0
"""Seconds for which it is not asked again who somebody is."""


class SlackPeople:
    """The members of one Slack workspace."""

    def __init__(self, client: WebClient, team: str, settings: SlackSettings, access: AccessSettings) -> None:
        """Know the members of `team`, by what the client is told."""
        self._client, self._team, self._settings, self._access = client, team, settings, access
        self._user = cached(TTLCache(10_000, REMEMBERED), lock=Lock())(self._asked_user)
        self._members = cached(TTLCache(1000, REMEMBERED), lock=Lock())(self._asked_members)

    def person(self, user_id: str) -> Person:
        """Return whom a member is.

        Raises:
            AccessDenied: they are no full member of this workspace, have no confirmed address, or [access] lets them
                not in.
        """
        user = self._user(user_id)
        email = str(user.get("profile", {}).get("email") or "").strip().lower()
        foreign = user.get("team_id") != self._team or user.get("is_stranger")
        if foreign or user.get("deleted") or user.get("is_bot") or not (email and user.get("is_email_confirmed")):
            raise AccessDenied(f"{user_id} of Slack has no confirmed address in this workspace")
        groups = [name for group, name in self._settings.groups.items() if user_id in self._members(group)]
        return known_person(email, str(user.get("real_name") or email), groups, self._access)

    def _asked_user(self, user_id: str) -> dict[str, Any]:
        user: dict[str, Any] = self._client.users_info(user=user_id)["user"]
        return user

    def _asked_members(self, group: str) -> frozenset[str]:
        return frozenset(self._client.usergroups_users_list(usergroup=group)["users"])
