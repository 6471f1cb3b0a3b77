import type { Measure } from '../measures/observation.ts'
import type { Page, Question } from './read-set.ts'

/** A knowledge base as a set wants it. */
export interface BasePlan {
  name: string
  /** Of its pages, as an owner would set it; null: told from each page. */
  language: string | null
  sources: readonly SourcePlan[]
}

export interface SourcePlan {
  name: string
  versionLabel: string | null
  /** In a source group of the source's own name. */
  isGrouped: boolean
  pages: readonly Page[]
  /** A folder of built documentation, which is served and crawled instead of sending pages. */
  site?: string
}

/** How one question is put. */
export interface Asking {
  /** Asked before it in the same thread, oldest first. */
  earlier: readonly string[]
  /** Sources that it is limited to, by their groups; undefined: all of the base. */
  groups: readonly string[] | undefined
  /** Put to the search API. */
  searches: boolean
  /** Put to the chat API. */
  chats: boolean
  /** The passages of the first citations are read in full. */
  readsPassages: boolean
}

/** One row of the report: questions put to one base in one way. */
export interface PartPlan {
  name: string
  base: BasePlan
  questions: readonly Question[]
  ask: (question: Question) => Asking
  measures: readonly Measure[]
}

/** A folder of evaluation data, with what is asked of it. */
export interface SetPlan {
  name: string
  parts: (folder: string) => PartPlan[]
}

export const SEARCHED: Asking = {
  earlier: [],
  groups: undefined,
  searches: true,
  chats: false,
  readsPassages: false,
}
export const ANSWERED: Asking = { ...SEARCHED, chats: true }
