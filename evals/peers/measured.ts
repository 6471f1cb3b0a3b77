import type { Timed } from './time-questions.ts'

/** What each process needs to know. */
export interface Task {
  set: string
  evaluationData: string
  /** Where `npm run eval` keeps vectors and models; databases of this comparison are in `peers` beneath it. */
  keptData: string
  /** A file of all passages with their vectors, serialised by V8. */
  passagesFile: string
  questions: string[]
  warmUp: string[]
}

/** What is left of indexing in Citewell: the others' passages come from it, and it is asked on it. */
export interface IndexedSet {
  baseId: string
  key: string
  /** The page of each document. */
  pages: [document: string, page: string][]
  buildMs: number
  /** Passages whose vectors were not there. */
  vectorsMade: number
}

/** One system, measured in a process of its own. */
export interface Measured extends Timed {
  /** With its version. */
  name: string
  /** How it is set up. */
  setting: string
  /** Building the index, vectors being there. */
  buildMs: number
  /** Resident memory of the process after the last question. */
  residentMb: number
}

export const residentMb = () => process.memoryUsage.rss() / 2 ** 20
