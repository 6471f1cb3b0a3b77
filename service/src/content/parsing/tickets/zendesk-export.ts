import { textOfHtml } from '../../../kernel/text-of-html.ts'
import { refOf, subjectOf, tagsOf, timeOf, type FoundTicket } from './ticket-found.ts'

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an object is a ticket as Zendesk exports it. */
export const isZendeskTicket = (given: Fields): boolean =>
  'requester_id' in given && ('description' in given || 'comments' in given)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a comment: the plain one has no markup, `body` may. */
function wordsOf(comment: Fields): string {
  const plain = textOf(comment['plain_body'])
  if (plain !== '') return plain.replaceAll('&nbsp;', ' ')
  const html = textOf(comment['html_body'])
  return html === '' ? textOf(comment['body']) : textOfHtml(html)
}

const hasFiles = ({ attachments }: Fields): boolean => Array.isArray(attachments) && attachments.length > 0

/**
 * A ticket of Zendesk's export (a list of tickets, or its incremental export, with comments if they were exported): what the requester wrote
 * first, and the first public reply of somebody else.
 */
export function ticketOfZendesk(given: Fields): FoundTicket {
  const comments = (Array.isArray(given['comments']) ? (given['comments'] as unknown[]) : [])
    .filter(isFields)
    .filter(({ public: isPublic }) => isPublic !== false)
  const { requester_id: requester } = given
  const [first] = comments
  const reply = comments.slice(1).find(({ author_id: author }) => author !== requester)
  const tags = tagsOf(given['tags'])
  const isOfAgent =
    first === undefined
      ? given['submitter_id'] !== undefined && given['submitter_id'] !== requester
      : first['author_id'] !== undefined && first['author_id'] !== requester
  const words = reply === undefined ? '' : wordsOf(reply)
  return {
    ref: refOf(given['id']),
    subject: subjectOf(given['raw_subject'] ?? given['subject']),
    body: first === undefined ? textOf(given['description']) : wordsOf(first),
    askedAt: timeOf(given['created_at']),
    tags,
    agentReply: words.trim() === '' ? null : words,
    isNone: noneOf(given, tags, isOfAgent),
    hasAttachment: first !== undefined && hasFiles(first),
  }
}

function noneOf({ status }: Fields, tags: readonly string[], isOfAgent: boolean): FoundTicket['isNone'] {
  if (status === 'deleted' || tags.includes('spam') || tags.includes('suspended')) return 'spam'
  if (tags.includes('closed_by_merge')) return 'merged'
  return isOfAgent ? 'agent_made' : undefined
}
