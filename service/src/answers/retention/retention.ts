import type { PurgeConversations, PurgedConversations } from '@citewell/contract/conversation-purge'
import { hasScope, isMember, mayAdminister, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import {
  deleteBatch,
  findBasesOf,
  findBasesWithRetention,
  type PurgeableRecords,
  type PurgeSelection,
  type RetentionDb,
} from './retention-store.ts'

export type { PurgeableRecords } from './retention-store.ts'

export interface RetentionDeps {
  db: RetentionDb
  /** The pseudonym of a reader whose name is masked. */
  pseudonymOf: (name: string) => string
  /** Records with readers' text that are owned by rooms above this one. */
  alsoPurged: readonly PurgeableRecords[]
}

const OWN: readonly PurgeableRecords[] = [
  { counts: 'conversations', table: 'threads', quietSince: 'updated_at', reader: 'user_ref' },
  { counts: 'reports', table: 'mcp_feedback', quietSince: 'created_at', reader: 'user_ref' },
]

/** Batch size of one statement: small enough not to block others, also on the single session of the embedded engine. */
const BATCH_SIZE = 200

const PURGES_EVERY_HOUR = '17 * * * *'

/**
 * Retention: deletes what is older than the retention period of its workspace, and what is purged on request. A conversation is
 * deleted with its messages, traces, ratings and webhook deliveries; the same rules apply to reports of AI tools, and to tickets that
 * help desks submitted for approval or simulation. Each batch is independent: the next purge continues one that was interrupted.
 */
export function createRetention({ db, pseudonymOf, alsoPurged }: RetentionDeps) {
  async function inBatches(
    kept: PurgeableRecords,
    of: { knowledgeBaseId: string; which: PurgeSelection },
    signal: AbortSignal,
  ): Promise<number> {
    let purged = 0
    for (;;) {
      signal.throwIfAborted()
      const { found, deleted } = await deleteBatch(db, kept, { ...of, most: BATCH_SIZE })
      purged += deleted
      if (found < BATCH_SIZE) return purged
    }
  }

  async function purgeBases(
    bases: readonly { knowledgeBaseId: string; which: PurgeSelection }[],
    signal: AbortSignal,
  ): Promise<PurgedConversations> {
    const purged = { conversations: 0, reports: 0, approvals: 0, simulations: 0 }
    for (const of of bases) {
      for (const kept of [...OWN, ...alsoPurged]) purged[kept.counts] += await inBatches(kept, of, signal)
    }
    return purged
  }

  /** Deletes what is beyond the retention period of its workspace, and returns how much it was. */
  async function purgeOld(signal: AbortSignal): Promise<PurgedConversations> {
    const bases = await findBasesWithRetention(db)
    return await purgeBases(
      bases.map(({ knowledgeBaseId, days }) => ({ knowledgeBaseId, which: { quietDays: days } })),
      signal,
    )
  }

  /**
   * Deletes the records of one reader in a workspace, or all of them.
   *
   * @throws Refusal NOT_FOUND for a workspace or base that the caller cannot see; FORBIDDEN for a caller who is not owner or admin
   */
  async function purge(
    caller: Caller,
    workspaceId: string,
    asked: PurgeConversations,
    signal: AbortSignal,
  ): Promise<PurgedConversations> {
    if (!isMember(caller, workspaceId))
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'admin') || !mayAdminister(caller, workspaceId)) throw new Refusal('FORBIDDEN')
    const bases = await findBasesOf(db, workspaceId, asked.knowledge_base_id)
    if (asked.knowledge_base_id !== undefined && bases.length === 0)
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    const which: PurgeSelection =
      asked.user === undefined ? 'all' : { userRefs: [asked.user, pseudonymOf(asked.user)] }
    return await purgeBases(
      bases.map((knowledgeBaseId) => ({ knowledgeBaseId, which })),
      signal,
    )
  }

  const job: Job = {
    name: 'purge-conversations',
    schedule: PURGES_EVERY_HOUR,
    handle: async (_data, signal) => {
      await purgeOld(signal)
    },
  }

  return { purge, purgeOld, jobs: [job] }
}

export type Retention = ReturnType<typeof createRetention>
