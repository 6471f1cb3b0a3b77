/**
 * Sources, their content, and the index. Every table that belongs to a knowledge base has its id in the primary key, so that one base is
 * one shard of a cluster, and no statement can omit the base whose rows it reads.
 */
export const contentMigration: readonly string[] = [
  `create table source_groups (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    description text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index source_groups_id on source_groups (id)`,
  `create table sources (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    type text not null,
    config jsonb not null,
    version_label text,
    source_group_id uuid,
    visibility text not null check (visibility in ('public', 'restricted')),
    refresh text not null check (refresh in ('none', 'hourly', 'daily', 'weekly', 'monthly')),
    next_refresh_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index sources_id on sources (id)`,
  `create index sources_next_refresh on sources (next_refresh_at) where next_refresh_at is not null`,
  `create table syncs (
    knowledge_base_id uuid not null,
    id uuid not null,
    source_id uuid not null,
    status text not null
      check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
    counts jsonb not null,
    error text,
    cancel_requested boolean not null default false,
    -- The process that runs it: a worker only writes while it holds the lease, so that no two processes write one sync.
    lease uuid,
    heartbeat_at timestamptz,
    attempts integer not null default 0,
    started_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, source_id) references sources on delete cascade
  )`,
  `create index syncs_id on syncs (id)`,
  `create index syncs_source on syncs (source_id, created_at)`,
  // One sync per source at a time: a second request finds the first one.
  `create unique index syncs_one_at_once on syncs (knowledge_base_id, source_id)
    where status in ('queued', 'running')`,
  `create table sync_errors (
    knowledge_base_id uuid not null,
    sync_id uuid not null,
    ordinal integer not null,
    kind text not null check (kind in ('failed', 'skipped')),
    url text not null,
    reason text not null,
    primary key (knowledge_base_id, sync_id, ordinal),
    foreign key (knowledge_base_id, sync_id) references syncs on delete cascade
  )`,
  `create table documents (
    knowledge_base_id uuid not null,
    id uuid not null,
    source_id uuid not null,
    external_id text not null,
    url text not null,
    title text not null,
    language text,
    visibility text not null check (visibility in ('public', 'restricted')),
    -- The version whose chunks readers see; null until the first one is complete.
    live_version integer,
    -- The last version that any writer has started: no two writers share one.
    latest_version integer not null default 0,
    chunk_count integer not null default 0,
    content_hash text,
    -- Chunker version and embedding key of the chunks. If it changes, the document is indexed again.
    indexed_with text,
    source_modified_at timestamptz,
    indexed_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, source_id) references sources on delete cascade
  )`,
  `create index documents_id on documents (id)`,
  `create unique index documents_external_id on documents (knowledge_base_id, source_id, external_id)`,
  `create index documents_url on documents (knowledge_base_id, url)`,
  // The state that a connector keeps for an address between syncs.
  `create table source_pages (
    knowledge_base_id uuid not null,
    source_id uuid not null,
    url text not null,
    etag text,
    last_modified text,
    body_hash text,
    external_id text,
    state jsonb not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, source_id, url),
    foreign key (knowledge_base_id, source_id) references sources on delete cascade
  )`,
  `create table source_files (
    knowledge_base_id uuid not null,
    id uuid not null,
    source_id uuid not null,
    name text not null,
    media_type text not null,
    byte_length integer not null,
    sha256 text not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, source_id) references sources on delete cascade
  )`,
  `create unique index source_files_name on source_files (knowledge_base_id, source_id, name)`,
  // One partition per knowledge base, created when its first document is indexed: BM25 statistics, neighbours and deletes never mix
  // bases, and deleting a base drops its partition.
  `create table chunks (
    knowledge_base_id uuid not null,
    id uuid not null,
    document_id uuid not null,
    version integer not null,
    ordinal integer not null,
    heading_path text[] not null,
    anchor text,
    text text not null,
    -- Analysed words, the same for documents and questions: the only column that BM25 reads.
    terms text not null,
    -- Hash of the text that was embedded: an unchanged passage keeps its vector.
    embedded_hash text not null,
    primary key (knowledge_base_id, id)
  ) partition by list (knowledge_base_id)`,
  `create index chunks_document on chunks (document_id, version)`,
  `create table chunk_vectors (
    knowledge_base_id uuid not null,
    chunk_id uuid not null,
    document_id uuid not null,
    version integer not null,
    embedding_key text not null,
    embedding vector not null,
    primary key (knowledge_base_id, chunk_id, embedding_key)
  ) partition by list (knowledge_base_id)`,
  `create index chunk_vectors_document on chunk_vectors (document_id, version)`,
]
