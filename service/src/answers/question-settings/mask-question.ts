import type { Question } from '../answering/answering.ts'
import type { Masking } from '../pii/pii.ts'

/**
 * A question without its reader's personal data. If the caller's name for the reader is personal data itself (an e-mail address), it
 * becomes a pseudonym: the reader's questions are still linked, and can still be purged by the original name.
 */
export function maskQuestion(
  question: Question,
  masking: Masking,
  pseudonymOf: (name: string) => string,
): Question {
  if (!masking.isOn) return question
  const { asker } = question
  const name = asker.userRef
  // A member is named by an id of ours.
  const isNamedByClient = asker.clientKeyId !== undefined && name !== undefined
  const userRef = isNamedByClient && masking.mask(name) !== name ? pseudonymOf(name) : name
  return { ...question, query: masking.mask(question.query), asker: { ...asker, userRef } }
}
