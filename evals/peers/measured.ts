import type { Timed } from './time-questions.ts'

/** The input of each process. */
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

/** The result of indexing in Citewell: the other systems use its passages, and Citewell is measured on it. */
export interface IndexedSet {
  baseId: string
  key: string
  /** The page of each document. */
  pages: [document: string, page: string][]
  buildMs: number
  /** Passages whose vectors were not cached. */
  vectorsMade: number
}

/** One system, measured in its own process. */
export interface Measured extends Timed {
  /** Including its version. */
  name: string
  /** Its configuration. */
  setting: string
  /** Time to build the index from existing vectors. */
  buildMs: number
  /** Resident memory of the process after the last question. */
  residentMb: number
}

export const residentMb = () => process.memoryUsage.rss() / 2 ** 20
