"""`rag acl`: who may read what, decided by people at once."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rag_platform.access.decisions import Change, Rule, Target
from rag_platform.access.reasons import Reasons
from rag_platform.cli.commands import group
from rag_platform.cli.console import JsonOption, err, out, parse_time, print_json, workspace
from rag_platform.core.errors import NotFound
from rag_platform.core.plain_json import plain
from rag_platform.index.releases.release_log import acting_user
from rag_platform.operations.rule_targets import may_read, reasons_of, rule_target
from rag_platform.storage.relational.app_database import ALL
from rag_platform.workspace import Workspace

app = group("Who may read what: rules, groups, and the log of every change.")
groups = group("Groups of users, beside those that sign-in brings.")
app.add_typer(groups, name="groups")

TargetName = Annotated[
    str,
    typer.Argument(
        metavar="TARGET",
        help="A document's address, the end of one, or its id; source:ID; collection:NAME; or a pattern of addresses "
        "with * and ?.",
    ),
]
SourceOption = Annotated[
    str, typer.Option("--source", metavar="ID", help="Mean a collection, or addresses, of this source alone.")
]
Why = Annotated[str, typer.Option("--why", help="The reason, for the log.")]
GroupName = Annotated[str, typer.Argument(metavar="GROUP", help="Such as group:board.")]
Members = Annotated[list[str], typer.Argument(metavar="MEMBER...", help="Users or groups, such as user:ilse.")]


@app.command("show")
def show(
    target: Annotated[str | None, typer.Argument(metavar="[TARGET]", help="As of `rag acl set`; none: all.")] = None,
    source: SourceOption = "",
    principal: Annotated[
        list[str] | None, typer.Option("--as", metavar="PRINCIPAL", help="Tell whether they may read the document.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show who may read a document and why, or the rules about something, or all of them."""
    opened = workspace()
    about = rule_target(opened, target, source) if target else None
    if about and about.kind == "document":
        _show_document(opened, about.name, principal, as_json=as_json)
        return
    rules = [rule for rule in opened.access.rules.list() if about is None or rule.target == about]
    print_json([_row(rule) for rule in rules]) if as_json else out.print(_table(rules))


@app.command("set")
def set_rule(
    target: TargetName,
    why: Why,
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow", metavar="PRINCIPAL", help="Who may read it, in place of whom its source names."),
    ] = None,
    deny: Annotated[
        list[str] | None, typer.Option("--deny", metavar="PRINCIPAL", help="Who may not, whatever allows it; * is all.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="When this ends.")] = None,
    source: SourceOption = "",
    as_json: JsonOption = False,
) -> None:
    """Let somebody read something, or forbid it: from the next question on, in every version."""
    opened = workspace()
    about, ends = rule_target(opened, target, source), parse_time("--until", until) if until else None
    opened.access.rules.set(about, allow=allow or (), deny=deny or (), until=ends, who=acting_user(), why=why)
    _confirm(opened, about, as_json=as_json)


@app.command("remove")
def remove(
    target: TargetName,
    why: Why,
    principal: Annotated[
        list[str] | None, typer.Option("--principal", metavar="PRINCIPAL", help="Only what is said of them.")
    ] = None,
    source: SourceOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take rules back: what the source says counts again."""
    opened = workspace()
    about = rule_target(opened, target, source)
    if not opened.access.rules.remove(about, principal or (), who=acting_user(), why=why):
        raise NotFound(f"there is no rule about {about}; `rag acl show` names those there are")
    _confirm(opened, about, as_json=as_json)


@app.command("log")
def log(
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many changes, the newest.")] = 50,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="Print all, oldest first, one JSON document a line.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show every change of who may read what: who, when, what and why."""
    changes = workspace().access.rules.changes(ALL if jsonl else limit)
    if jsonl:
        for change in reversed(changes):
            sys.stdout.write(json.dumps(asdict(change), default=plain, ensure_ascii=False) + "\n")
    elif as_json:
        print_json([asdict(change) for change in changes])
    else:
        out.print(_changes(changes))


@groups.command("add")
def add(name: GroupName, members: Members, why: Why = "", as_json: JsonOption = False) -> None:
    """Put users, or groups, into a group."""
    workspace().access.rules.join(name, members, who=acting_user(), why=why)
    list_groups(as_json=as_json)


@groups.command("remove")
def leave(name: GroupName, members: Members, why: Why = "", as_json: JsonOption = False) -> None:
    """Take users, or groups, out of a group."""
    workspace().access.rules.leave(name, members, who=acting_user(), why=why)
    list_groups(as_json=as_json)


@groups.command("list")
def list_groups(as_json: JsonOption = False) -> None:
    """List who is in which group."""
    members = workspace().access.rules.members()
    if as_json:
        print_json([asdict(one) for one in members])
        return
    table = Table("group", "member", "since", "by", "why")
    for one in members:
        table.add_row(*map(Text, (one.name, one.member, f"{one.at:%Y-%m-%d}", one.who, one.why)))
    out.print(table)


def _confirm(opened: Workspace, about: Target, *, as_json: bool) -> None:
    if about.kind == "document":
        _show_document(opened, about.name, None, as_json=as_json)
        return
    rules = [rule for rule in opened.access.rules.list() if rule.target == about]
    print_json([_row(rule) for rule in rules]) if as_json else out.print(_table(rules))


def _show_document(opened: Workspace, doc_id: str, principals: list[str] | None, *, as_json: bool) -> None:
    if found := reasons_of(opened, doc_id):
        may = None if principals is None else may_read(opened, doc_id, principals)
        _show_reasons(doc_id, found, may, as_json=as_json)
        return
    err.print(f"{doc_id} is in no version that is kept; rules about it wait for it")


def _show_reasons(doc_id: str, found: Reasons, may: bool | None, *, as_json: bool) -> None:
    if as_json:
        print_json({"doc_id": doc_id} | found.to_dict() | ({} if may is None else {"may_read": may}))
        return
    readers = ", ".join("everyone" if one == "*" else one for one in found.readers) or "nobody"
    out.print(Text(f"{doc_id} is for {readers}, as {found.named_by} says"), soft_wrap=True)
    if found.denied:
        out.print(Text(f"but not for {', '.join('everyone' if one == '*' else one for one in found.denied)}"))
    if found.closed:
        out.print(Text(f"nobody reads it: {found.closed}"), soft_wrap=True)
    if may is not None:
        out.print("they may read it" if may else "they may not read it")
    if found.rules:
        out.print(_table(found.rules))


def _row(rule: Rule) -> dict[str, Any]:
    return asdict(rule) | {"target": str(rule.target)}


def _table(rules: Sequence[Rule]) -> Table:
    table = Table("target", "rule", "who", "until", "since", "by", "why")
    for one in rules:
        ends = f"{one.until:%Y-%m-%d %H:%M}" if one.until else ""
        row = (str(one.target), one.effect, one.principal, ends, f"{one.at:%Y-%m-%d %H:%M}", one.who, one.why)
        table.add_row(*map(Text, row))
    return table


def _changes(changes: Sequence[Change]) -> Table:
    table = Table("when", "by", "what", "target", "about", "why")
    for one in changes:
        about = ", ".join(f"{name} {value}" for name, value in one.about.items() if value)
        table.add_row(*map(Text, (f"{one.at:%Y-%m-%d %H:%M}", one.who, one.action, one.target, about, one.why)))
    return table
