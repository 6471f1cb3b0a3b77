import { isStorableTime } from '../../kernel/date-range.ts'
import { isUuid } from '../../kernel/ids.ts'
import { wrongCursor } from '../../kernel/paging.ts'

/** The last conversation of a page. The next page continues after it, even if conversations were added or deleted meanwhile. */
export interface ConversationPosition {
  createdAt: Date
  id: string
}

/** `next_cursor` of a page that ends with this conversation. */
export const cursorOf = ({ created_at, id }: { created_at: Date; id: string }): string =>
  Buffer.from(`${created_at.toISOString()} ${id}`).toString('base64url')

/** @throws Refusal BAD_REQUEST for a text that is not a cursor of this list */
export function readCursor(cursor: string | undefined): ConversationPosition | undefined {
  if (cursor === undefined) return undefined
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const createdAt = new Date(time)
  if (!isUuid(id) || !isStorableTime(createdAt)) throw wrongCursor()
  return { createdAt, id }
}
