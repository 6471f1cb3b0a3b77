import type { PurgeConversations } from '@citewell/contract/conversation-purge'
import { hasScope, isMember, mayAdminister, type Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import {
  deleteThreads,
  findBasesOf,
  findBasesThatForget,
  type PurgedThreads,
  type RetentionDb,
} from './retention-store.ts'

export interface RetentionDeps {
  db: RetentionDb
  /** The name under which a reader is known where their own is masked. */
  pseudonymOf: (name: string) => string
}

/** Threads that one statement deletes: few enough that nobody waits for it, also on the embedded engine's one session. */
const AT_ONCE = 200

const PURGES_EVERY_HOUR = '17 * * * *'

/**
 * Forgetting: what is older than its workspace keeps, and what somebody asks to have forgotten. A conversation takes its messages,
 * traces, ratings and webhook deliveries along. Each batch stands by itself: a purge that was broken off goes on with the next.
 */
export function createRetention({ db, pseudonymOf }: RetentionDeps) {
  async function purgeBase(
    knowledgeBaseId: string,
    which: PurgedThreads,
    signal: AbortSignal,
  ): Promise<number> {
    let purged = 0
    for (;;) {
      signal.throwIfAborted()
      const count = await deleteThreads(db, knowledgeBaseId, which, AT_ONCE)
      purged += count
      if (count < AT_ONCE) return purged
    }
  }

  /** Deletes conversations that were quiet for longer than their workspace keeps them; how many it were. */
  async function purgeOld(signal: AbortSignal): Promise<number> {
    let purged = 0
    for (const { knowledgeBaseId, days } of await findBasesThatForget(db)) {
      purged += await purgeBase(knowledgeBaseId, { quietDays: days }, signal)
    }
    return purged
  }

  /**
   * Deletes the conversations of a reader, or all of a workspace.
   *
   * @throws Refusal NOT_FOUND for a workspace or base that is not there for this caller; FORBIDDEN for who is no owner or admin
   */
  async function purge(
    caller: Caller,
    workspaceId: string,
    asked: PurgeConversations,
    signal: AbortSignal,
  ): Promise<number> {
    if (!isMember(caller, workspaceId)) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    }
    if (!hasScope(caller, 'admin') || !mayAdminister(caller, workspaceId)) throw new Refusal('FORBIDDEN')
    const bases = await findBasesOf(db, workspaceId, asked.knowledge_base_id)
    if (asked.knowledge_base_id !== undefined && bases.length === 0) {
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    }
    const which: PurgedThreads =
      asked.user === undefined ? 'all' : { userRefs: [asked.user, pseudonymOf(asked.user)] }
    let purged = 0
    for (const knowledgeBaseId of bases) purged += await purgeBase(knowledgeBaseId, which, signal)
    return purged
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
