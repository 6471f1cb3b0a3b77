/** What chat platforms and help desks deliver, what is posted to them, and which of their threads is which conversation here. */
export const platformsMigration: readonly string[] = [
  // Why the integration cannot work at present, in words for its owner; null after the next success.
  `alter table integrations add column problem text, add column problem_at timestamptz`,
  `create table platform_events (
    knowledge_base_id uuid not null,
    integration_id uuid not null,
    -- The platform's own id of the delivery: the same again is a repetition.
    delivery_id text not null,
    seq bigint generated always as identity,
    -- Events of one lane are handled one after the other.
    lane text not null,
    -- What was delivered, until it is handled; null with zero retention, and afterwards.
    sealed_body text,
    status text not null check (status in ('received', 'handling', 'done', 'failed')),
    attempts integer not null,
    -- The process that handles it.
    claim uuid,
    claimed_at timestamptz,
    error text,
    received_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, integration_id, delivery_id),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
  `create index platform_events_open on platform_events (knowledge_base_id, integration_id, lane, seq) where status in ('received', 'handling')`,
  `create index platform_events_received on platform_events (received_at)`,
  `create table platform_posts (
    knowledge_base_id uuid not null,
    id uuid not null,
    integration_id uuid not null,
    seq bigint generated always as identity,
    -- The channel or ticket: posts of one lane are sent in order.
    lane text not null,
    -- What is sent, until it has an outcome.
    sealed_body text,
    status text not null check (status in ('pending', 'sending', 'posted', 'failed', 'unknown')),
    attempts integer not null,
    not_before timestamptz,
    -- The platform's id of the post.
    platform_ref text,
    error text,
    attempted_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
  `create index platform_posts_open on platform_posts (knowledge_base_id, integration_id, lane, seq) where status in ('pending', 'sending')`,
  `create index platform_posts_created on platform_posts (created_at)`,
  `create table platform_conversations (
    knowledge_base_id uuid not null,
    integration_id uuid not null,
    -- The platform's thread.
    conversation text not null,
    thread_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, integration_id, conversation),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade,
    foreign key (knowledge_base_id, thread_id) references threads on delete cascade
  )`,
  `create index platform_conversations_thread on platform_conversations (knowledge_base_id, thread_id)`,
]
