import type { Question } from '../question.ts'

/** A question that was counted against the quota of its workspace. */
export interface QuotaReservation {
  /** Refunds the question: nothing was answered, and the reader did not cause that. */
  refund: () => Promise<void>
}

export interface ReserveQuotaDeps {
  allowance: {
    /** Throws a `Refusal` if the quota of the base's workspace is used up. */
    reserve: (knowledgeBaseId: string, surface: Question['asker']['surface']) => Promise<QuotaReservation>
  }
}

/**
 * Counts a question against the quota, or throws a `Refusal` with the reason before anything is answered. The surfaces open the base and
 * check its status before a question comes here.
 */
export async function reserveQuota(
  { knowledgeBaseId, asker }: Question,
  { allowance }: ReserveQuotaDeps,
  signal: AbortSignal,
): Promise<QuotaReservation> {
  signal.throwIfAborted()
  return await allowance.reserve(knowledgeBaseId, asker.surface)
}
