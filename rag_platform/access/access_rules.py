"""What people decide about who may read: rules, groups and quarantine, with a log of every change."""

import json
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from rag_platform.access.decisions import KINDS, Change, Held, Member, Rule, Target
from rag_platform.access.rule_tables import RuleTables
from rag_platform.core.errors import RuleRefused
from rag_platform.core.principals import PUBLIC
from rag_platform.storage.relational.app_database import ALL, Connection, Row

_RULE = "select * from rules"
_HOLD = (
    "insert into quarantine values (?, ?, ?, ?, ?, null, null) on conflict (doc_id) do update set "
    "revision = excluded.revision, why = excluded.why, since = excluded.since, who = excluded.who, "
    "released_at = null, released_by = null"
)


class AccessRules:
    """The decisions of a workspace; many processes read and change them."""

    def __init__(self, tables: RuleTables) -> None:
        self._tables = tables

    # --- reading -----------------------------------------------------------------------------------------

    def state(self) -> Hashable:
        """Return what is another one after every change, by whichever process; None: there are no tables."""
        return self._tables.state()

    def list(self) -> Sequence[Rule]:
        """Return the rules, those that have ended too, the least particular first."""
        found = [_rule(row) for row in self._rows(f"{_RULE} order by id")]
        return sorted(found, key=lambda one: KINDS.index(one.target.kind))

    def members(self) -> Sequence[Member]:
        """Return who is in which group."""
        rows = self._rows("select * from members order by name, member")
        return [Member(**{**dict(row), "at": datetime.fromisoformat(row["at"])}) for row in rows]

    def held(self, *, released: bool = False) -> Sequence[Held]:
        """Return the documents that are in quarantine, oldest first; with `released`, those that were."""
        empty = "is not" if released else "is"
        rows = self._rows(f"select * from quarantine where released_at {empty} null order by since, doc_id")
        return [_held(row) for row in rows]

    def changes(self, limit: int = ALL) -> Sequence[Change]:
        """Return the log, newest first."""
        rows = self._rows("select * from changes order by id desc limit ?", limit)
        moments = (datetime.fromisoformat(row["at"]) for row in rows)
        names = ("who", "action", "target", "why")
        return [
            Change(at=at, about=json.loads(row["about"]), **{name: row[name] for name in names})
            for at, row in zip(moments, rows, strict=True)
        ]

    # --- rules -------------------------------------------------------------------------------------------

    def set(
        self,
        target: Target,
        *,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        until: datetime | None = None,
        who: str,
        why: str,
    ) -> None:
        """Let principals read something, or forbid it them; what was decided about each before is replaced.

        Args:
            target: what.
            allow: who may read it. With the others who are allowed at the same target they take the place of those
                whom the source names.
            deny: who may not, whatever else allows it.
            until: when this ends, with a time zone; None: never.
            who: decides.
            why: for the log.

        Raises:
            RuleRefused: nobody is named, one is both allowed and denied, or the moment has no time zone.
        """
        _refuse_senseless(allow, deny, until)
        ends = until.astimezone(UTC).isoformat() if until else None
        with self._changing(who) as change:
            for effect, principals in (("allow", allow), ("deny", deny)):
                for principal in principals:
                    change.forget(target, principal)
                    change.run(
                        "insert into rules (kind, source, target, effect, principal, until, at, who, why) "
                        "values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (target.kind, target.source, target.name, effect, principal, ends, change.at, who, why),
                    )
                    change.log(effect, str(target), {"principal": principal, "until": ends}, why)

    def remove(self, target: Target, principals: Collection[str] = (), *, who: str, why: str) -> Sequence[Rule]:
        """Take back what was decided about a target, for these principals or for all; returns what was taken back."""
        going = [
            rule for rule in self.list() if rule.target == target and (not principals or rule.principal in principals)
        ]
        with self._changing(who) as change:
            for rule in going:
                change.forget(target, rule.principal)
                change.log("remove", str(target), {"principal": rule.principal, "was": rule.effect}, why)
        return going

    # --- groups ------------------------------------------------------------------------------------------

    def join(self, name: str, members: Sequence[str], *, who: str, why: str = "") -> None:
        """Put somebody, or another group, into a group.

        Raises:
            RuleRefused: everyone is no member, and no group is within itself.
        """
        above = groups_of([name], memberships(self.members()))
        for member in members:
            if PUBLIC in (name, member) or not member.strip() or not name.strip():
                raise RuleRefused(f"{member!r} cannot be in {name!r}; expected a user or a group, such as user:ilse")
            if member in above:
                raise RuleRefused(f"{member!r} holds {name!r} already, so {name!r} would be within itself")
        with self._changing(who) as change:
            for member in members:
                row = (name, member, change.at, who, why)
                change.run("insert into members values (?, ?, ?, ?, ?) on conflict (name, member) do nothing", row)
                change.log("join", name, {"member": member}, why)

    def leave(self, name: str, members: Sequence[str], *, who: str, why: str = "") -> None:
        """Take somebody out of a group."""
        with self._changing(who) as change:
            for member in members:
                if change.run("delete from members where name = ? and member = ?", (name, member)):
                    change.log("leave", name, {"member": member}, why)

    # --- roles -------------------------------------------------------------------------------------------

    def note_role(self, principal: str, role: str | None, *, who: str, why: str = "") -> None:
        """Write into the log that somebody was given a role, or lost it; the roles themselves are in rag.toml."""
        with self._changing(who) as change:
            change.log("role", principal, {"role": role}, why)

    # --- quarantine --------------------------------------------------------------------------------------

    def quarantine(self, documents: Mapping[str, str], *, who: str, why: str) -> int:
        """Hold documents back from everybody until they are released; returns how many were not held already.

        Args:
            documents: the revision of each (doc_id), for who releases it.
            who: decides; for a program, its name.
            why: what was noticed.
        """
        held, count = {one.doc_id for one in self.held()}, 0
        with self._changing(who) as change:
            for doc_id, revision in documents.items():
                if doc_id not in held:
                    change.run(_HOLD, (doc_id, revision, why, change.at, who))
                    change.log("quarantine", doc_id, {"revision": revision}, why)
                    count += 1
        return count

    def release(self, doc_ids: Collection[str], *, who: str, why: str = "") -> int:
        """Let documents out of quarantine; returns how many were in it."""
        sql = "update quarantine set released_at = ?, released_by = ? where doc_id = ? and released_at is null"
        count = 0
        with self._changing(who) as change:
            for doc_id in doc_ids:
                if change.run(sql, (change.at, who, doc_id)):
                    change.log("release", doc_id, {}, why)
                    count += 1
        return count

    # --- forgetting ----------------------------------------------------------------------------------------

    def principals(self) -> frozenset[str]:
        """Return everyone whom a rule or a group names."""
        named = frozenset(rule.principal for rule in self.list())
        return named.union(*({one.name, one.member} for one in self.members()))

    def erase(self, doc_ids: Collection[str], principal: str | None) -> None:
        """Remove what is said of documents and of somebody that were forgotten; the log tells that there was a line."""
        if self.state() is None:
            return
        log = "update changes set target = '(forgotten)', about = '{}', why = '' where "
        with self._tables.writing() as connection:
            for doc_id in doc_ids:
                connection.execute("delete from rules where kind = 'document' and target = ?", (doc_id,))
                connection.execute("delete from quarantine where doc_id = ?", (doc_id,))
                connection.execute(f"{log} target in (?, ?)", (doc_id, f"document {doc_id}"))
            if principal:
                connection.execute("delete from rules where principal = ?", (principal,))
                connection.execute("delete from members where ? in (name, member)", (principal,))
                named = "? in (target, json_extract(about, '$.principal'), json_extract(about, '$.member'))"
                connection.execute(log + named, (principal,))
                for table in ("rules", "members", "quarantine", "changes"):
                    connection.execute(f"update {table} set who = '(forgotten)' where who = ?", (principal,))

    # --- the tables --------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the tables where there are none; from then on it is damage when they are missing."""
        self._tables.prepare()

    @contextmanager
    def _changing(self, who: str) -> Iterator["_Changing"]:
        with self._tables.writing() as connection:
            yield _Changing(connection, who, datetime.now(UTC).isoformat())

    def _rows(self, sql: str, *values: Any) -> Sequence[Any]:
        return self._tables.rows(sql, values)


