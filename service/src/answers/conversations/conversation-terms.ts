import { analyseQuestionTerms } from '../../content/text-terms/text-terms.ts'

/**
 * The words of a text as the filter of conversations compares them, each once: any form of a word is the same, and words such as
 * "how" are left out. Always analysed in one way, whatever the language of the base: that may change, what is stored does not.
 */
export const conversationTerms = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => analyseQuestionTerms(text, undefined))),
]
