import type { Passage } from '../../content/search/search.ts'
import type { Embedder } from '../../platform/embedding/embedder.ts'
import type { ComparedPassages } from './compare-passages.ts'
import { contentWordsOf } from '../citations/citations.ts'
import { headingShare, sectionOfUnit } from './heading-share.ts'
import { dependsOnPrevious, unitsOfPassage, type QuotableUnit } from './quotable-units.ts'

/** A unit with its position. */
export interface LocatedUnit {
  unit: QuotableUnit
  passage: Passage
  /** Number of its evidence, from 1. */
  number: number
}

export interface ScoredUnit extends LocatedUnit {
  score: number
}

/** The weight of each signal, chosen on plain questions (docs/decisions/2026-11-22-plain-questions.md). */
const WEIGHTS = { similarity: 0.5, overlap: 0.3, passage: 0.3, rank: 0.1, heading: 0.05, opening: 0.04 }
/**
 * How much it counts how near a unit is to the question when both are read together, by meaning and by words; and about what these
 * are for a unit that is not near, or not known. See docs/decisions/2026-11-23-question-and-passage-in-one-pass.md.
 */
const COMPARED = { similarity: 0.5, nearest: 0.5, ordinary: 0.5 }
/** Maximum of units that are considered: the best by words. Comparing one by meaning takes some milliseconds. */
const MAX_CONSIDERED = 24

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

/** The text of a unit for comparison. Facts name their subject in the heading above them. */
const saidBy = ({ unit, passage }: LocatedUnit) =>
  unit.kind === 'facts' ? `${sectionOfUnit(unit, passage)}\n${unit.plain}` : unit.plain

/** Weighs the question's words by their rarity among the units: a word that occurs in all of them does not distinguish them. */
function overlapWith(query: string, placed: readonly LocatedUnit[]): number[] {
  const words = [...new Set(contentWordsOf(query))]
  const held = placed.map((unit) => new Set(contentWordsOf(saidBy(unit))))
  const weights = words.map((word) =>
    Math.log(1 + placed.length / (1 + held.filter((set) => set.has(word)).length)),
  )
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return held.map((set) =>
    all === 0 ? 0 : words.reduce((sum, word, at) => sum + (set.has(word) ? (weights[at] ?? 0) : 0), 0) / all,
  )
}

/** Sentences about the page itself. */
const ABOUT_THE_PAGE =
  /^(?:section \d|(?:this|the (?:next|following)) (?:section|page|document|chapter|tutorial|guide|article|module|example)s?\b)/i

/** An entry of an index or a table of contents: links, and nothing besides. */
const isOnlyLinks = ({ markdown }: QuotableUnit) =>
  markdown.includes('](') && contentWordsOf(markdown.replaceAll(/\[[^[\]]*\]\([^()\s]*\)/g, ' ')).length === 0

/** "New in version 2.0." alone does not say what is new. */
const VERSION_NOTE = /^(?:new|added|changed|deprecated|removed) (?:in|since) (?:version )?v?\d[\d.]{0,20}$/i

/** A few words that are no sentence, a version, entries of an index, or a sentence that announces something that is not there. */
export const isFragment = (unit: QuotableUnit): boolean =>
  unit.kind === 'sentence' && unit.announced === undefined && isIncomplete(unit)

/** A paragraph of bold words alone, like "**Note**", is the label of what follows it. */
const LABEL = /^\*\*[^*]{1,80}\*\*$/

/** Whether a quote must not end with this unit: it announces something that is not quoted, or is no more than a version or links. */
export const isLooseEnd = (unit: QuotableUnit): boolean => {
  const { kind, plain, markdown, announced, isItem } = unit
  if (kind !== 'sentence' || announced !== undefined) return false
  return (
    plain.endsWith(':') ||
    VERSION_NOTE.test(plain) ||
    (!isItem && (LABEL.test(markdown) || isOnlyLinks(unit)))
  )
}

