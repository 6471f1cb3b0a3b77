import type { OwnedCounts } from '@citewell/contract/knowledge-base-deletion'
import type { CreatedKnowledgeBase } from '@citewell/contract/knowledge-bases'
import type { AffectedByType } from '@citewell/contract/type-change'
import type { Caller } from '../permissions/permissions.ts'
import type { NamedRecords } from '../../platform/storage/base-records.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import type { StoredBase } from './knowledge-bases-store.ts'
import type { RecordPlace } from './record-place.ts'

/** The records that an external base starts with. */
export type FirstRecords = Pick<CreatedKnowledgeBase, 'client_key' | 'widget'>

/** Rows of a base that a room stores. */
export interface OwnedRows {
  counts: keyof OwnedCounts
  count(db: WholeDb, knowledgeBaseId: string): Promise<number>
}

/** Rows that a change of the type to internal concerns. */
export interface AffectedRows {
  shows: keyof AffectedByType
  name(db: WholeDb, knowledgeBaseId: string): Promise<NamedRecords>
}

/** A base as it was created, or as it is after its type changed. */
export interface BaseEvent {
  caller: Caller
  base: StoredBase
  newId: () => string
  now: Date
}

/**
 * What a room does in the transactions of a knowledge base, and what it stores of one. Each room that stores something of a base exports its
 * own; the composition lists them. What a hook returns is part of the response.
 */
export interface BaseHooks {
  /** Its records with endpoints of their own, whose changes the activity log tells by workspace, base and name. */
  records?: readonly RecordPlace[]
  /** Counted before a deletion, which deletes them. */
  owned?: readonly OwnedRows[]
  /** Named before the base becomes internal: what stops, what goes on, and what is restricted. */
  affectedByInternal?: readonly AffectedRows[]
  onCreated?(transaction: WholeDb, created: BaseEvent): Promise<Partial<FirstRecords>>
  /** The base may be turned external again: what it lacks then is created. */
  onTypeChanged?(transaction: WholeDb, changed: BaseEvent): Promise<Partial<FirstRecords>>
  onArchived?(transaction: WholeDb, knowledgeBaseId: string, now: Date): Promise<void>
}

/** Runs one hook of all rooms, in their order, and joins what they return. */
export async function runBaseHooks(
  hooks: readonly BaseHooks[],
  name: 'onCreated' | 'onTypeChanged',
  transaction: WholeDb,
  event: BaseEvent,
): Promise<Partial<FirstRecords>> {
  const made: Partial<FirstRecords> = {}
  for (const hook of hooks) Object.assign(made, await hook[name]?.(transaction, event))
  return made
}
