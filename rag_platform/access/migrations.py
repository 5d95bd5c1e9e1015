"""The tables of what people decide about who may read: the steps to those of today, only ever appended to."""

MIGRATIONS = (
    """
    create table rules (
        id integer primary key, kind text not null, source text not null, target text not null,
        effect text not null, principal text not null, until text,
        at text not null, who text not null, why text not null,
        unique (kind, source, target, effect, principal)
    );
    create table members (
        name text not null, member text not null, at text not null, who text not null, why text not null,
        primary key (name, member)
    ) without rowid;
    create table quarantine (
        doc_id text primary key, revision text not null, why text not null, since text not null, who text not null,
        released_at text, released_by text
    );
    create table changes (
        id integer primary key, at text not null, who text not null, action text not null,
        target text not null, about text not null, why text not null
    );
    """,
)
