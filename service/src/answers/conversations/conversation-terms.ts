import { analyseQuestionTerms } from '../../content/text-terms/text-terms.ts'

/**
 * The distinct stems of a text for the text filter of conversations, without stop words such as "how". Always analysed in the same
 * way, whatever the language of the base: that setting may change, while the stored terms do not.
 */
export const conversationTerms = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => analyseQuestionTerms(text, undefined))),
]
