/** What is to be done with tickets of help desks that this service drives itself, and how far each of them was read. */
export const helpDesksMigration: readonly string[] = [
  `alter table helpdesk_tickets
    -- When it is read again, and its next step taken; null: nothing is to be done.
    add column due_at timestamptz,
    -- Attempts of the step that failed.
    add column tries integer not null default 0`,
  `alter table helpdesk_tickets drop constraint helpdesk_tickets_status_check`,
  // 'posting': an answer was decided, and nothing is known of its post. 'unsure': it may have arrived.
  `alter table helpdesk_tickets add constraint helpdesk_tickets_status_check check (status in
    ('open', 'posting', 'unsure', 'answered', 'unanswered', 'escalated', 'drafted', 'observed', 'with_people'))`,
  `create index helpdesk_tickets_due on helpdesk_tickets (due_at) where due_at is not null`,
  `create table helpdesk_polls (
    knowledge_base_id uuid not null,
    integration_id uuid not null,
    -- Up to where its changes are known, in the help desk's own terms; null before the first reading.
    cursor text,
    -- The next reading. A process that reads moves it on first.
    next_at timestamptz not null,
    is_failing boolean not null,
    primary key (knowledge_base_id, integration_id),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
]
