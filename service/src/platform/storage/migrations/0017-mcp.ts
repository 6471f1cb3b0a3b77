/** Feedback of AI tools over MCP: a wrong answer, or something that the documentation does not cover. */
export const mcpMigration: readonly string[] = [
  `create table mcp_feedback (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    message text not null,
    url text,
    server_name text,
    client_key_id uuid,
    -- The signed-in reader or member; null on an API key server.
    user_ref text,
    created_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
]
