import type { Passage } from '../../content/search/search.ts'
import { citationOf, type Citation, type CitedPassage } from './citation-of.ts'
import { closestSentence, supportersOf } from './claim-support.ts'
import { indexWords, type WordIndex } from './content-words.ts'
import { findMarkers, type MarkerGroup } from './find-markers.ts'
import { applyEdits } from './markdown-tree.ts'
import { plainBlocksOf } from './plain-text.ts'
import { sentencesOf } from './sentences.ts'
import { textLanguage } from './text-language.ts'

/** What the writer was shown under one number: neighbouring passages of a section, in the order of the page. */
export interface Evidence {
  passages: readonly (CitedPassage & Pick<Passage, 'versionLabel'>)[]
}

/** A marker that was taken out of the answer, and why. */
export interface DroppedMarker {
  number: number
  claim: string
  reason: 'not_offered' | 'not_supported'
}

export interface CheckedAnswer {
  /** The answer with its markers renumbered from 1 in order of appearance, those without support taken out. */
  text: string
  cited: Citation[]
  dropped: DroppedMarker[]
}

const searchable = ({ passages }: Evidence) =>
  passages
    .map(({ title, headingPath, versionLabel, text }) =>
      [title, ...headingPath, versionLabel ?? '', text].join('\n'),
    )
    .join('\n')

/** An answer in one language about pages in another cannot be compared by its words. */
function mayDiffer(answer: string, evidence: readonly Evidence[]): boolean {
  const inAnswer = textLanguage(answer)
  const inPages = textLanguage(evidence.map((piece) => searchable(piece)).join('\n'))
  return inAnswer !== undefined && inPages !== undefined && inAnswer !== inPages
}

interface Kept {
  group: MarkerGroup
  numbers: number[]
}

/** The citation for a piece of evidence: of that passage in it, and that sentence, which the claims come closest to. */
function citationFor({ passages }: Evidence, index: number, claims: readonly string[]): Citation | undefined {
  const sentences = passages.flatMap((passage) =>
    plainBlocksOf(passage.text).flatMap((block) =>
      sentencesOf(block).map(({ text }): [string, CitedPassage] => [text.trim(), passage]),
    ),
  )
  const sentence = closestSentence(
    claims.join(' '),
    sentences.map(([text]) => text),
  )
  const passage = sentences.find(([text]) => text === sentence)?.[1] ?? passages[0]
  return passage && citationOf(passage, index, sentence === undefined ? [] : [sentence])
}

/**
 * Checks every `[n]` of an answer against the n-th piece of evidence, drops what is not supported and renumbers the rest.
 * Code is never touched. Checking a checked answer against what it cites changes nothing but for claims whose only
 * neighbour in the sentence was dropped.
 */
export function checkCitations(answer: string, evidence: readonly Evidence[]): CheckedAnswer {
  const texts = evidence.map((piece) => searchable(piece))
  const indexes = texts.map((text) => indexWords(text))
  const isForeign = mayDiffer(answer, evidence)
  const groups = findMarkers(answer, (quoted) => texts.some((text) => text.includes(quoted)))
  const dropped: DroppedMarker[] = []

  const kept = groups.map((group): Kept => {
    const numbers = [...new Set(group.numbers)]
    const offered = numbers.flatMap((number): [number, WordIndex][] => {
      const index = indexes[number - 1]
      return index === undefined ? [] : [[number, index]]
    })
    const supporters = supportersOf(group.claim, new Map(offered), { mayDiffer: isForeign })
    for (const number of numbers.filter((number) => !supporters.has(number))) {
      const reason = indexes[number - 1] === undefined ? 'not_offered' : 'not_supported'
      dropped.push({ number, claim: group.claim, reason })
    }
    return { group, numbers: numbers.filter((number) => supporters.has(number)) }
  })

  const order = [...new Set(kept.flatMap(({ numbers }) => numbers))]
  const newNumber = new Map(order.map((number, place) => [number, place + 1]))
  const text = applyEdits(
    answer,
    kept.map(({ group, numbers }) => {
      const space = /^\s*/.exec(answer.slice(group.start, group.end))?.[0] ?? ''
      const markers = numbers.map((number) => `[${newNumber.get(number)}]`).join('')
      return { start: group.start, end: group.end, text: markers === '' ? '' : space + markers }
    }),
  )
  const cited = order.flatMap((number, place) => {
    const piece = evidence[number - 1]
    const claims = kept.filter(({ numbers }) => numbers.includes(number)).map(({ group }) => group.claim)
    return piece === undefined ? [] : (citationFor(piece, place + 1, claims) ?? [])
  })
  return { text, cited, dropped }
}
