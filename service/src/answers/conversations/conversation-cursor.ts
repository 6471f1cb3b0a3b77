import { isStorableTime } from '../../kernel/date-range.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** The last conversation of a page. The next page continues after it, even if conversations were added or deleted meanwhile. */
export interface ConversationPosition {
  createdAt: Date
  id: string
}

/** `next_cursor` of a page that ends with this conversation. */
export const cursorOf = ({ createdAt, id }: ConversationPosition): string =>
  Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url')

/** @throws Refusal BAD_REQUEST for a text that is not a cursor of this list */
export function readCursor(cursor: string | undefined): ConversationPosition | undefined {
  if (cursor === undefined) return undefined
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const createdAt = new Date(time)
  if (!isUuid(id) || !isStorableTime(createdAt)) {
    throw new Refusal('BAD_REQUEST', {
      details: [{ path: 'cursor', message: 'is not a next_cursor of this list' }],
    })
  }
  return { createdAt, id }
}
