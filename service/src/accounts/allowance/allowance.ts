import { SURFACES } from '@citewell/contract/closed-lists'
import type { WorkspaceUsage } from '@citewell/contract/workspace-usage'
import { Refusal } from '../../kernel/refusal.ts'
import { inOneSnapshot } from '../../platform/storage/one-snapshot.ts'
import { StorageUnavailable } from '../../platform/storage/storage-unavailable.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { createStorageQuota, type StorageQuota } from '../storage-quota/storage-quota.ts'
import { canUse, hasScope, isMember, type Caller } from '../permissions/permissions.ts'
import {
  countQuestion,
  hasKnowledgeBase,
  hasNoLimit,
  readMonth,
  readHistory,
  readUsageByBase,
  refundQuestion,
  type CountedUnit,
  type Surface,
} from './allowance-store.ts'

/** What counts questions, and what usage tells of storage. */
type UsageDb = Db<
  'workspaces' | 'knowledge_bases' | 'question_allowances' | 'question_usage' | 'workspace_storage'
>

/** Months that usage tells of, this one included. */
const HISTORY_MONTHS = 12

/** A question that was admitted and counted. */
export interface CountedQuestion {
  /** Refunds the question, once: a second call does nothing. */
  refund(): Promise<void>
}

/**
 * The monthly quota of questions. A question counts from the moment it is admitted, on every surface. It is refunded only if its answer
 * failed upstream before the first word; one whose process died in between stays counted.
 */
export function createAllowance({
  db,
  storageQuota = createStorageQuota({ limitMegabytes: undefined }),
}: {
  db: UsageDb
  storageQuota?: StorageQuota
}) {
  /** `uncounted`: the disk is full, and the workspace has no limit. Undefined: the quota is used up. */
  async function count(
    knowledgeBaseId: string,
    surface: Surface,
  ): Promise<CountedUnit | 'uncounted' | undefined> {
    try {
      return await countQuestion(db, knowledgeBaseId, surface)
    } catch (error) {
      const isFull = error instanceof StorageUnavailable && error.reason === 'full'
      if (isFull && (await hasNoLimit(db, knowledgeBaseId))) return 'uncounted'
      throw error
    }
  }

  /** @throws Refusal QUOTA_EXCEEDED when the month's quota is used up; NOT_FOUND for a base that was deleted */
  async function reserve(knowledgeBaseId: string, surface: Surface): Promise<CountedQuestion> {
    const unit = await count(knowledgeBaseId, surface)
    if (unit === undefined) {
      if (await hasKnowledgeBase(db, knowledgeBaseId)) throw new Refusal('QUOTA_EXCEEDED')
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    }
    let isGivenBack = false
    return {
      refund: async () => {
        if (isGivenBack || unit === 'uncounted') return
        isGivenBack = true
        await refundQuestion(db, unit)
      },
    }
  }

  /** What a workspace used, at one moment: the questions of its bases add up to its own. Undefined if it does not exist. */
  async function readUsage(workspaceId: string) {
    return await inOneSnapshot(db, async (snapshot: UsageDb) => {
      const found = await readMonth(snapshot, workspaceId)
      if (found === undefined) return undefined
      return {
        ...found,
        bases: await readUsageByBase(snapshot, workspaceId, found.month),
        stored: await storageQuota.usage(snapshot, workspaceId),
        history: await readHistory(snapshot, workspaceId, { month: found.month, months: HISTORY_MONTHS }),
      }
    })
  }

  async function usage(caller: Caller, workspaceId: string): Promise<WorkspaceUsage> {
    const isVisible = isMember(caller, workspaceId) || caller.isOperator === true
    const found = isVisible ? await readUsage(workspaceId) : undefined
    if (found === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const { month, used, allowance, resets_at: resetsAt, bases, stored, history } = found
    const mayKnow = (base: (typeof bases)[number]) =>
      caller.isOperator === true ||
      canUse(
        caller,
        {
          id: base.knowledge_base_id,
          workspace_id: workspaceId,
          workspace_members_can_chat: base.workspace_members_can_chat === true,
        },
        'member',
      )
    return {
      workspace_id: workspaceId,
      month,
      questions: used,
      allowance,
      remaining: allowance === null ? null : Math.max(0, allowance - used),
      resets_at: resetsAt.toISOString(),
      stored_bytes: stored.bytes,
      stored_bytes_limit: stored.limitBytes,
      knowledge_bases: bases.map((base) => ({
        knowledge_base_id: base.knowledge_base_id,
        name: mayKnow(base) ? base.name : null,
        questions: base.used,
        surfaces: SURFACES.flatMap((surface) => {
          const questions = base.surfaces[surface] ?? 0
          return questions === 0 ? [] : [{ surface, questions }]
        }),
      })),
      history,
    }
  }

  /** How many questions a workspace has left in this month; null without a limit. The caller must know that it may be told. */
  async function leftOf(workspaceId: string): Promise<number | null> {
    const found = await readMonth(db, workspaceId)
    if (found === undefined || found.allowance === null) return null
    return Math.max(0, found.allowance - found.used)
  }

  return { reserve, usage, leftOf }
}

export type Allowance = ReturnType<typeof createAllowance>
