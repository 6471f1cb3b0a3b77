import type { Measure } from '../measures/observation.ts'
import type { Page, Question } from './read-set.ts'

/** A knowledge base of a set. */
export interface BasePlan {
  name: string
  /** Language of its pages, as an owner would set it; null: detected per page. */
  language: string | null
  sources: readonly SourcePlan[]
}

export interface SourcePlan {
  name: string
  versionLabel: string | null
  /** In a source group with the source's name. */
  isGrouped: boolean
  pages: readonly Page[]
  /** A folder of built documentation, which is served and crawled instead of sending pages. */
  site?: string
}

/** How a question is asked. */
export interface Asking {
  /** Asked before it in the same thread, oldest first. */
  earlier: readonly string[]
  /** Sources that it is limited to, by their groups; undefined: all of the base. */
  groups: readonly string[] | undefined
  /** Use the search API. */
  searches: boolean
  /** Use the chat API. */
  chats: boolean
  /** Read the passages of the first citations in full. */
  readsPassages: boolean
}

/** One row of the report: questions asked of one base in one way. */
export interface PartPlan {
  name: string
  base: BasePlan
  questions: readonly Question[]
  ask: (question: Question) => Asking
  measures: readonly Measure[]
}

/** A folder of evaluation data, with its parts. */
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
