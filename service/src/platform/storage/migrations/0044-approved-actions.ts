/** What an approval carries out: a declared action of its agent app, or a reply on a ticket. */
export const approvedActionsMigration: readonly string[] = [
  `alter table approvals
    -- The declared action; null if nothing is carried out here.
    add column action_name text,
    -- What it gets.
    add column action_input jsonb not null default '{}',
    -- What the person who decided made of the text; the agent's own stays beside it.
    add column edited_content text,
    -- The agent's own id: asking with it again is a repetition.
    add column dedupe_key text,
    -- From then on it cannot be approved; null: always.
    add column expires_at timestamptz,
    add column execution text check (execution in ('waiting', 'done', 'failed', 'unknown')),
    add column execution_note text,
    add column executed_at timestamptz`,
  `create unique index approvals_dedupe_key on approvals (knowledge_base_id, agent_id, dedupe_key) where dedupe_key is not null`,
]
