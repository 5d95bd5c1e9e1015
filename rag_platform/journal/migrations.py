"""The tables of `data/app.sqlite`, as numbered steps that are only ever appended."""

_TABLES = """
create table receipts (
    id text primary key, asked_at text not null, principal text not null, question text not null,
    mode text not null, filters text not null, version text not null, model text not null,
    prompt_hash text not null, hits text not null, answer text not null, abstained integer not null,
    citations text not null, warnings text not null, took_ms text not null,
    k integer, settings text not null default '{}',
    standalone text not null default '', queries text not null default '[]', history text not null default '[]',
    claims integer not null default 0, unsupported integer not null default 0, reasoning text not null default '',
    total_ms real generated always as (json_extract(took_ms, '$.total')) virtual,
    search_ms real generated always as (json_extract(took_ms, '$.search')) virtual,
    generate_ms real generated always as (json_extract(took_ms, '$.generate')) virtual,
    verify_ms real generated always as (json_extract(took_ms, '$.verify')) virtual
);
create index receipts_asked_at on receipts (asked_at);
create index receipts_usage on receipts (asked_at, abstained, total_ms, search_ms, generate_ms, verify_ms);
create index receipts_unanswered on receipts (asked_at) where abstained;
create table receipt_documents (
    doc_id text not null, receipt_id text not null references receipts (id) on delete cascade,
    cited integer not null default 1, primary key (doc_id, receipt_id)
) without rowid;
create table feedback (
    receipt_id text not null references receipts (id) on delete cascade, principal text not null,
    good integer not null, comment text not null, given_at text not null, reason text not null default '',
    primary key (receipt_id, principal)
) without rowid;
create table proposals (
    receipt_id text primary key references receipts (id) on delete cascade, proposed_at text not null,
    state text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
    settled_by text not null default '', settled_at text not null default ''
) without rowid;
create table uses (
    day text not null, kind text not null, count integer not null, primary key (day, kind)
) without rowid;

create table forgotten_documents (doc_id text primary key) without rowid;
create table forgotten_answers (
    mark text not null, doc_id text not null, primary key (mark, doc_id)
) without rowid;

create table chats (
    id text primary key, principal text not null, title text not null, created_at text not null,
    used_at text not null default ''
);
create index chats_of on chats (principal, used_at);
create table messages (
    id integer primary key, chat_id text not null references chats (id) on delete cascade,
    role text not null check (role in ('user', 'assistant')), content text not null,
    receipt_id text references receipts (id) on delete set null, created_at text not null,
    stopped integer not null default 0
);
create index messages_chat on messages (chat_id, id);
create table shares (
    token text primary key, chat_id text not null unique references chats (id) on delete cascade,
    last_message integer not null, created_at text not null
) without rowid;

create table tokens (
    id text primary key, name text not null unique, role text not null check (role in ('reader', 'editor')),
    principals text not null, hash blob not null, created_at text not null, created_by text not null
);
"""

_ADMIN_KEYS = """
create table admin_keys (
    id text primary key, kind text not null check (kind in ('link', 'session')), hash blob not null,
    expires_at text not null
)
"""

_QUOTES = """
alter table receipts add column verdict text not null default '';
alter table receipts add column also text not null default '[]';
"""

_CLAIMS = """
alter table receipts drop column unsupported;
alter table receipts drop column claims;
alter table receipts add column claims text not null default '[]'
"""
_DISAGREEMENTS = """
alter table receipts add column disagreements text not null default '[]';
alter table receipts add column searched integer
"""
_SCOPES = """
alter table tokens rename to tokens_with_roles;
create table tokens (
    id text primary key, name text not null unique, scopes text not null, principals text not null,
    collections text not null, hash blob not null, created_at text not null, created_by text not null
);
insert into tokens
select id, name, case role when 'editor' then '["read", "ask", "edit"]' else '["read", "ask"]' end, principals, '[]',
    hash, created_at, created_by
from tokens_with_roles;
drop table tokens_with_roles
"""
_REPEATED = """
create table repeated_requests (
    who text not null, key text not null, request text not null, at text not null,
    status integer, headers text, body blob, primary key (who, key)
) without rowid
"""
_REQUEST_IDS = "alter table receipts add column request_id text not null default ''"
_PREFERENCES = """
create table preferences (
    principal text not null, name text not null, value text not null, primary key (principal, name)
) without rowid
"""

