/**
 * Approximate storage of a workspace: a counter updated by every statement that adds or removes a document or a file, on any code path.
 * The statement's own transaction locks the counter's row, so that two concurrent additions see each other.
 */
export const storedBytesMigration: readonly string[] = [
  `create table workspace_storage (
    workspace_id uuid primary key references workspaces on delete cascade,
    bytes bigint not null
  )`,
  `alter table documents add column stored_bytes bigint not null default 0`,
  // The same sum as in content/indexing/stored-bytes.ts.
  `update documents d set stored_bytes = passages.bytes + coalesce(words.bytes, 0)
    from (
      select c.knowledge_base_id, c.document_id, c.version,
        sum(1000 + 2 * octet_length(c.text) + 2 * octet_length(c.terms) + coalesce(octet_length(c.reading), 0)
          + coalesce(8 * vector_dims(v.embedding) + octet_length(v.sentences), 8 * vector_dims(v.embedding), 0)) as bytes
      from chunks c left join chunk_vectors v on v.knowledge_base_id = c.knowledge_base_id and v.chunk_id = c.id
      group by c.knowledge_base_id, c.document_id, c.version
    ) passages
    left join (select knowledge_base_id, document_id, version, 2 * octet_length(terms) as bytes from page_words) words
      using (knowledge_base_id, document_id, version)
    where passages.knowledge_base_id = d.knowledge_base_id and passages.document_id = d.id
      and passages.version = d.live_version`,
  `insert into workspace_storage (workspace_id, bytes)
    select b.workspace_id, sum(stored.bytes) from knowledge_bases b join (
      select knowledge_base_id, stored_bytes as bytes from documents
      union all select knowledge_base_id, byte_length from source_files
    ) stored on stored.knowledge_base_id = b.id
    group by b.workspace_id`,
  // A deleted base has no workspace to count for: its storage was subtracted when it was deleted.
  `create function count_stored_bytes(of_base uuid, added bigint) returns void language sql as $$
    insert into workspace_storage (workspace_id, bytes)
      select workspace_id, added from knowledge_bases where id = of_base and added <> 0
    on conflict (workspace_id) do update set bytes = workspace_storage.bytes + excluded.bytes
  $$`,
  `create function count_changed_document() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(new.knowledge_base_id, new.stored_bytes - old.stored_bytes);
    return null;
  end $$`,
  `create trigger count_changed_document after update of stored_bytes on documents
    for each row when (old.stored_bytes <> new.stored_bytes) execute function count_changed_document()`,
  `create function count_removed_documents() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(knowledge_base_id, -sum(stored_bytes)::bigint) from gone group by knowledge_base_id;
    return null;
  end $$`,
  // Once per statement: otherwise the counter would get a row version for each document of a large source.
  `create trigger count_removed_documents after delete on documents
    referencing old table as gone for each statement execute function count_removed_documents()`,
  `create function count_added_file() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(new.knowledge_base_id, new.byte_length);
    return null;
  end $$`,
  `create trigger count_added_file after insert on source_files
    for each row execute function count_added_file()`,
  `create function count_changed_file() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(new.knowledge_base_id, new.byte_length - old.byte_length);
    return null;
  end $$`,
  `create trigger count_changed_file after update of byte_length on source_files
    for each row when (old.byte_length <> new.byte_length) execute function count_changed_file()`,
  `create function count_removed_files() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(knowledge_base_id, -sum(byte_length)::bigint) from gone group by knowledge_base_id;
    return null;
  end $$`,
  `create trigger count_removed_files after delete on source_files
    referencing old table as gone for each statement execute function count_removed_files()`,
  // Before the delete: the row is locked by then, so that nothing can be added, and its documents still exist.
  `create function count_removed_base() returns trigger language plpgsql as $$ begin
    perform count_stored_bytes(old.id, -(
      (select coalesce(sum(stored_bytes), 0) from documents where knowledge_base_id = old.id)
      + (select coalesce(sum(byte_length), 0) from source_files where knowledge_base_id = old.id))::bigint);
    return old;
  end $$`,
  `create trigger count_removed_base before delete on knowledge_bases
    for each row execute function count_removed_base()`,
]
