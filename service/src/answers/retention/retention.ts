import type { PurgeConversations, PurgedConversations } from '@citewell/contract/conversation-purge'
import { hasScope, isMember, mayAdminister, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import {
  deleteKept,
  findBasesOf,
  findBasesThatForget,
  type KeptRecords,
  type Purged,
  type RetentionDb,
} from './retention-store.ts'

export type { KeptRecords } from './retention-store.ts'

export interface RetentionDeps {
  db: RetentionDb
  /** The name under which a reader is known where their own is masked. */
  pseudonymOf: (name: string) => string
  /** What rooms above keep of the words of people. */
  alsoKept: readonly KeptRecords[]
}

const OWN: readonly KeptRecords[] = [
  { counts: 'conversations', table: 'threads', quietSince: 'updated_at', reader: 'user_ref' },
  { counts: 'reports', table: 'mcp_feedback', quietSince: 'created_at', reader: 'user_ref' },
]

/** Records that one statement deletes: few enough that nobody waits for it, also on the embedded engine's one session. */
const AT_ONCE = 200

const PURGES_EVERY_HOUR = '17 * * * *'

/**
 * Forgetting: what is older than its workspace keeps, and what somebody asks to have forgotten. A conversation takes its messages,
 * traces, ratings and webhook deliveries along; what AI tools reported, and what help desks handed in to be approved or simulated,
 * goes by the same rules. Each batch stands by itself: a purge that was broken off goes on with the next.
 */
export function createRetention({ db, pseudonymOf, alsoKept }: RetentionDeps) {
  async function inBatches(
    kept: KeptRecords,
    of: { knowledgeBaseId: string; which: Purged },
    signal: AbortSignal,
  ): Promise<number> {
    let purged = 0
    for (;;) {
      signal.throwIfAborted()
      const count = await deleteKept(db, kept, { ...of, most: AT_ONCE })
      purged += count
      if (count < AT_ONCE) return purged
    }
  }

  async function purgeBases(
    bases: readonly { knowledgeBaseId: string; which: Purged }[],
    signal: AbortSignal,
  ): Promise<PurgedConversations> {
    const purged = { conversations: 0, reports: 0, approvals: 0, simulations: 0 }
    for (const of of bases) {
      for (const kept of [...OWN, ...alsoKept]) purged[kept.counts] += await inBatches(kept, of, signal)
    }
    return purged
  }

  /** Deletes what was quiet for longer than its workspace keeps it; how much it was. */
  async function purgeOld(signal: AbortSignal): Promise<PurgedConversations> {
    const bases = await findBasesThatForget(db)
    return await purgeBases(
      bases.map(({ knowledgeBaseId, days }) => ({ knowledgeBaseId, which: { quietDays: days } })),
      signal,
    )
  }

  /**
   * Deletes what a workspace keeps of one reader, or all of it.
   *
   * @throws Refusal NOT_FOUND for a workspace or base that is not there for this caller; FORBIDDEN for who is no owner or admin
   */
  async function purge(
    caller: Caller,
    workspaceId: string,
    asked: PurgeConversations,
    signal: AbortSignal,
  ): Promise<PurgedConversations> {
    if (!isMember(caller, workspaceId)) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    }
    if (!hasScope(caller, 'admin') || !mayAdminister(caller, workspaceId)) throw new Refusal('FORBIDDEN')
    const bases = await findBasesOf(db, workspaceId, asked.knowledge_base_id)
    if (asked.knowledge_base_id !== undefined && bases.length === 0) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    }
    const which: Purged =
      asked.user === undefined ? 'all' : { userRefs: [asked.user, pseudonymOf(asked.user)] }
    return await purgeBases(
      bases.map((knowledgeBaseId) => ({ knowledgeBaseId, which })),
      signal,
    )
  }

  const job: Job = {
    name: 'purge-conversations',
    schedule: PURGES_EVERY_HOUR,
    concurrency: 1,
    handle: async (_data, signal) => {
      await purgeOld(signal)
    },
  }

  return { purge, purgeOld, jobs: [job] }
}

export type Retention = ReturnType<typeof createRetention>