class _Changing:
    """A transaction that is logged."""

    def __init__(self, connection: Connection, who: str, at: str) -> None:
        self._connection = connection
        self._who = who
        self.at = at

    def run(self, sql: str, values: Sequence[Any]) -> int:
        return self._connection.execute(sql, values).rowcount

    def forget(self, target: Target, principal: str) -> None:
        """Delete what was decided about a principal."""
        sql = "delete from rules where kind = ? and source = ? and target = ? and principal = ?"
        self.run(sql, (target.kind, target.source, target.name, principal))

    def log(self, action: str, target: str, about: dict[str, Any], why: str) -> None:
        row = (self.at, self._who, action, target, json.dumps(about, ensure_ascii=False), why)
        self.run("insert into changes (at, who, action, target, about, why) values (?, ?, ?, ?, ?, ?)", row)


def memberships(members: Sequence[Member]) -> dict[str, frozenset[str]]:
    """Return the groups of each member."""
    found: dict[str, frozenset[str]] = {}
    for one in members:
        found[one.member] = found.get(one.member, frozenset()) | {one.name}
    return found


def groups_of(principals: Collection[str], memberships: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the principals with all groups that hold one of them, directly or by other groups."""
    found, new = set(principals), set(principals)
    while new:
        new = {group for one in new for group in memberships.get(one, ())} - found
        found |= new
    return frozenset(found)


def _refuse_senseless(allow: Sequence[str], deny: Sequence[str], until: datetime | None) -> None:
    if not (allow or deny) or not all(one.strip() for one in (*allow, *deny)):
        raise RuleRefused("nobody is named; expected principals, such as group:board, or * for everyone")
    if both := {*allow} & {*deny}:
        raise RuleRefused(f"{', '.join(sorted(both))} would be both allowed and denied; expected one of the two")
    if until and until.tzinfo is None:
        raise RuleRefused(f"{until.isoformat()} has no time zone; expected one, such as {until.isoformat()}+00:00")


def _rule(row: Row) -> Rule:
    until = datetime.fromisoformat(row["until"]) if row["until"] else None
    target = Target(row["kind"], row["target"], row["source"])
    at = datetime.fromisoformat(row["at"])
    return Rule(target, row["effect"], row["principal"], until, at, row["who"], row["why"])


def _held(row: Row) -> Held:
    released = datetime.fromisoformat(row["released_at"]) if row["released_at"] else None
    since = datetime.fromisoformat(row["since"])
    return Held(row["doc_id"], row["revision"], row["why"], since, row["who"], released, row["released_by"])
