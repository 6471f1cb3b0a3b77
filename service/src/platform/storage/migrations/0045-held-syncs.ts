/**
 * Syncs whose documents wait: new versions are written beside the live ones, and one transaction makes all of them live.
 *
 * A search of the future, with which both states are compared, is the usual one on the view `held_versions.documents`: the functions that
 * search name `documents` without a schema, so a `search_path` that begins with `held_versions` is all that differs.
 */
export const heldSyncsMigration: readonly string[] = [
  // Null: documents of the source become visible as they are read.
  `alter table sources add column hold_back_drop double precision check (hold_back_drop >= 0 and hold_back_drop < 1)`,
  // Null: nothing was held. open: it is being read or measured. released: measured, and not held back. superseded: a later sync took its
  // documents over.
  `alter table syncs add column hold_status text
    check (hold_status in ('open', 'waiting', 'released', 'accepted', 'discarded', 'superseded'))`,
  // What the evaluation set found. Null until it is measured, or if there is nothing to measure with.
  `alter table syncs add column hold_figures jsonb`,
  `alter table syncs add column hold_decided_at timestamptz`,
  `create unique index syncs_held on syncs (knowledge_base_id, source_id) where hold_status in ('open', 'waiting')`,
  `create table held_documents (
    knowledge_base_id uuid not null,
    document_id uuid not null,
    source_id uuid not null,
    -- Its passages have this version. Null: the document goes.
    version integer,
    url text,
    title text,
    language text,
    chunk_count integer,
    -- Counted in the document's own bytes as long as it is held.
    stored_bytes bigint not null default 0,
    content_hash text,
    indexed_with text,
    source_modified_at timestamptz,
    -- Its source shows it to everyone since: it is restricted here until it is released.
    follows_source boolean not null default false,
    held_at timestamptz not null,
    primary key (knowledge_base_id, document_id),
    foreign key (knowledge_base_id, document_id) references documents on delete cascade
  )`,
  `create index held_documents_source on held_documents (knowledge_base_id, source_id)`,
  `create schema held_versions`,
  `create view held_versions.documents as
    select d.knowledge_base_id, d.id, d.source_id, d.visibility,
      coalesce(h.url, d.url) as url, coalesce(h.title, d.title) as title,
      case when h.document_id is null then d.live_version else h.version end as live_version,
      coalesce(h.chunk_count, d.chunk_count) as chunk_count
    from documents d
    left join held_documents h on h.knowledge_base_id = d.knowledge_base_id and h.document_id = d.id
      and h.source_id = nullif(current_setting('citewell.held_source', true), '')::uuid`,
]
