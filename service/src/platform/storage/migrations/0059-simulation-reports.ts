/** What the report of a simulation counts by, what was left out of it, and what reviewers say. */
export const simulationReportsMigration: readonly string[] = [
  // left_out and gaps are lists, sample and base_state objects or null, as the contract has them.
  `alter table simulations
    add column left_out jsonb not null default '[]',
    add column sample jsonb not null default 'null',
    add column gaps jsonb not null default '[]',
    add column base_state jsonb not null default 'null'`,
  `alter table simulation_tickets
    add column asked_at timestamptz,
    add column tags jsonb not null default '[]',
    add column language text,
    add column agent_reply text,
    add column like_agent double precision,
    add column review text check (review in ('right', 'partly', 'wrong')),
    add column own_documents int not null default 0`,
]
