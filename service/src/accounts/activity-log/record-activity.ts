import { newId } from '../../kernel/ids.ts'
import { parseJson } from '../../kernel/json.ts'
import { CHAIN_START, hashEntry, type ChainedEntry } from './activity-chain.ts'
import {
  appendEntry,
  listWorkspaceIdsOf,
  lockChainHead,
  type ActivityDb,
  type PersonActivityDb,
} from './activity-log-store.ts'

/** Who did it: a person with an access token or (null) in a browser, or a part of the service. */
export type Actor = { userId: string; tokenId: string | null } | { system: string }

export interface Activity {
  workspaceId: string
  knowledgeBaseId?: string
  actor: Actor
  /** What was done: `knowledge_base.archived`. */
  action: string
  /** The target. `name` is its name at that time; leave it out for people, whose names are looked up. */
  target: { type: string; id: string; name?: string }
  /** Further details as JSON; no secrets, no names of people. */
  details?: Record<string, unknown>
  at: Date
}

/**
 * Records an activity in the transaction that performs it, so that neither happens without the other.
 *
 * Call it last in that transaction. It makes the workspace's other writers wait until the transaction ends; locking another row
 * after it could deadlock.
 *
 * @example
 * await recordActivity(transaction, { workspaceId, actor: caller, action: 'member.removed', target: { type: 'member', id }, at })
 */
export async function recordActivity(transaction: ActivityDb, activity: Activity): Promise<void> {
  const { actor, target, workspaceId } = activity
  const { sequence, previousHash } = await lockChainHead(transaction, workspaceId, CHAIN_START)
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
 * The same for what is done to a person: it is recorded in the log of each workspace that they are in, always in the same order, so
 * that two transactions cannot deadlock on each other's logs.
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

/** The text as the database returns it, which is what the audit hashes: it stores no lone surrogates and no NUL. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD')

function storableDetails(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details, (_key, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  )
  return parseJson(text) as Record<string, unknown>
}
