/** Webhooks with the log of their deliveries; bots, help-desk integrations and agent apps; approvals and simulations. */
export const hooksMigration: readonly string[] = [
  `create table webhook_triggers (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    name text not null,
    url text not null,
    -- Scheme, host and port: concurrent deliveries are counted per origin.
    origin text not null,
    events text[] not null,
    sealed_secret text,
    -- When the receiver answered 410 (gone); null while it is live.
    gone_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index webhook_triggers_id on webhook_triggers (id)`,
  `create table webhook_deliveries (
    knowledge_base_id uuid not null,
    id uuid not null,
    trigger_id uuid not null,
    -- The conversation that the body is about: deleting it deletes its deliveries.
    thread_id uuid,
    -- The same for every retry: lets the receiver detect duplicates.
    message_id uuid not null,
    redelivery_of uuid,
    event text not null,
    body text not null,
    origin text not null,
    status text not null check (status in ('pending', 'sending', 'delivered', 'failed', 'unknown', 'cancelled')),
    response_status integer,
    response_body text,
    error text,
    duration_ms integer,
    attempted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, trigger_id) references webhook_triggers on delete cascade,
    foreign key (knowledge_base_id, thread_id) references threads on delete cascade
  )`,
  `create index webhook_deliveries_id on webhook_deliveries (id)`,
  `create index webhook_deliveries_trigger on webhook_deliveries (knowledge_base_id, trigger_id, id)`,
  `create index webhook_deliveries_thread on webhook_deliveries (knowledge_base_id, thread_id)`,
  `create index webhook_deliveries_created on webhook_deliveries (created_at)`,
  // Few deliveries are open, however long the log is.
  `create index webhook_deliveries_open on webhook_deliveries (id) where status in ('pending', 'sending')`,
  `create table integrations (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    kind text not null check (kind in ('bot', 'helpdesk_integration', 'agent_app')),
    name text not null,
    -- The chat platform or help desk; null for agent apps.
    platform text,
    -- What a help-desk integration handles, tickets or chats; null for the others.
    handles text check (handles in ('tickets', 'chats')),
    description text,
    enabled boolean not null,
    config jsonb not null,
    sealed_credentials text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id)
  )`,
  `create index integrations_id on integrations (id)`,
  `create table helpdesk_tickets (
    knowledge_base_id uuid not null,
    integration_id uuid not null,
    ticket_id text not null,
    -- The conversation of its answers; null if none is stored.
    thread_id uuid,
    answers_given integer not null,
    -- The message that is being answered: no other process takes the next one meanwhile.
    answering_since timestamptz,
    -- Who handles it, the automation or people, and why.
    status text not null check (status in ('open', 'answered', 'unanswered', 'escalated')),
    reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, integration_id, ticket_id),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
  `create table approvals (
    knowledge_base_id uuid not null,
    id uuid not null,
    agent_id uuid not null,
    kind text not null check (kind in ('reply', 'action')),
    title text not null,
    content text not null,
    decision text check (decision in ('approved', 'rejected')),
    comment text,
    decided_by uuid,
    decided_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, agent_id) references integrations on delete cascade
  )`,
  `create index approvals_id on approvals (id)`,
  `create table simulations (
    knowledge_base_id uuid not null,
    id uuid not null,
    integration_id uuid not null,
    name text not null,
    status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    total integer not null,
    error text,
    lease uuid,
    heartbeat_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
  `create index simulations_id on simulations (id)`,
  `create index simulations_open on simulations (id) where status in ('queued', 'running')`,
  `create table simulation_tickets (
    knowledge_base_id uuid not null,
    simulation_id uuid not null,
    ordinal integer not null,
    ref text,
    subject text,
    body text not null,
    outcome text check (outcome in ('deflected', 'low_confidence', 'answer_failed')),
    confidence real,
    answer text,
    citations jsonb not null,
    primary key (knowledge_base_id, simulation_id, ordinal),
    foreign key (knowledge_base_id, simulation_id) references simulations on delete cascade
  )`,
]
