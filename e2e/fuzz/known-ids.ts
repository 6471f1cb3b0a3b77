import type { Random } from './random.ts'

/** Ids of existing records, by the path segment before them. */
export interface KnownIds {
  /** A record to use: never one that an operation may end. */
  toUse(noun: string, random: Random): string | undefined
  /** A record created by the fuzzer: it may be archived, changed or deleted. */
  toEnd(noun: string, random: Random): string | undefined
  keep(noun: string, id: string): void
  /** Adds a record that a request has just created. */
  spare(noun: string, id: string): void
}

/** The record kind of a path parameter, if it differs from the segment before it. */
const NOUNS: Readonly<Record<string, string>> = {
  'widget-integrations': 'widgets',
  'form-deflect': 'conversations',
  feedback: 'messages',
  grants: 'users',
  members: 'users',
}

/** The record kind of id fields in bodies. */
const NOUN_OF_FIELD: Readonly<Record<string, string>> = {
  message_id: 'messages',
  thread_id: 'threads',
  user_id: 'users',
  agent_id: 'agent-apps',
  integration_id: 'helpdesk-integrations',
  source_group_id: 'source-groups',
  workspace_id: 'workspaces',
  widget_id: 'widgets',
  form_id: 'form-deflectors',
}

/** Replaces ids in a body with those of existing records. */
export function fillIds(value: unknown, ids: KnownIds, random: Random): void {
  if (typeof value !== 'object' || value === null) return
  for (const [field, inside] of Object.entries(value)) {
    const noun = NOUN_OF_FIELD[field]
    const id = noun === undefined || inside === null ? undefined : ids.toUse(noun, random)
    if (id !== undefined) Reflect.set(value, field, id)
    else fillIds(inside, ids, random)
  }
}

/** Maximum number of spare records of a kind: more would only use memory. */
const MAX_SPARES = 50

export function createKnownIds(): KnownIds {
  const kept = new Map<string, string[]>()
  const spares = new Map<string, string[]>()
  const add = (ids: Map<string, string[]>, noun: string, id: string) =>
    ids.set(noun, [...(ids.get(noun) ?? []).slice(-MAX_SPARES), id])
  const from = (ids: readonly string[], random: Random) => (ids.length === 0 ? undefined : random.pick(ids))
  return {
    keep: (noun, id) => void add(kept, noun, id),
    spare: (noun, id) => void add(spares, noun, id),
    toUse: (word, random) => {
      const noun = NOUNS[word] ?? word
      return from([...(kept.get(noun) ?? []), ...(spares.get(noun) ?? [])], random)
    },
    toEnd: (word, random) => from(spares.get(NOUNS[word] ?? word) ?? [], random),
  }
}
