import { analyseQuestionTerms } from '../text-terms/text-terms.ts'
import type { Candidate } from './passage.ts'

/** A word of the question, and the word of the documentation that was searched for instead. */
export interface SpellingRepair {
  from: string
  to: string
}

/** What repairs are drawn from: passages that the other words, or their meaning, found. */
type ReadCandidate = Pick<Candidate, 'terms' | 'text'>

/** A word of the question that is not part of a name, path or call. */
const PLAIN_WORD = /(?<![\p{L}\p{N}_./:@-])\p{L}\p{Ll}{3,23}(?![\p{L}\p{N}_/(@]|[.:-]\p{L})/gu
const WORD = /\p{L}{4,25}/gu
/** Maximum number of words of a question that are looked at: a text in another language has only unknown ones. */
const MAX_UNKNOWN = 3
/**
 * Minimum number of passages with the right spelling: one alone may be wrong itself. One is enough for a word that the model knows, if a
 * letter was left out or two were swapped: in the questions of ten sets, of words that their pages do not have, 15 of 17 such slips are
 * typing errors, and most of the others are not.
 */
const LEAST_PASSAGES = 2
const SHORTEST_TERM = 4
/** Terms of this length are repaired only if a letter was left out or two were swapped: many short words differ in one letter. */
const SHORT_TERM = 4

/** Whether one swap of neighbours, one letter too many, too few or another one leads from one word to the other. */
function differsByOneSlip(typed: string, right: string): boolean {
  if (Math.abs(typed.length - right.length) > 1) return false
  let start = 0
  while (start < typed.length && typed[start] === right[start]) start += 1
  const [left, other] = [typed.slice(start), right.slice(start)]
  if (left.length < other.length) return left === other.slice(1)
  if (left.length > other.length) return left.slice(1) === other
  const isSwapped = left[0] === other[1] && left[1] === other[0] && left.slice(2) === other.slice(2)
  return isSwapped || left.slice(1) === other.slice(1)
}

/** Terms are of a to z and digits. */
const lettersOf = (term: string) => Array.from(term).toSorted().join('')

const isSwapped = (typed: string, right: string) =>
  typed.length === right.length && lettersOf(typed) === lettersOf(right)

/** The commonest term that differs from the wrong one by one slip; the first letter is hardly ever wrong. */
function nearestTerm(
  wrong: string,
  passagesWith: ReadonlyMap<string, number>,
): { term: string; passages: number } | undefined {
  let best: { term: string; passages: number } | undefined
  for (const [term, passages] of passagesWith) {
    if (passages <= (best?.passages ?? 0)) continue
    if (term[0] !== wrong[0] || term.length < SHORTEST_TERM || !differsByOneSlip(wrong, term)) continue
    const isUsual = wrong.length > SHORT_TERM && passages >= LEAST_PASSAGES
    if (isUsual || term.length > wrong.length || isSwapped(wrong, term)) best = { term, passages }
  }
  return best
}

const hasTerm = (terms: string, term: string) =>
  terms === term || terms.startsWith(`${term} `) || terms.endsWith(` ${term}`) || terms.includes(` ${term} `)

/** A word of the passages with this term, as it is written there most often. */
function writtenAs(
  term: string,
  candidates: readonly ReadCandidate[],
  language: string | undefined,
): string | undefined {
  const counts = new Map<string, number>()
  for (const { terms, text } of candidates) {
    if (!hasTerm(terms, term)) continue
    for (const [word] of text.matchAll(WORD)) {
      const small = word.toLowerCase()
      if (small[0] === term[0]) counts.set(small, (counts.get(small) ?? 0) + 1)
    }
  }
  const forms = [...counts].toSorted(([, left], [, right]) => right - left)
  return forms.find(([word]) => analyseQuestionTerms(word, language)[0] === term)?.[0]
}

/**
 * Repairs words of a question that neither the model nor any of the passages found knows, if passages have a word that differs from
 * it by one slip of a finger. Cost: the terms of the candidates are read once, only if there is such a word.
 */
export function repairSpelling(
  query: string,
  candidates: readonly ReadCandidate[],
  { knowsWord, language }: { knowsWord: (word: string) => boolean; language: string | undefined },
): { query: string; repairs: SpellingRepair[] } | undefined {
  const unknown = [...new Set([...query.matchAll(PLAIN_WORD)].map(([word]) => word))]
    .filter((word) => !knowsWord(word))
    .flatMap((word) => {
      const [term, ...others] = analyseQuestionTerms(word, language)
      return term === undefined || others.length > 0 ? [] : [{ word, term }]
    })
  // Usually the passages know such a word: a name of the product.
  const isKnown = (term: string) =>
    term.length < SHORTEST_TERM || candidates.some(({ terms }) => hasTerm(terms, term))
  if (unknown.length <= MAX_UNKNOWN && unknown.every(({ term }) => isKnown(term))) return undefined
  const passagesWith = new Map<string, number>()
  for (const { terms } of candidates) {
    for (const term of new Set(terms.split(' '))) passagesWith.set(term, (passagesWith.get(term) ?? 0) + 1)
  }
  const repairs = unknown
    .filter(({ term }) => term.length >= SHORTEST_TERM && !passagesWith.has(term))
    .slice(0, MAX_UNKNOWN)
    .flatMap(({ word, term }): SpellingRepair[] => {
      const right = nearestTerm(term, passagesWith)
      const to = right === undefined ? undefined : writtenAs(right.term, candidates, language)
      if (right === undefined || to === undefined) return []
      return right.passages >= LEAST_PASSAGES || knowsWord(to) ? [{ from: word, to }] : []
    })
  if (repairs.length === 0) return undefined
  const bySpelling = new Map(repairs.map(({ from, to }) => [from, to]))
  return { query: query.replaceAll(PLAIN_WORD, (word) => bySpelling.get(word) ?? word), repairs }
}
