import type { QuestionDraft } from './question-draft.ts'
import type { Recase } from './recase.ts'

const BEGINS_AS_QUESTION =
  /^(?:how|what|what's|why|when|where|which|who|whose|can|could|do|does|did|is|are|am|should|will|would|may|must|has|have|if)\b/i

/** Words that refer to the surrounding page, and make no sense away from it. */
const REFERS_TO_PAGE =
  /\b(?:this|that|these|those|it|its|they|them|their|here|above|below|following|he|she|so|such|else|other|another|same|now|next|yet|again)\b/i

const TALK =
  /\b(?:need help|questions|stuck|feedback|contribute|contact us|what's new|what is new|who are we|who am i)\b/i

/** A title or heading that is already a question, used unchanged if it makes sense away from its page. */
export function questionOfHeading(heading: string, recase: Recase): QuestionDraft | undefined {
  const question = heading
    .replaceAll(/[`¶*\\]/g, '')
    .replaceAll('’', "'")
    .replace(/^(?:\(?\d+(?:\.\d+)*[.)]?|q\d*[.:)])\s+/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (!/^[^?？]+[?？]$/u.test(question)) return undefined
  const characters = Array.from(question).length
  if (characters < 8 || characters > 120) return undefined
  // In other languages the question mark is enough: the words below are English.
  if (/[^\p{ASCII}–—"'…]/u.test(question)) return { text: question, quality: 0.9 }
  const words = question.split(' ')
  if (words.length < 3 || !BEGINS_AS_QUESTION.test(question)) return undefined
  if (REFERS_TO_PAGE.test(question) || TALK.test(question)) return undefined
  const isGeneral = /^(?:how (?:do|can|should)|what|why|can|which|when|where)\b/i.test(question)
  const text = recase.phrase(question)
  return {
    text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    quality: (isGeneral ? 1 : 0.85) - (characters > 80 ? 0.2 : 0),
  }
}
