"""What the role of an address may do beside reading: what nobody needs, and what a hostile query could use."""

from collections.abc import Generator

import sqlalchemy
from sqlalchemy import Connection

_POSTGRES = """
select 'is a superuser' where (select rolsuper from pg_catalog.pg_roles where rolname = session_user)
union all
select 'may use files or programs of the server (' || rolname || ')' from pg_catalog.pg_roles
where rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
    and pg_catalog.pg_has_role(session_user, oid, 'member')
union all
select 'may write' where exists (
    select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and pg_catalog.has_table_privilege(session_user, c.oid, 'insert, update, delete, truncate'))
"""
_MYSQL = """
select distinct case when privilege_type = 'FILE' then 'may use files of the server'
    when privilege_type in ('SUPER', 'PROCESS', 'SHUTDOWN', 'CREATE USER', 'RELOAD') then 'may administer the server'
    else 'may write' end
from (select grantee, privilege_type from information_schema.user_privileges
    union all select grantee, privilege_type from information_schema.schema_privileges
    union all select grantee, privilege_type from information_schema.table_privileges) granted
where privilege_type not in ('USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES')
    and replace(grantee, '''', '') = current_user()
"""
_QUERIES = {"postgresql": _POSTGRES, "mysql": _MYSQL, "mariadb": _MYSQL}
_ADVICE = "make one that may only read, see docs/sources.md"


def warnings(connection: Connection) -> Generator[str]:
    """Yield what is to be said of the role of a connection, for those who choose it."""
    name = connection.dialect.name
    if name in _QUERIES:
        found = [str(row[0]) for row in connection.execute(sqlalchemy.text(_QUERIES[name]))]
        if found:
            yield f"the role of the address {', '.join(sorted(found))}: {_ADVICE}"
    elif name not in ("sqlite", "duckdb"):
        yield f"that a query of {name} only reads is not checked: {_ADVICE}"
