import { contentWordsOf } from '../../citations/citations.ts'

const setOf = (words: string) => new Set(words.split(' '))

const OBJECTS = setOf('it them')
/** These stand for a thing only where no noun follows: at the end of a clause, or before one of the words after them. */
const DEMONSTRATIVES = setOf('this that these those')
const AFTER_OBJECT = setOf('again too also instead now with without on in for from to by at')

/** What leads to the verb of a question, as in "How do I create a branch?" and "Is there a way to create one?". */
const LEADS = setOf('how can could should must may do does did will would to')
const SUBJECTS = setOf('to i we you one someone people')

interface Word {
  /** In lower case, without what ends a clause. */
  text: string
  written: string
  endsClause: boolean
}

const wordsOf = (query: string): Word[] =>
  query
    .split(/\s+/)
    .filter((written) => written !== '')
    .map((written) => {
      const endsClause = /[?!.,;]$/.test(written)
      return { written, endsClause, text: (endsClause ? written.slice(0, -1) : written).toLowerCase() }
    })

/** Whether a question does something to what was spoken of, as "How do I delete it?": it has a verb of its own. */
export function hasOwnVerb(query: string): boolean {
  const words = wordsOf(query)
  return words.some((word, at) => {
    const before = words[at - 1]
    const after = words[at + 1]
    const isObject =
      OBJECTS.has(word.text) ||
      (DEMONSTRATIVES.has(word.text) &&
        (word.endsClause || after === undefined || AFTER_OBJECT.has(after.text)))
    return isObject && before?.endsClause === false && contentWordsOf(before.text).length > 0
  })
}

/** An English question without its verbs and what leads to them: "How do I create a new branch?" is about "a new branch?". */
export function withoutVerbs(query: string): string {
  const kept: string[] = []
  let isLed = false
  let hasSubject = false
  for (const { text, written } of wordsOf(query)) {
    const isSubject = SUBJECTS.has(text)
    if (LEADS.has(text) || (isLed && isSubject)) {
      isLed = true
      hasSubject ||= isSubject
      continue
    }
    // Without one the next word may be the subject itself: "Can sources be shared?"
    if (!hasSubject) kept.push(written)
    isLed = false
    hasSubject = false
  }
  return kept.join(' ')
}
