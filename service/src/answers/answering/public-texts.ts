import type { Evidence } from '../citations/citations.ts'
import type { Question } from './question.ts'

/** Texts whose personal data an answer may repeat unmasked: the pages that it is drawn from, and the owner's own texts. */
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
