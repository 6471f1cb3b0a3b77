import type { Question } from '../sets/read-set.ts'
import type { Figures } from './metric.ts'

/** A page that was found. */
export interface FoundPage {
  /** Id in the corpus. */
  page: string
  /** Name of the source plan of the page. */
  source: string
  versionLabel: string | null
}

export interface CitedPassage extends FoundPage {
  index: number
  excerpt: string
  /** The whole passage, from the management API. */
  passage: string
}

/** The result of the chat API. */
export interface Answer {
  text: string
  isCovered: boolean
  /** 0 to 1. */
  confidence: number
  /** From the first frame, best first. */
  found: FoundPage[]
  /** The full text of the first of them, if the plan requests it. */
  passages: string[]
  /** From the last frame. */
  cited: CitedPassage[]
  firstFrameMs: number
  wholeMs: number
}

/** One question with all its results over the wire. */
export interface Observation {
  question: Question
  /** Source groups of the question; undefined: all. */
  groups: readonly string[] | undefined
  /** Results of the search API, best first; undefined if it was not called. */
  results: FoundPage[] | undefined
  searchMs: number | undefined
  answer: Answer | undefined
}

/** Computes figures from all observations of a part. A measure without applicable observations returns none. */
export type Measure = (observations: readonly Observation[]) => Figures

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The fraction of items for which a condition holds; undefined for no items. */
export const shareOf = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number | undefined =>
  items.length === 0 ? undefined : items.filter(holds).length / items.length

/** Removes undefined figures. */
export const known = (figures: { [Name in keyof Figures]: number | undefined }): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined))
