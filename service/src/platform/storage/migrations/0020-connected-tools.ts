export const connectedToolsMigration: readonly string[] = [
  // What a person chose for a tool at the portal, and an id to name the connection by. `reads_all`: every base that the person may
  // chat in, also those they get later. At other servers the address decides, and neither is looked at.
  `alter table connected_tools
    add column id uuid not null default gen_random_uuid(),
    add column reads_all boolean not null default false,
    add column knowledge_base_ids uuid[] not null default '{}',
    add column updated_at timestamptz not null default now()`,
  `create unique index connected_tools_id on connected_tools (id)`,
]
