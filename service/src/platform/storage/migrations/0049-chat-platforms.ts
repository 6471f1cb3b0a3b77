/** Ratings of posts, and who asked for a person. */
export const chatPlatformsMigration: readonly string[] = [
  // The answer that the post shows, for platforms that rate the post.
  `alter table platform_posts add column message_id uuid`,
  `create index platform_posts_rated on platform_posts (knowledge_base_id, integration_id, platform_ref) where message_id is not null`,
  // Those whose process died while it posted are looked for now and then.
  `create index helpdesk_tickets_posting on helpdesk_tickets (updated_at) where status = 'posting'`,
  `create table platform_hand_overs (
    knowledge_base_id uuid not null,
    integration_id uuid not null,
    -- The platform's thread: a person is asked for it once.
    conversation text not null,
    -- The channel, or the help-desk integration.
    target text not null,
    created_at timestamptz not null,
    primary key (knowledge_base_id, integration_id, conversation),
    foreign key (knowledge_base_id, integration_id) references integrations on delete cascade
  )`,
]
