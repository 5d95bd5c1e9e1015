"""The tables of `data/uploads/<source>/collections.sqlite`, as numbered steps that are only ever appended."""

MIGRATIONS = (
    """
    create table collections (
        id text primary key, title text not null, description text not null, language text,
        principals text not null, owner text not null, created_at text not null
    );
    create table files (
        collection text not null references collections (id), name text not null, sha256 text not null,
        size integer not null, content_type text, title text not null, tags text not null,
        added_by text not null, added_at text not null, revision integer not null,
        primary key (collection, name)
    );
    create table removed (
        collection text not null, name text not null, who text not null, at text not null,
        primary key (collection, name)
    );
    """,
)
