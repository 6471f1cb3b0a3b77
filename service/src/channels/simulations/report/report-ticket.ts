import type { TicketReview } from '@citewell/contract/simulations'

/** What the report reads of a ticket: without its text and its answer. */
export interface ReportTicket {
  number: number
  ref: string | null
  subject: string | null
  beginning: string
  characters: number
  asked_at: Date | null
  tags: string[]
  language: string | null
  outcome: 'deflected' | 'low_confidence' | 'answer_failed' | null
  confidence: number | null
  like_agent: number | null
  review: TicketReview | null
  own_documents: number
  /** The same in two runs for the same ticket. */
  same: string
}

export const isAnswered = ({ outcome }: Pick<ReportTicket, 'outcome'>): boolean => outcome === 'deflected'
