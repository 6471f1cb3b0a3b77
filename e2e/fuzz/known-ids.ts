import type { Random } from './random.ts'

/** Ids of records that exist, by the word before them in an address. */
export interface KnownIds {
  /** Of a record to be used: never one that some operation is about to end. */
  toUse(noun: string, random: Random): string | undefined
  /** Of a record made on the way: it may be archived, changed or deleted. */
  toEnd(noun: string, random: Random): string | undefined
  keep(noun: string, id: string): void
  /** A record that a request has just made. */
  spare(noun: string, id: string): void
}

/** What a parameter names, where the word before it is another. */
const NOUNS: Readonly<Record<string, string>> = {
  'widget-integrations': 'widgets',
  'form-deflect': 'conversations',
  feedback: 'messages',
  grants: 'users',
  members: 'users',
}

/** What the fields of bodies name. */
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

/** Puts ids of records that exist where a body names others. */
export function fillIds(value: unknown, ids: KnownIds, random: Random): void {
  if (typeof value !== 'object' || value === null) return
  for (const [field, inside] of Object.entries(value)) {
    const noun = NOUN_OF_FIELD[field]
    const id = noun === undefined || inside === null ? undefined : ids.toUse(noun, random)
    if (id !== undefined) Reflect.set(value, field, id)
    else fillIds(inside, ids, random)
  }
}

/** As many spare records of a kind are remembered: more would only be memory. */
const MOST_SPARES = 50

export function createKnownIds(): KnownIds {
  const kept = new Map<string, string[]>()
  const spares = new Map<string, string[]>()
  const add = (ids: Map<string, string[]>, noun: string, id: string) =>
    ids.set(noun, [...(ids.get(noun) ?? []).slice(-MOST_SPARES), id])
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
