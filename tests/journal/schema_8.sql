-- The tables of data/app.sqlite as the eight steps before 22 November 2026 made them.

    create table receipts (
        id text primary key, asked_at text not null, principal text not null, question text not null,
        mode text not null, filters text not null, version text not null, model text not null,
        prompt_hash text not null, hits text not null, answer text not null, abstained integer not null,
        citations text not null, warnings text not null, took_ms text not null
    );
    create index receipts_asked_at on receipts (asked_at);
    create table receipt_documents (
        doc_id text not null, receipt_id text not null references receipts (id) on delete cascade,
        primary key (doc_id, receipt_id)
    ) without rowid;
    
    create table chats (
        id text primary key, principal text not null, title text not null, created_at text not null
    );
    create table messages (
        id integer primary key, chat_id text not null references chats (id) on delete cascade,
        role text not null check (role in ('user', 'assistant')), content text not null,
        receipt_id text references receipts (id) on delete set null, created_at text not null
    );
    create index messages_chat on messages (chat_id, id);
    create table feedback (
        receipt_id text not null references receipts (id) on delete cascade, principal text not null,
        good integer not null, comment text not null, given_at text not null,
        primary key (receipt_id, principal)
    ) without rowid;
    
    alter table receipts add column k integer;
    alter table receipts add column settings text not null default '{}';
    alter table receipt_documents add column cited integer not null default 1;
    insert or ignore into receipt_documents (doc_id, receipt_id, cited)
        select distinct json_extract(hit.value, '$.doc_id'), receipts.id, 0 from receipts, json_each(receipts.hits) hit;
    create table forgotten_documents (doc_id text primary key) without rowid;
    
    create table tokens (
        id text primary key, name text not null unique, role text not null check (role in ('reader', 'editor')),
        principals text not null, hash blob not null, created_at text not null, created_by text not null
    );
    
    alter table receipts add column standalone text not null default '';
    alter table receipts add column queries text not null default '[]';
    alter table receipts add column history text not null default '[]';
    create table forgotten_answers (
        mark text not null, doc_id text not null, primary key (mark, doc_id)
    ) without rowid;
    
    alter table receipts add column claims integer not null default 0;
    alter table receipts add column unsupported integer not null default 0;
    
    alter table receipts add column reasoning text not null default '';
    alter table messages add column stopped integer not null default 0;
    alter table chats add column used_at text not null default '';
    update chats set used_at =
        coalesce((select max(created_at) from messages where chat_id = chats.id), chats.created_at);
    create index chats_of on chats (principal, used_at);
    create table shares (
        token text primary key, chat_id text not null unique references chats (id) on delete cascade,
        last_message integer not null, created_at text not null
    ) without rowid;
    alter table feedback add column reason text not null default '';
    create table proposals (
        receipt_id text primary key references receipts (id) on delete cascade, proposed_at text not null,
        state text not null default 'open' check (state in ('open', 'accepted', 'dismissed')),
        settled_by text not null default '', settled_at text not null default ''
    ) without rowid;
    insert into proposals (receipt_id, proposed_at)
        select distinct receipt_id, given_at from feedback join receipts on receipts.id = receipt_id
        where not good or abstained group by receipt_id;
    
    alter table receipts add column total_ms real generated always as (json_extract(took_ms, '$.total')) virtual;
    alter table receipts add column search_ms real generated always as (json_extract(took_ms, '$.search')) virtual;
    alter table receipts add column generate_ms real generated always as (json_extract(took_ms, '$.generate')) virtual;
    alter table receipts add column verify_ms real generated always as (json_extract(took_ms, '$.verify')) virtual;
    create index receipts_usage on receipts (asked_at, abstained, total_ms, search_ms, generate_ms, verify_ms);
    create index receipts_unanswered on receipts (asked_at) where abstained;
    create table uses (
        day text not null, kind text not null, count integer not null, primary key (day, kind)
    ) without rowid;
    
pragma user_version = 8;
