import { readingOf } from '../../content/reading/reading.ts'
import { applyEdits } from '../../platform/markdown/markdown-tree.ts'
import type { Citation } from '@citewell/contract/chat'
import type { Passage } from '../../content/search/search.ts'
import { supportersOf, type SupportPiece } from './claim-support.ts'
import { contentWordsOf, indexWords } from './content-words.ts'
import { findMarkers } from './find-markers.ts'
import { numberParts, type SupportedMarkers } from './number-parts.ts'
import { sentencesOf } from '../../kernel/sentences.ts'
import { textLanguage } from './text-language.ts'

/** An excerpt as shown to the writer under one number: neighbouring passages of a section, in page order. */
export interface Evidence {
  passages: readonly Passage[]
}

/** A marker that was removed from the answer, and the reason. */
export interface DroppedMarker {
  number: number
  claim: string
  reason: 'not_offered' | 'not_supported'
}

/** The result for one number that the writer put after a claim. */
export interface CitationCheck {
  number: number
  claim: string
  /** The number after renumbering; undefined if it was removed. */
  became: number | undefined
  /** Why it was removed. */
  reason: DroppedMarker['reason'] | undefined
}

export interface CheckedAnswer {
  /** The answer with its markers renumbered from 1 in order of appearance, and unsupported ones removed. */
  text: string
  cited: Citation[]
  dropped: DroppedMarker[]
  /** Every number of the answer, in order. */
  checks: CitationCheck[]
}

/** Maximum of markers of one answer that are checked, more than answers have. Further ones are removed. */
const MAX_MARKERS = 200

/** Words of titles and headings: they apply to the whole piece. */
const headingOf = ({ passages }: Evidence) =>
  passages
    .flatMap(({ title, headingPath, versionLabel }) => [title, ...headingPath, versionLabel ?? ''])
    .join('\n')

const searchable = (piece: Evidence) =>
  [headingOf(piece), ...piece.passages.map(({ text }) => text)].join('\n')

/** Removes Markdown's backslash escapes: `SQLITE\\_OMIT` is read as `SQLITE_OMIT`. */
const unescaped = (markdown: string) => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

const supportPiece = (piece: Evidence): SupportPiece => ({
  index: indexWords(unescaped(searchable(piece))),
  heading: new Set(contentWordsOf(headingOf(piece))),
  sentences: piece.passages
    .flatMap((passage) => readingOf(passage).parts.flat())
    .flatMap((block) => sentencesOf(block).map((sentence) => new Set(contentWordsOf(sentence.text)))),
})

/** An answer in one language and pages in another cannot be compared by their words. */
function mayDiffer(answer: string, evidence: readonly Evidence[]): boolean {
  const inAnswer = textLanguage(answer)
  const inPages = textLanguage(evidence.map((piece) => searchable(piece)).join('\n'))
  return inAnswer !== undefined && inPages !== undefined && inAnswer !== inPages
}

/**
 * Checks every `[n]` of an answer against the n-th piece of evidence, removes unsupported ones and renumbers the rest.
 * Code is never changed. Checking a checked answer against its citations changes nothing, except for claims whose only
 * neighbour in the sentence was removed.
 */
export function checkCitations(answer: string, evidence: readonly Evidence[]): CheckedAnswer {
  const texts = evidence.map((piece) => searchable(piece))
  const pieces = new Map(evidence.map((piece, place) => [place + 1, supportPiece(piece)]))
  const isForeign = mayDiffer(answer, evidence)
  const groups = findMarkers(answer, (quoted) => texts.some((text) => text.includes(quoted)))

  const kept = groups.map((group, place): SupportedMarkers => {
    const numbers = [...new Set(group.numbers)]
    if (place >= MAX_MARKERS) return { group, numbers: [] }
    const supporters = supportersOf(group.claim, numbers, pieces, { mayDiffer: isForeign })
    return { group, numbers: numbers.filter((number) => supporters.has(number)) }
  })

  const opened = numberParts(kept, (number) => evidence[number - 1]?.passages ?? [])
  const text = applyEdits(
    answer,
    kept.map((each) => {
      const { group } = each
      const space = /^\s*/.exec(answer.slice(group.start, group.end))?.[0] ?? ''
      const markers = [...new Set(opened.numbersOf(each))].map((number) => `[${number}]`).join('')
      return { start: group.start, end: group.end, text: markers === '' ? '' : space + markers }
    }),
  )
  const checks = kept.flatMap((each) => {
    const became = opened.numbersOf(each)
    return [...new Set(each.group.numbers)].map((number): CitationCheck => {
      const place = each.numbers.indexOf(number)
      const reason = evidence[number - 1] === undefined ? 'not_offered' : 'not_supported'
      const said = { number, claim: each.group.claim }
      return place < 0
        ? { ...said, became: undefined, reason }
        : { ...said, became: became[place], reason: undefined }
    })
  })
  return { text, cited: opened.citations(), dropped: droppedOf(checks), checks }
}

const droppedOf = (checks: readonly CitationCheck[]): DroppedMarker[] =>
  checks.flatMap(({ number, claim, reason }) => (reason === undefined ? [] : [{ number, claim, reason }]))