const isIncomplete = (unit: QuotableUnit) => {
  const { plain } = unit
  return (
    isLooseEnd(unit) ||
    isOnlyLinks(unit) ||
    (!/[.!;。！)"'”’]$/.test(plain) && contentWordsOf(plain).length < 6)
  )
}

/** "For more details, see the tutorial.": where an answer is, and none itself. */
const POINTER = /^(?:(?:for|to) (?:more|further|details|an?|the)\b.{0,60}?)?\bsee\b.{0,220}$/i

/** A row of a table whose header is empty: pages are laid out with these. */
const isBareRow = ({ kind, markdown }: QuotableUnit) => kind === 'row' && /^[|\s]*\n/.test(markdown)

/** Whether it is the first sentence of its section, which often says what the section is about. */
const isOpening = ({ unit, passage }: LocatedUnit) =>
  unit ===
  unitsOfPassage(passage).find(({ section, kind }) => section === unit.section && kind === 'sentence')

/**
 * Penalty for units that are less informative than whole, self-contained sentences: fragments, walls of text, code and rows
 * without text about them, and sentences that depend on an unknown one.
 */
function penalty(unit: QuotableUnit): number {
  const { kind, plain, before } = unit
  const isLost = (dependsOnPrevious(unit) && before === undefined) || ABOUT_THE_PAGE.test(plain)
  return (
    (isFragment(unit) || isLost || plain.length > 500 ? 0.1 : 0) +
    (isOnlyLinks(unit) ? 0.2 : 0) +
    (POINTER.test(plain) || isBareRow(unit) ? 0.1 : 0) +
    (kind === 'code' || kind === 'row' ? 0.05 : 0)
  )
}

function comparedScore(unit: QuotableUnit, compared: ComparedPassages | undefined): number {
  if (compared === undefined) return 0
  const said = compared.units.get(unit)
  if (said === undefined) return 0
  return COMPARED.similarity * said.similarity + COMPARED.nearest * said.nearest - COMPARED.ordinary
}

/** Vectors of the question and the units; undefined if the embedding model fails: scoring then uses words alone. */
async function vectorsOf(
  query: string,
  placed: readonly LocatedUnit[],
  embedder: Embedder,
  signal: AbortSignal,
) {
  const texts = placed.map(({ unit, passage }) => `${sectionOfUnit(unit, passage)}\n${unit.plain}`)
  try {
    const [question, units] = await Promise.all([
      embedder.embedQuery(query, signal),
      embedder.embedPassages(texts, signal),
    ])
    return { question, units }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** Scores units by meaning, by words and by the passage that contains them. The best few, best first. */
export async function scoreUnits(
  query: string,
  placed: readonly LocatedUnit[],
  { embedder, compared }: { embedder: Embedder | undefined; compared?: ComparedPassages | undefined },
  signal: AbortSignal,
): Promise<ScoredUnit[]> {
  const overlap = overlapWith(query, placed)
  const asked = new Set(contentWordsOf(query))
  const passageScores = placed.map(({ passage }) => passage.score)
  const low = Math.min(...passageScores)
  const range = Math.max(...passageScores) - low || 1
  const ranked = [...new Set(passageScores)].toSorted((left, right) => right - left)
  const scored = placed
    .map((unit, at) => ({
      ...unit,
      score:
        -penalty(unit.unit) +
        (isOpening(unit) ? WEIGHTS.opening : 0) +
        comparedScore(unit.unit, compared) +
        WEIGHTS.overlap * (overlap[at] ?? 0) +
        (WEIGHTS.passage * (unit.passage.score - low)) / range +
        WEIGHTS.rank / (1 + ranked.indexOf(unit.passage.score)) +
        WEIGHTS.heading * headingShare(sectionOfUnit(unit.unit, unit.passage), asked),
    }))
    .sort((left, right) => right.score - left.score)
    .slice(0, MAX_CONSIDERED)
  if (embedder === undefined) return scored
  const vectors = await vectorsOf(query, scored, embedder, signal)
  if (vectors === undefined) return scored
  const { question, units } = vectors
  return scored
    .map((unit, at) => {
      const vector = units[at]
      return {
        ...unit,
        score: unit.score + WEIGHTS.similarity * (vector === undefined ? 0 : dot(question, vector)),
      }
    })
    .sort((left, right) => right.score - left.score)
}
