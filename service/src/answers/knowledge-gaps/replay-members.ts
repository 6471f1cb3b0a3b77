import { LIMITS } from '@citewell/contract/limits'
import { Refusal } from '../../kernel/refusal.ts'
import type { ShownMember } from './knowledge-gaps-store.ts'

export interface ReplayCounts {
  questions: number
  covered: number
  failed: number
  leftOut: number
}

/** What decides whether two questions are answered alike: their words, what was said before, and what they may search. */
function wordingOf({ query, trace }: ShownMember): string {
  return JSON.stringify([query.trim().toLowerCase(), trace['earlier'] ?? [], trace['asked'] ?? null])
}

/**
 * Asks questions again, each wording once, one after the other.
 *
 * @param isCoveredNow undefined for a question that the caller may not ask
 */
export async function replayMembers(
  members: readonly ShownMember[],
  isCoveredNow: (messageId: string) => Promise<boolean | undefined>,
  signal: AbortSignal,
): Promise<{ outcomes: { messageId: string; covered: boolean }[]; counts: ReplayCounts }> {
  const wordings = new Map<string, ShownMember[]>()
  for (const member of members) {
    const wording = wordingOf(member)
    wordings.set(wording, [...(wordings.get(wording) ?? []), member])
  }
  const outcomes: { messageId: string; covered: boolean }[] = []
  let failed = 0
  for (const same of [...wordings.values()].slice(0, LIMITS.knowledgeGaps.replayed)) {
    signal.throwIfAborted()
    const [first] = same
    if (first === undefined) continue
    try {
      const covered = await isCoveredNow(first.id)
      if (covered !== undefined) outcomes.push(...same.map(({ id }) => ({ messageId: id, covered })))
    } catch (error) {
      signal.throwIfAborted()
      // A conversation that was deleted meanwhile, or a model that does not answer: the others are still worth asking.
      if (!(error instanceof Refusal)) throw error
      failed += same.length
    }
  }
  const questions = outcomes.length + failed
  const covered = outcomes.filter((outcome) => outcome.covered).length
  return { outcomes, counts: { questions, covered, failed, leftOut: members.length - questions } }
}
