import type { DOCUMENT_SORTS } from '@citewell/contract/documents'
import { isUuid } from '../../kernel/ids.ts'
import { wrongField } from '../../kernel/refusal.ts'
import { isStorableText } from '../../kernel/storable-text.ts'
import type { DocumentOrder, OrderedDocumentRow } from './documents-store.ts'

type Sort = (typeof DOCUMENT_SORTS)[number]

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** `next_cursor` of a page in this order that ends with this document. */
export const documentCursorOf = (sort: Sort, last: OrderedDocumentRow | undefined): string | null =>
  last === undefined
    ? null
    : Buffer.from(JSON.stringify([sort, last.sort_key, last.id])).toString('base64url')

/** @throws Refusal BAD_REQUEST for a text that is not a cursor of this order */
export function readDocumentOrder(sort: Sort, cursor: string | undefined): DocumentOrder {
  const isReversed = sort.startsWith('-')
  const by = sort.replace('-', '') as DocumentOrder['by']
  if (cursor === undefined) return { by, isReversed, after: undefined }
  const read = parse(cursor)
  const [ofSort, key, id] = isStrings(read) ? read : []
  if (ofSort === sort && key !== undefined && isStorableText(key) && id !== undefined && isUuid(id))
    return { by, isReversed, after: { key, id } }
  throw wrongField('cursor', 'is not a next_cursor of this list in this order')
}
