import type { Evidence } from '../citations/citations.ts'
import type { Question } from './question.ts'

/** What an answer may repeat as it is: the words of the pages that it is drawn from, and of the owner. */
export function textsOf({ voice, knowledgeBaseName }: Question, evidence: readonly Evidence[]): string[] {
  const passages = evidence.flatMap(({ passages }) => passages)
  return [
    knowledgeBaseName,
    voice.persona ?? '',
    voice.tone ?? '',
    voice.standingInstructions ?? '',
    ...passages.flatMap(({ title, url, headingPath, text }) => [title, url, ...headingPath, text]),
  ]
}
