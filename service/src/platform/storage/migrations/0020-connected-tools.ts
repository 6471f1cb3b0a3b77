export const connectedToolsMigration: readonly string[] = [
  // What a person allowed a tool at the portal, and an id for the connection. `reads_all`: every base that the person may chat in, also
  // future ones. At other servers the address decides, and neither column is read.
  `alter table connected_tools
    add column id uuid not null default gen_random_uuid(),
    add column reads_all boolean not null default false,
    add column knowledge_base_ids uuid[] not null default '{}',
    add column updated_at timestamptz not null default now()`,
  `create unique index connected_tools_id on connected_tools (id)`,
]
