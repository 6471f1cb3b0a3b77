/**
 * Quota, retention and own language model of a workspace.
 *
 * The month is text, `2026-11`, in UTC by the database's clock: processes whose clocks differ, or jump, count in the same month.
 */
export const privacyMigration: readonly string[] = [
  `alter table workspaces
    -- Set by the operator of the instance; null: the quota of the plan. 0 allows none.
    add column monthly_question_allowance integer check (monthly_question_allowance >= 0),
    -- Conversations without activity for this long are purged; null keeps them.
    add column retention_days integer check (retention_days between 1 and 3650),
    add column llm_base_url text,
    add column llm_model text,
    -- Encrypted: see platform/secrets. The last four characters are shown, so that people can distinguish keys.
    add column llm_sealed_api_key text,
    add column llm_api_key_end text,
    add check ((llm_base_url is null) = (llm_model is null))`,
  `create table question_allowances (
    workspace_id uuid not null references workspaces on delete cascade,
    month text not null,
    used integer not null check (used >= 0),
    primary key (workspace_id, month)
  )`,
  // Usage per base, counted in the same statement as the total above, so that the sums agree. The base is not a foreign key: questions of
  // a deleted base still count.
  `create table question_usage (
    workspace_id uuid not null references workspaces on delete cascade,
    month text not null,
    knowledge_base_id uuid not null,
    used integer not null check (used >= 0),
    given_back integer not null default 0,
    primary key (workspace_id, month, knowledge_base_id)
  )`,
  `create function question_month() returns text language sql stable
    as $$ select to_char(now() at time zone 'utc', 'YYYY-MM') $$`,
  // The purge looks for the threads that were inactive longest.
  `create index threads_updated on threads (knowledge_base_id, updated_at)`,
  `create index threads_user on threads (knowledge_base_id, user_ref) where user_ref is not null`,
]
