import { isUuid } from '../../kernel/ids.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { GrantPosition } from './grants-store.ts'

/** `next_cursor` of a page over all bases that ends with this grant. */
export const grantCursorOf = ({ knowledgeBaseId, userId }: GrantPosition): string =>
  Buffer.from(`${knowledgeBaseId} ${userId}`).toString('base64url')

/** @throws Refusal BAD_REQUEST for a text that is not a cursor of this list */
export function readGrantCursor(cursor: string | undefined): GrantPosition | undefined {
  if (cursor === undefined) return undefined
  const [knowledgeBaseId = '', userId = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (isUuid(knowledgeBaseId) && isUuid(userId)) return { knowledgeBaseId, userId }
  throw new Refusal('BAD_REQUEST', {
    details: [{ path: 'cursor', message: 'is not a next_cursor of this list' }],
  })
}
