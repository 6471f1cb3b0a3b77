import type { Citation } from '@citewell/sdk'
import type { Failure } from './failure.ts'

/** A question and its answer. */
export interface Turn {
  id: number
  question: string
  /** What the reader selected on the page and asked about. */
  quote: string
  status: 'waiting' | 'writing' | 'done' | 'stopped' | 'failed'
  /** What was found at first. */
  found: readonly Citation[]
  text: string
  /** What the answer cites, once it is complete. */
  citations: readonly Citation[]
  covered: boolean
  messageId: string | undefined
  failure: Failure | undefined
  rating: 'up' | 'down' | undefined
  commented: boolean
  /** What the reader has written about the answer, sent or not. */
  comment: string
  /** The last rating, withdrawal or comment did not reach the service. */
  isUnsent: boolean
}

export const isOpen = ({ status }: Turn): boolean => status === 'waiting' || status === 'writing'

/** The citations with a number: one page may be cited with several passages. */
export const citedAs = (turn: Turn, index: number): Citation[] =>
  (turn.status === 'done' ? turn.citations : turn.found).filter((citation) => citation.index === index)

/** The first citation of each page, without those of other pages. */
export function pagesOf(citations: readonly Citation[]): Citation[] {
  const seen = new Set<string>()
  return citations.filter(({ documentId, title }) => {
    const key = documentId || title
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
