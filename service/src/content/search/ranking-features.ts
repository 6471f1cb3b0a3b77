import { isGeneratedListing } from '../addresses/addresses.ts'
import { analyseTerms } from '../text-terms/text-terms.ts'
import type { Candidate } from './passage.ts'

/** What the order of candidates is decided by. */
export type RankedBy = Pick<
  Candidate,
  | 'title'
  | 'url'
  | 'headingPath'
  | 'terms'
  | 'wordRank'
  | 'pageWordRank'
  | 'similarity'
  | 'sentenceSimilarity'
>

/** The features that decide the order. Each is 0 to 1, higher is better. */
export interface RankingFeatures {
  /** How high the passage ranks in the word search. */
  words: number
  /** How high its page ranks in the word search. */
  page: number
  /** Semantic similarity of the passage, relative to the other candidates. */
  meaning: number
  /** Semantic similarity of its nearest sentence, relative to the other candidates. */
  sentence: number
  /** Share of the question's words that the passage contains; rare words count more. */
  coverage: number
  /** How close together adjacent words of the question are in the passage. */
  proximity: number
  /** Share of the title's words that the question contains. */
  title: number
  /** Share of the words in the page's address that the question contains. */
  address: number
  /** 0 if the page is an index of names or a listing of code, or lists what changed in each version and the question does not ask for that; else 1. */
  lasting: number
  /**
   * Of a section whose heading stands on other pages too ("Parameters", "Who sees what"), the share of the title's words that the question
   * contains: such a section is about what its page is about, and who asks about that names it. 1 for all others.
   */
  own: number
}

/** The rank at which a list position counts half as much as the first. */
const HALF_SCORE_RANK = 10
/** Maximum distance, in words, at which two words count as close. */
const MAX_WORD_DISTANCE = 8
/** A word in more than this share of the addresses does not distinguish a page. */
const COMMON_WORD_SHARE = 0.8

const rankScore = (rank: number | undefined) => (rank === undefined ? 0 : 1 / (1 + rank / HALF_SCORE_RANK))

/** Scales values to 0..1 by the smallest and the largest; equal values and missing ones become 0. */
function normalise(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined)
  const low = Math.min(...known)
  const range = Math.max(...known) - low
  return values.map((value) => (value === undefined || range === 0 ? 0 : (value - low) / range))
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Where each word of the question is in a passage, in words from its start. */
type Places = ReadonlyMap<string, readonly number[]>

/** Tells most other words apart without making a string of each. */
const signOf = (code: number, length: number) => code * 4_096 + length

/** Finds words of a question in passages, whose terms have one blank between them. */
function createFinder(words: ReadonlySet<string>): (terms: string) => Places {
  const signs = new Set([...words].map((word) => signOf(word.charCodeAt(0), word.length)))
  return (terms) => {
    const places = new Map<string, number[]>()
    for (let start = 0, index = 0; start < terms.length; index += 1) {
      const blank = terms.indexOf(' ', start)
      const end = blank < 0 ? terms.length : blank
      if (signs.has(signOf(terms.charCodeAt(start), end - start))) {
        const word = terms.slice(start, end)
        const known = places.get(word)
        if (known !== undefined) known.push(index)
        else if (words.has(word)) places.set(word, [index])
      }
      start = end + 1
    }
    return places
  }
}

/** Rarity of each question word among the candidates: the IDF of BM25, with the candidates as the collection. */
function weighWords(words: readonly string[], held: readonly Places[]): Map<string, number> {
  return new Map(
    words.map((word) => {
      const having = held.filter((places) => places.has(word)).length
      return [word, Math.log(1 + (held.length - having + 0.5) / (having + 0.5))]
    }),
  )
}

function coverageBy(held: Places, weights: ReadonlyMap<string, number>): number {
  const all = sumOf([...weights.values()])
  const covered = sumOf([...weights].map(([word, weight]) => (held.has(word) ? weight : 0)))
  return all === 0 ? 0 : covered / all
}

