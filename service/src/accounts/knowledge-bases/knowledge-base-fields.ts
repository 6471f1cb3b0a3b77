import type { StoredBase } from './knowledge-bases-store.ts'
import { nextTime } from './schedule.ts'

type Writable = Pick<
  StoredBase,
  | 'name'
  | 'description'
  | 'type'
  | 'language'
  | 'respect_robots_txt'
  | 'scheduled_crawling'
  | 'persona'
  | 'tone'
  | 'standing_instructions'
  | 'workspace_members_can_chat'
>

type Objects = Pick<StoredBase, 'settings' | 'starter_questions' | 'pii_masking'>

type Some<Fields> = { [Key in keyof Fields]?: Fields[Key] | undefined }

/** What a PATCH gives: values replace, objects are merged key by key. */
export type KnowledgeBaseChanges = Some<Writable> & {
  [Key in keyof Objects]?: Some<Objects[Key]> | undefined
}

export type NewKnowledgeBase = KnowledgeBaseChanges & { name: string }

/** Leaves out undefined fields, so that they do not overwrite stored values. */
function given<Fields extends object>(
  fields: Fields,
): Partial<{ [Key in keyof Fields]: Exclude<Fields[Key], undefined> }> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<{ [Key in keyof Fields]: Exclude<Fields[Key], undefined> }>
}

/** A base with the changes applied. */
export function changedKnowledgeBase(
  before: StoredBase,
  changes: KnowledgeBaseChanges,
  now: Date,
): StoredBase {
  const { settings, starter_questions: questions, pii_masking: masking, ...plain } = changes
  const after: StoredBase = {
    ...before,
    ...given(plain),
    // What an owner gives is a choice, also if it is what was found; null is that it be found out.
    is_language_found: changes.language === undefined && before.is_language_found,
    settings: { ...before.settings, ...given(settings ?? {}) },
    starter_questions: { ...before.starter_questions, ...given(questions ?? {}) },
    pii_masking: { ...before.pii_masking, ...given(masking ?? {}) },
    updated_at: now,
  }
  if (after.scheduled_crawling === before.scheduled_crawling) return after
  return { ...after, next_crawl_at: nextTime(after.scheduled_crawling, now) }
}

/** A new base, with the defaults of the fields that were not given. */
export function newKnowledgeBase(
  given: NewKnowledgeBase,
  made: { id: string; workspaceId: string; now: Date },
): StoredBase {
  const defaults: StoredBase = {
    id: made.id,
    workspace_id: made.workspaceId,
    name: given.name,
    description: null,
    type: 'external',
    status: 'active',
    language: null,
    is_language_found: false,
    respect_robots_txt: true,
    settings: { mcp_documents_enabled: false },
    starter_questions: { mode: 'generated', questions: [] },
    scheduled_crawling: null,
    persona: null,
    tone: null,
    standing_instructions: null,
    pii_masking: { mask: [], custom_patterns: [], allow_list: [] },
    workspace_members_can_chat: true,
    next_crawl_at: null,
    created_at: made.now,
    updated_at: made.now,
  }
  return changedKnowledgeBase(defaults, given, made.now)
}