_RECEIPT_OF_REPEATED = "alter table repeated_requests add column receipt text"
_THREADS = """
create table threads (
    key text primary key, chat_id text references chats (id) on delete cascade, seen_at text not null
)
"""
_WATCHES = """
create table watches (
    id text primary key, owner text not null, token text not null, principals text not null, seen_at text not null,
    kind text not null check (kind in ('question', 'search')), question text not null, options text not null,
    mail integer not null default 0, feed_id text unique, feed_hash blob, made_at text not null,
    looked text not null default '', leased text not null default '', problem text not null default ''
);
create index watches_of on watches (owner, made_at);
create table findings (
    id integer primary key, watch_id text not null references watches (id) on delete cascade,
    at text not null, version text not null, receipt_id text references receipts (id) on delete set null,
    change integer not null, seen integer not null default 0,
    mail_due text, mail_attempts integer not null default 0, mailed text, mail_error text not null default ''
);
create index findings_of on findings (watch_id, id);
create table found_documents (
    finding_id integer not null references findings (id) on delete cascade, doc_id text not null,
    revision text not null, primary key (finding_id, doc_id)
) without rowid
"""

_CHAT_SCOPES = "alter table chats add column scope text not null default '{}'"
_SHARE_READERS = "alter table shares add column readers text not null default '[]'"
_ATTACHMENTS = """
create table attachments (
    id integer primary key autoincrement, chat_id text not null references chats (id) on delete cascade,
    name text not null
);
create index attachments_of on attachments (chat_id);
create table attached_documents (
    attachment_id integer not null references attachments (id) on delete cascade, doc_id text not null,
    name text not null, title text not null, text text not null, language text not null, format text not null,
    pages text not null, page_labels text not null, raw_sha256 text not null, revision text not null
);
create index attached_documents_of on attached_documents (attachment_id);
create index attached_documents_by_id on attached_documents (doc_id)
"""

_RATES = """
create table rate_hits (key text not null, begun real not null, ends real not null);
create index rate_hits_of on rate_hits (key, begun)
"""
_FOLDERS = """
alter table chats add column folder text not null default '';
alter table chats add column pinned boolean not null default false
"""
_SHELF = """
create table shelf (
    kind text not null check (kind in ('assistant', 'template')), id text not null, owner text not null,
    name text not null, body text not null, readers text not null, changed_at text not null, primary key (kind, id)
) without rowid;
create index shelf_of on shelf (owner);
alter table chats add column assistant text not null default ''
"""
_BRANCHES = """
alter table messages add column parent_id integer;
update messages set parent_id = (
    select max(earlier.id) from messages as earlier
    where earlier.chat_id = messages.chat_id and earlier.id < messages.id
);
create index messages_after on messages (parent_id);
alter table chats add column current_id integer;
update chats set current_id = (select max(messages.id) from messages where messages.chat_id = chats.id)
"""
_PREFERRED = """
create table preferred_answers (
    principal text not null, better text not null references receipts (id) on delete cascade,
    worse text not null references receipts (id) on delete cascade, given_at text not null,
    primary key (principal, better, worse)
) without rowid
"""
_GRIDS = """
create table grids (
    id text primary key, owner text not null, name text not null, generator text not null, collections text not null,
    readers text not null, token text not null, principals text not null, seen_at text not null, made_at text not null,
    filling boolean not null default false, leased text not null default ''
);
create index grids_of on grids (owner, made_at);
create table grid_columns (
    id integer primary key autoincrement, grid_id text not null references grids (id) on delete cascade,
    name text not null, question text not null
);
create index grid_columns_of on grid_columns (grid_id);
create table grid_rows (
    grid_id text not null references grids (id) on delete cascade, doc_id text not null, place integer not null,
    left_out boolean not null default false, primary key (grid_id, doc_id)
) without rowid;
create table grid_cells (
    column_id integer not null references grid_columns (id) on delete cascade, doc_id text not null,
    mark text not null, receipt_id text references receipts (id) on delete set null, failed boolean not null,
    seconds real not null, primary key (column_id, doc_id)
) without rowid;
create index grid_cells_of_receipt on grid_cells (receipt_id)
"""

MIGRATIONS = ("",) * 7 + (
    _TABLES,
    _ADMIN_KEYS,
    _QUOTES,
    _CLAIMS,
    _DISAGREEMENTS,
    _SCOPES,
    _REQUEST_IDS,
    _THREADS,
    _PREFERENCES,
    _REPEATED,
    _RECEIPT_OF_REPEATED,
    _WATCHES,
    _CHAT_SCOPES,
    _SHARE_READERS,
    _ATTACHMENTS,
    _RATES,
    _FOLDERS,
    _SHELF,
    _BRANCHES,
    _PREFERRED,
    _GRIDS,
)
"""A file stores the number of its steps. The first release begins with 8: so many had the files of its development."""
