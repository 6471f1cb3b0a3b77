import { newId } from '../../kernel/ids.ts'
import { parseJson } from '../../kernel/json.ts'
import { CHAIN_START, hashEntry, type ChainedEntry } from './activity-chain.ts'
import {
  appendEntry,
  listWorkspaceIdsOf,
  takeNextPlace,
  type ActivityDb,
  type PersonActivityDb,
} from './activity-log-store.ts'

/** Who did it: a person by one of their tokens or (null) in a browser, or a part of the service by itself. */
export type Actor = { userId: string; tokenId: string | null } | { system: string }

export interface Activity {
  workspaceId: string
  knowledgeBaseId?: string
  actor: Actor
  /** What was done: `knowledge_base.archived`. */
  action: string
  /** To what. `name` as it was at that time; leave it out for people, whose names are looked up. */
  target: { type: string; id: string; name?: string }
  /** What else is worth knowing, as JSON; no secrets, no names of people. */
  details?: Record<string, unknown>
  at: Date
}

/**
 * Writes down what is being done, in the transaction that does it: one does not happen without the other.
 *
 * Call it last in that transaction. It makes the workspace's other writers wait until the transaction ends, and whoever locks
 * another row after it could wait for somebody who waits for them.
 *
 * @example
 * await recordActivity(transaction, { workspaceId, actor: caller, action: 'member.removed', target: { type: 'member', id }, at })
 */
export async function recordActivity(transaction: ActivityDb, activity: Activity): Promise<void> {
  const { actor, target, workspaceId } = activity
  const { sequence, previousHash } = await takeNextPlace(transaction, workspaceId, CHAIN_START)
  const entry: ChainedEntry = {
    workspace_id: workspaceId,
    sequence,
    id: newId(activity.at),
    knowledge_base_id: activity.knowledgeBaseId ?? null,
    actor_user_id: 'userId' in actor ? actor.userId : null,
    actor_token_id: 'userId' in actor ? actor.tokenId : null,
    actor_system: 'userId' in actor ? null : actor.system,
    action: activity.action,
    target_type: target.type,
    target_id: target.id,
    target_name: target.name === undefined ? null : storable(target.name),
    details: storableDetails(activity.details ?? {}),
    at: activity.at,
  }
  await appendEntry(transaction, entry, hashEntry(previousHash, entry))
}

/**
 * The same for what is done to a person: it is in the log of each workspace that they are in, and in one order for everybody,
 * since two who each wait for the other's log would wait for ever.
 */
export async function recordAboutPerson(
  transaction: PersonActivityDb,
  userId: string,
  activity: Omit<Activity, 'workspaceId' | 'knowledgeBaseId'>,
): Promise<void> {
  for (const workspaceId of await listWorkspaceIdsOf(transaction, userId)) {
    await recordActivity(transaction, { ...activity, workspaceId })
  }
}

/** As the database gives it back, which is what the audit hashes: it keeps no half characters, and no NUL. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD')

function storableDetails(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  )
  return parseJson(text) as Record<string, unknown>
}
