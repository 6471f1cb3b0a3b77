import type { Question } from '../answering/answering.ts'
import type { Masking } from '../pii/pii.ts'

/**
 * A question without its reader's personal data. The name by which a caller knows the reader becomes a pseudonym where it is such
 * data itself (an e-mail address): the reader's questions still belong together, and can still be purged by that name.
 */
export function maskQuestion(
  question: Question,
  masking: Masking,
  pseudonymOf: (name: string) => string,
): Question {
  if (!masking.isOn) return question
  const { asker } = question
  const name = asker.userRef
  // A person of the team is known by an id of ours.
  const isNamedOutside = asker.clientKeyId !== undefined && name !== undefined
  const userRef = isNamedOutside && masking.mask(name) !== name ? pseudonymOf(name) : name
  return { ...question, query: masking.mask(question.query), asker: { ...asker, userRef } }
}
