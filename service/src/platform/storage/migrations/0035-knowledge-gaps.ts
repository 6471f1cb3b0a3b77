/** Groups of questions that the documentation does not answer, with what was done about them. */
export const knowledgeGapsMigration: readonly string[] = [
  `create table knowledge_gaps (
    knowledge_base_id uuid not null references knowledge_bases on delete cascade,
    id uuid not null,
    status text not null check (status in ('open', 'resolved', 'dismissed')),
    note text,
    custom_answer_id uuid,
    -- When it was last resolved; kept while it is open again.
    resolved_at timestamptz,
    -- When a question of it was asked after that, and not covered.
    reopened_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (knowledge_base_id, id),
    foreign key (knowledge_base_id, custom_answer_id) references custom_answers on delete set null (custom_answer_id)
  )`,
  `create index knowledge_gaps_id on knowledge_gaps (id)`,
  `create index knowledge_gaps_custom_answer on knowledge_gaps (knowledge_base_id, custom_answer_id)`,
  // A question is in one gap, and stays in it.
  `create table knowledge_gap_questions (
    knowledge_base_id uuid not null,
    message_id uuid not null,
    gap_id uuid not null,
    -- Whether it was covered when it was last asked again, and when that was.
    replay_covered boolean,
    replayed_at timestamptz,
    primary key (knowledge_base_id, message_id),
    foreign key (knowledge_base_id, message_id) references messages on delete cascade,
    foreign key (knowledge_base_id, gap_id) references knowledge_gaps on delete cascade
  )`,
  `create index knowledge_gap_questions_gap on knowledge_gap_questions (knowledge_base_id, gap_id)`,
  // A gap has no text but that of its questions and the note on them: with the last question it goes, whoever deletes that.
  `create function remove_empty_knowledge_gap() returns trigger language plpgsql as $$
    begin
      delete from knowledge_gaps gap
      where gap.knowledge_base_id = old.knowledge_base_id and gap.id = old.gap_id and not exists (
        select 1 from knowledge_gap_questions question
        where question.knowledge_base_id = old.knowledge_base_id and question.gap_id = old.gap_id);
      return null;
    end
  $$`,
  `create trigger remove_empty_knowledge_gap after delete on knowledge_gap_questions
    for each row execute function remove_empty_knowledge_gap()`,
]
