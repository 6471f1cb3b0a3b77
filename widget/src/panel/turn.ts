import type { Citation } from '@citewell/sdk'

/** Why an answer failed, as far as the reader and the owner need it. */
export interface Failure {
  code: string
  /** `rate_limited`, `timeout`, … or undefined if the request was refused for another reason. */
  kind: string | undefined
  retryable: boolean
  requestId: string | undefined
  /** When it is worth trying again: milliseconds since 1970. */
  retryAt: number | undefined
  /** The service's own sentence, in English. */
  sentence: string
}

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
