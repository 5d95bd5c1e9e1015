"""Who has which role: the lists of [access] in rag.toml, changed one name at a time."""

from rag_platform.config.sections.access import ROLES, Role
from rag_platform.config.settings import Settings
from rag_platform.config.source_editing import set_value
from rag_platform.core.errors import RuleRefused
from rag_platform.people.identity import Person, role_or_none
from rag_platform.workspace import Workspace

LISTS: dict[Role, str] = {role: f"{role}s" for role in ROLES}
"""The key of [access] that names those who have a role."""


def give_role(workspace: Workspace, name: str, role: Role | None, by: Person, why: str = "") -> Settings:
    """Name somebody in the list of a role and in no other, and return the settings as they are then; None: in none.

    Raises:
        RuleRefused: it is no name of a user or a group, or an admin would take their own role away.
        SettingsError: rag.toml cannot be changed so; the lists before it may have been.
    """
    name = name.strip()
    if not name or (name != "*" and ":" not in name):
        raise RuleRefused(f"{name!r}: expected a user or a group, such as user:ilse@example.org or group:data")
    access = workspace.settings.access
    lists = {one: [other for other in getattr(access, key) if other != name] for one, key in LISTS.items()}
    if role:
        lists[role].append(name)
    after = access.model_copy(update={key: tuple(lists[one]) for one, key in LISTS.items()})
    if by.signed_in and role_or_none(by.principals, after) != "admin":
        raise RuleRefused("you would be no admin any more; let another admin do that")
    settings = workspace.settings
    for one, key in sorted(LISTS.items(), key=lambda pair: pair[0] != role):  # who is moved is never in no list
        if tuple(lists[one]) != getattr(access, key):
            settings = set_value(settings.home, "access", key, lists[one])
    workspace.access.rules.note_role(name, role, who=by.id or by.name, why=why)
    return settings
