"""The tables of `data/shadow.sqlite`, as numbered steps that are only ever appended."""

MIGRATIONS = (
    """
    create table questions (
        receipt text primary key, question text not null, day text not null
    ) without rowid;
    create table leave (person text primary key, given integer not null, at text not null) without rowid;
    create table trials (
        id integer primary key, kind text not null check (kind in ('shadow', 'canary')), version text not null,
        live text not null, share real not null, since text not null, who text not null, ended text,
        why text not null default '', dropped integer not null default 0
    );
    create table compared (
        trial integer not null references trials (id) on delete cascade, overlap real not null, rbo real not null,
        same_first integer not null, live_answered integer not null, answered integer not null,
        live_ms real not null, ms real not null, preferred integer
    );
    create index compared_trial on compared (trial)
    """,
    "alter table compared add column live_doubted real; alter table compared add column doubted real",
)
