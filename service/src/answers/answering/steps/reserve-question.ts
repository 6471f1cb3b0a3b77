import type { Question } from '../question.ts'

/** A question that was counted against the quota of its workspace. */
export interface QuotaReservation {
  /** Refunds the question: nothing was answered, and the reader did not cause that. */
  refund: () => Promise<void>
}

export interface ReserveQuotaDeps {
  /** Throws a `Refusal` if the knowledge base is archived, is not open to this asker, or its quota is used up. */
  reserveQuota: (question: Question) => Promise<QuotaReservation>
}

/** Counts a question against the quota, or throws a `Refusal` with the reason before anything is answered. */
export async function reserveQuestion(
  question: Question,
  { reserveQuota }: ReserveQuotaDeps,
  signal: AbortSignal,
): Promise<QuotaReservation> {
  signal.throwIfAborted()
  return await reserveQuota(question)
}
