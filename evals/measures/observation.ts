import type { Question } from '../sets/read-set.ts'
import type { Figures } from './metric.ts'

/** A page that was found. */
export interface FoundPage {
  /** Id in the corpus. */
  page: string
  /** Name of the source plan that it came from. */
  source: string
  versionLabel: string | null
}

export interface CitedPassage extends FoundPage {
  index: number
  excerpt: string
  /** The whole passage, as the management API has it. */
  passage: string
}

/** What the chat API said. */
export interface Answer {
  text: string
  isCovered: boolean
  /** 0 to 1. */
  confidence: number
  /** Of the first frame, best first. */
  found: FoundPage[]
  /** The full text of the first of them, where the plan asks for it. */
  passages: string[]
  /** Of the last frame. */
  cited: CitedPassage[]
  firstFrameMs: number
  wholeMs: number
}

/** One question, and everything that came back over the wire. */
export interface Observation {
  question: Question
  /** Sources that were asked; undefined: all. */
  groups: readonly string[] | undefined
  /** What the search API found, best first; undefined when it was not asked. */
  results: FoundPage[] | undefined
  searchMs: number | undefined
  answer: Answer | undefined
}

/** Figures of all observations of a part. A measure that finds nothing to measure gives none. */
export type Measure = (observations: readonly Observation[]) => Figures

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The part of items that a condition holds for; undefined of none. */
export const shareOf = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number | undefined =>
  items.length === 0 ? undefined : items.filter(holds).length / items.length

/** Figures without those that there was nothing to measure for. */
export const known = (figures: { [Name in keyof Figures]: number | undefined }): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined))
