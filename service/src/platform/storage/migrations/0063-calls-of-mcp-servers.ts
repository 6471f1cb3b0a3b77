/** Calls of the tools of an MCP server, by day and reader. No text of a call is stored. */
export const callsOfMcpServersMigration: readonly string[] = [
  `alter table mcp_servers add column last_used_at timestamptz`,
  `create table mcp_server_calls (
    knowledge_base_id uuid not null,
    mcp_server_id uuid not null,
    -- '2026-11-23', UTC.
    day text not null,
    -- A pseudonym of the reader at this server. Empty: those who are not told apart.
    reader text not null,
    calls integer not null,
    primary key (knowledge_base_id, mcp_server_id, day, reader),
    foreign key (knowledge_base_id, mcp_server_id) references mcp_servers (knowledge_base_id, id) on delete cascade
  )`,
]
