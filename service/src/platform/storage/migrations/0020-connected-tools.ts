/** Places of the functions that a search is made of where groups narrow what is read, in the order in which they call each other. */
const NARROWED_FUNCTIONS = [
  'search_chunks_by_terms',
  'search_pages_by_terms',
  'has_few_readable_chunks',
  'search_few_chunks_by_vector',
  'search_chunks_by_vector',
  'read_candidates',
]

export const connectedToolsMigration: readonly string[] = [
  // What a person chose for a tool at the portal, and an id to name the connection by. `reads_all`: every base that the person may
  // chat in, also those they get later. At other servers the address decides, and neither is looked at.
  `alter table connected_tools
    add column id uuid not null default gen_random_uuid(),
    add column reads_all boolean not null default false,
    add column knowledge_base_ids uuid[] not null default '{}',
    add column updated_at timestamptz not null default now()`,
  `create unique index connected_tools_id on connected_tools (id)`,
  // A search may be narrowed to single sources too. Ids of groups and of sources are told apart by themselves, so one list holds
  // either: what was written for groups reads both.
  `do $do$
  declare
    definition text;
  begin
    for definition in
      select pg_get_functiondef(oid) from pg_proc
      where proname in (${NARROWED_FUNCTIONS.map((name) => `'${name}'`).join(', ')})
        and pronamespace = current_schema()::regnamespace
    loop
      execute regexp_replace(definition, 's\\.source_group_id = any \\((\\$3|only_groups)\\)',
        '(s.source_group_id = any (\\1) or s.id = any (\\1))', 'g');
    end loop;
  end $do$`,
]