/** Maximum number of distinct word pairs of a question that are looked for. */
const MAX_PAIRS = 100

/** Pairs of adjacent words of the question, each weighted by its commoner word, repeated as often as the question repeats the pair. */
function pairsOf(questionTerms: readonly string[], weights: ReadonlyMap<string, number>) {
  const pairs = new Map<string, { left: string; right: string; weight: number }>()
  for (const [index, left] of questionTerms.entries()) {
    const right = questionTerms[index + 1]
    if (right === undefined || right === left) continue
    const key = `${left} ${right}`
    const weight = Math.min(weights.get(left) ?? 0, weights.get(right) ?? 0)
    const known = pairs.get(key)
    if (known !== undefined) known.weight += weight
    else if (pairs.size < MAX_PAIRS) pairs.set(key, { left, right, weight })
  }
  return [...pairs.values()]
}

/** Smallest distance between positions of two sorted lists. */
function nearest(left: readonly number[], right: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0, other = 0; at < left.length && other < right.length;) {
    const [one = 0, two = 0] = [left[at], right[other]]
    least = Math.min(least, Math.abs(one - two))
    if (one < two) at += 1
    else other += 1
  }
  return least
}

function proximityBy(places: Places, pairs: ReturnType<typeof pairsOf>): number {
  const all = sumOf(pairs.map(({ weight }) => weight))
  if (all === 0) return 0
  const together = pairs.map(({ left, right, weight }) => {
    const distance = nearest(places.get(left) ?? [], places.get(right) ?? [])
    return distance <= MAX_WORD_DISTANCE ? weight / distance : 0
  })
  return sumOf(together) / all
}

const shareOf = (words: ReadonlySet<string>, questionTerms: ReadonlySet<string>) =>
  words.size === 0 ? 0 : [...words].filter((word) => questionTerms.has(word)).length / words.size

/** An address after its host, without its query. */
function addressPath(url: string): string {
  const path = URL.parse(url)
  return decodeAddress(path === null ? url : `${path.pathname}${path.hash}`)
}

