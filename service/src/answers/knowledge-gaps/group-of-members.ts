import type { QuestionGroup } from '../analytics/analytics.ts'
import type { ShownMember } from './knowledge-gaps-store.ts'

/** The questions of a gap as a group: of its wordings, the most asked first. */
export function groupOfMembers(members: readonly ShownMember[]): QuestionGroup {
  const wordings = new Map<string, ShownMember[]>()
  for (const member of members) {
    const words = member.query.trim().toLowerCase()
    wordings.set(words, [...(wordings.get(words) ?? []), member])
  }
  const sorted = [...wordings.values()].toSorted((one, other) => other.length - one.length)
  return { questions: [...members], wordings: sorted.flatMap(([first]) => first ?? []) }
}
