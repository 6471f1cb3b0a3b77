import type { TicketRow } from '../tickets/tickets.ts'
import type { DeskMode } from './desk-settings.ts'
import type { DeskTicket } from './help-desk.ts'

/**
 * A ticket, with the drafts that people sent as theirs. Where notes are drafts of the help desk, a person sends them in our name, and nothing
 * there tells them from answers. What was posted is noted here, whichever mode was set then: the earliest so many are ours, the others are not.
 */
export function withSentDrafts(
  { status, answers_given: answersGiven }: Pick<TicketRow, 'status' | 'answers_given'>,
  mode: DeskMode,
  read: DeskTicket,
): DeskTicket {
  // One that may have been posted does not count yet; a draft never does.
  const isAwaited = mode !== 'draft' && (status === 'posting' || status === 'unsure')
  let ours = answersGiven + (isAwaited ? 1 : 0)
  const messages = read.messages.map((message) => {
    if (message.by !== 'us' || message.isInternal) return message
    ours -= 1
    return ours < 0 ? { ...message, by: 'team' as const } : message
  })
  return { ...read, messages }
}
