import type { DeskAccount, DeskMessage, DeskTicket } from '../../help-desk.ts'
import { textOfHtml } from '../../../../kernel/text-of-html.ts'
import { intercomTeammate, readFromIntercom } from './intercom-api.ts'
import { IntercomConversation } from './intercom-schemas.ts'

export const isIntercomId = (id: string) => /^\d{1,30}$/.test(id)

const CUSTOMERS = new Set(['user', 'lead', 'contact'])

type Author = { type: string; id?: string | null | undefined } | null | undefined

/** Undefined for what programs of Intercom say: they neither ask nor take over. */
function authorOf(author: Author, us: string | undefined): DeskMessage['by'] | undefined {
  if (CUSTOMERS.has(author?.type ?? '')) return 'customer'
  if (author?.type !== 'admin') return undefined
  return us !== undefined && author.id === us ? 'us' : 'team'
}

/** What was said, oldest first: the first message, and the parts that have words. */
function messagesOf(
  { id, source, conversation_parts: parts }: IntercomConversation,
  us: string | undefined,
): DeskMessage[] {
  const first = { ...source, id: `source ${source?.id ?? id}`, part_type: 'comment' }
  const said = [first, ...(parts?.conversation_parts ?? [])]
  return said.flatMap(({ id: part, part_type: kind, body, author, redacted }): DeskMessage[] => {
    const by = authorOf(author, us)
    const text = redacted === true ? '' : textOfHtml(body ?? '')
    if (by === undefined || text.trim() === '') return []
    return [{ id: part, by, isInternal: kind.startsWith('note'), isAutomatic: false, text }]
  })
}

/** Whether the automation may speak: mails and chats of other networks come to Intercom, too, and a person may have one without having written. */
function isForUs(
  { conversation_parts: parts, source, admin_assignee_id: assignee }: IntercomConversation,
  us: string | undefined,
): boolean {
  const isWhole = (parts?.total_count ?? 0) <= (parts?.conversation_parts?.length ?? 0)
  const isWithPeople = !['', '0', us].includes(assignee ?? '')
  return isWhole && source?.type === 'conversation' && !isWithPeople
}

/** A conversation of the Messenger. @throws DeskFailure */
export async function readIntercomChat(id: string, account: DeskAccount): Promise<DeskTicket | undefined> {
  if (!isIntercomId(id)) return undefined
  const read = await readFromIntercom(`/conversations/${id}`, IntercomConversation, account)
  if (read === undefined) return undefined
  const us = await intercomTeammate(account)
  const messages = messagesOf(read, us)
  return {
    subject: '',
    messages,
    isOpen: read.state === 'open',
    isOurs: isForUs(read, us),
    // Intercom knows no condition for a message: what was said last, the state and whose it is are compared before one is posted.
    etag: [messages.at(-1)?.id, read.state, read.admin_assignee_id].join(' '),
  }
}
