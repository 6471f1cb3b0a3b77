import type { WorkspaceUsage } from '@citewell/contract/workspace-usage'
import { Refusal } from '../../kernel/refusal.ts'
import { hasScope, isMember, type Caller } from '../permissions/permissions.ts'
import {
  countQuestion,
  hasKnowledgeBase,
  readMonth,
  readUsageByBase,
  uncountQuestion,
  type AllowanceDb,
} from './allowance-store.ts'

/** A question that was let in, and counts. */
export interface CountedQuestion {
  /** Gives it back, once: a second call does nothing. */
  giveBack(): Promise<void>
}

/**
 * Questions a month. A question counts from the moment it is let in, on every surface. It is given back only when its answer
 * failed upstream before the first word; one whose process died in the middle stays counted.
 */
export function createAllowance({ db }: { db: AllowanceDb }) {
  /** @throws Refusal QUOTA_EXCEEDED when the month's questions are used up; NOT_FOUND for a base that is gone */
  async function reserve(knowledgeBaseId: string): Promise<CountedQuestion> {
    const unit = await countQuestion(db, knowledgeBaseId)
    if (unit === undefined) {
      if (await hasKnowledgeBase(db, knowledgeBaseId)) throw new Refusal('QUOTA_EXCEEDED')
      throw new Refusal('NOT_FOUND', { because: 'There is no such knowledge base.' })
    }
    let isGivenBack = false
    return {
      giveBack: async () => {
        if (isGivenBack) return
        isGivenBack = true
        await uncountQuestion(db, unit)
      },
    }
  }

  async function usage(caller: Caller, workspaceId: string): Promise<WorkspaceUsage> {
    const isVisible = isMember(caller, workspaceId) || caller.isOperator === true
    const found = isVisible ? await readMonth(db, workspaceId) : undefined
    if (found === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const { month, used, allowance, resets_at: resetsAt } = found
    const bases = await readUsageByBase(db, workspaceId, month)
    return {
      workspace_id: workspaceId,
      month,
      questions: used,
      allowance,
      remaining: allowance === null ? null : Math.max(0, allowance - used),
      resets_at: resetsAt.toISOString(),
      knowledge_bases: bases.map((base) => ({
        knowledge_base_id: base.knowledge_base_id,
        name: base.name,
        questions: base.used,
      })),
    }
  }

  return { reserve, usage }
}

export type Allowance = ReturnType<typeof createAllowance>
