import { createHash } from 'node:crypto'
import type { EmailAccount } from './email-settings.ts'

const ANSWER = 'citewell.answer.'

/**
 * The id of what is sent or stored for a ticket: the same each time, so that a second one is seen. A ticket gets one answer.
 *
 * @param what a draft and a note are for what was read: `of` is its mark
 */
export function ownMessageId(
  what: 'answer' | 'draft' | 'note',
  { address }: EmailAccount,
  ticketId: string,
  of = '',
): string {
  const key = createHash('sha256')
    .update(JSON.stringify([address, ticketId, of]))
    .digest('hex')
    .slice(0, 40)
  return `citewell.${what}.${key}@${address.split('@').at(-1) ?? 'localhost'}`
}

/** An answer of this service. A draft that a person sends is the person's. */
export const isOurAnswer = (messageId: string | undefined) => messageId?.startsWith(ANSWER) ?? false

/** What a search finds all answers by. */
export const ANSWER_MARK = ANSWER
