import { isUuid } from '../../kernel/ids.ts'
import { wrongCursor } from '../../kernel/paging.ts'
import type { GrantPosition } from './grants-store.ts'

/** `next_cursor` of a page over all bases that ends with this grant. */
export const grantCursorOf = (last: { knowledge_base_id: string; user_id: string }): string =>
  Buffer.from(`${last.knowledge_base_id} ${last.user_id}`).toString('base64url')

/** @throws Refusal BAD_REQUEST for a text that is not a cursor of this list */
export function readGrantCursor(cursor: string | undefined): GrantPosition | undefined {
  if (cursor === undefined) return undefined
  const [knowledgeBaseId = '', userId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (isUuid(knowledgeBaseId) && isUuid(userId)) return { knowledgeBaseId, userId }
  throw wrongCursor()
}