/** The words of an address after its host: folders, the file name without its extension, the fragment. */
function addressText(url: string): string {
  return addressPath(url)
    .replace(/\.[a-z]{2,5}(?=$|#)/i, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** How many titles and addresses are remembered with their words, which are the same at each question: some 2 MB. */
const MAX_REMEMBERED = 5_000
const remembered = new Map<string, ReadonlySet<string>>()

/** The words of a title or an address of a page; `textOf` gives the part of it that has words. */
function wordsOf(
  given: string,
  language: string | undefined,
  textOf: (given: string) => string = (title) => title,
): ReadonlySet<string> {
  const key = `${language ?? ''} ${given}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  const words = new Set(analyseTerms(textOf(given), language))
  remembered.set(key, words)
  return words
}

/** Words of each candidate's address, without those that most pages share. */
function addressWords(candidates: readonly RankedBy[], language: string | undefined): ReadonlySet<string>[] {
  const urls = new Set(candidates.map(({ url }) => url))
  const byUrl = new Map([...urls].map((url) => [url, wordsOf(url, language, addressText)]))
  const all = [...byUrl.values()]
  const isCommon = (word: string) =>
    all.length > 2 && all.filter((words) => words.has(word)).length > COMMON_WORD_SHARE * all.length
  const telling = new Map(
    [...byUrl].map(([url, words]) => [url, new Set([...words].filter((word) => !isCommon(word)))]),
  )
  return candidates.map(({ url }) => telling.get(url) ?? new Set())
}

/** Change logs and release notes, by the page's title or address: they name everything, and explain little of it. */
const LISTS_CHANGES =
  /change[ _-]?logs?\b|release[ _-]?(?:log|notes?|history)|what['’]?s[ _-]?new|\bnews\b|^changes\n|\/changes(?:\.[a-z]{2,5})?\/?(?:#|$)/i

/** A section of a release, by its anchor: `#version-1-1-0b3-2017-01-15`. */
// bounded: at most 2200 characters
const RELEASE_ANCHOR = /\d[-._]\d[a-z\d]{0,10}[-._](?:19|20)\d\d[-._]\d\d[-._]\d\d$/i

/** Words of questions about what changed, as they are analysed, or a version number. */
const ASKED_CHANGES = /^(?:(?:new|newer|newest)$|changelog|releas|version|migrat|upgrad|deprec|sinc|v\d+d\d)/

/** Whether each candidate is worth reading: an index or a listing of code never is, a list of changes only for a question that asks what changed. */
function lastingOf(candidates: readonly RankedBy[], questionTerms: readonly string[]): number[] {
  const asksChanges = questionTerms.some((term) => ASKED_CHANGES.test(term))
  const listsChanges = (page: string) => LISTS_CHANGES.test(page) || RELEASE_ANCHOR.test(page)
  const known = new Map<string, number>()
  return candidates.map(({ title, url }) => {
    const address = addressPath(url)
    const page = `${title}\n${address}`
    const lasting =
      known.get(page) ?? (isGeneratedListing(address) || (!asksChanges && listsChanges(page)) ? 0 : 1)
    known.set(page, lasting)
    return lasting
  })
}

/** Among the candidates, a heading on so many pages of different titles is one that pages of a kind share. */
const MIN_TITLES_OF_SHARED_HEADING = 3

/** For each candidate, whether its section has a heading that pages of a kind share. */
function haveSharedHeading(candidates: readonly RankedBy[]): boolean[] {
  const headings = candidates.map(({ title, headingPath }) => {
    const heading = headingPath.at(-1)?.toLowerCase() ?? ''
    return heading === title.toLowerCase() ? '' : heading
  })
  const titles = new Map<string, Set<string>>()
  for (const [index, heading] of headings.entries()) {
    const of = titles.get(heading) ?? new Set()
    titles.set(heading, of.add(candidates[index]?.title ?? ''))
  }
  return headings.map(
    (heading) => heading !== '' && (titles.get(heading)?.size ?? 0) >= MIN_TITLES_OF_SHARED_HEADING,
  )
}

/** The features of each candidate, in the same order. */
export function rankingFeatures(
  questionTerms: readonly string[],
  candidates: readonly RankedBy[],
  language: string | undefined,
): RankingFeatures[] {
  const words = new Set(questionTerms)
  const find = createFinder(words)
  const held = candidates.map(({ terms }) => find(terms))
  const weights = weighWords([...words], held)
  const pairs = pairsOf(questionTerms, weights)
  const meanings = normalise(candidates.map(({ similarity }) => similarity))
  const sentences = normalise(
    candidates.map(({ similarity, sentenceSimilarity }) => sentenceSimilarity ?? similarity),
  )
  const addresses = addressWords(candidates, language)
  const lasting = lastingOf(candidates, questionTerms)
  const titles = new Map(
    [...new Set(candidates.map(({ title }) => title))].map((title) => [
      title,
      shareOf(wordsOf(title, language), words),
    ]),
  )
  const isShared = haveSharedHeading(candidates)
  return candidates.map((candidate, index) => ({
    words: rankScore(candidate.wordRank),
    page: rankScore(candidate.pageWordRank),
    meaning: meanings[index] ?? 0,
    sentence: sentences[index] ?? 0,
    coverage: coverageBy(held[index] ?? new Map(), weights),
    proximity: proximityBy(held[index] ?? new Map(), pairs),
    title: titles.get(candidate.title) ?? 0,
    address: shareOf(addresses[index] ?? new Set(), words),
    lasting: lasting[index] ?? 1,
    own: isShared[index] === true ? (titles.get(candidate.title) ?? 0) : 1,
  }))
}
