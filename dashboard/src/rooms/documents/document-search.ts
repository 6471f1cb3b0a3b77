import type { DocumentFilter } from '../../api/documents.ts'

/** The filters in the address of the screen. */
export interface DocumentSearch {
  q?: string | undefined
  source?: string | undefined
  label?: string | undefined
  visible?: 'public' | 'restricted' | undefined
  sort?: 'title' | 'indexed_at' | '-indexed_at' | '-chunk_count' | undefined
}

const SORTS = ['title', 'indexed_at', '-indexed_at', '-chunk_count'] as const

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, 200) || undefined
    : undefined

/** Reads them; what cannot be one is left out. */
export function readDocumentSearch(search: Record<string, unknown>): DocumentSearch {
  const read: DocumentSearch = {
    q: textOf(search['q']),
    source: textOf(search['source']),
    label: textOf(search['label']),
    visible: (['public', 'restricted'] as const).find((one) => one === search['visible']),
    sort: SORTS.find((one) => one === search['sort']),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** The same, as the service takes it. */
export const filterOf = ({ q, source, label, visible }: DocumentSearch): DocumentFilter => ({
  ...(q !== undefined && q !== '' && { q }),
  ...(source !== undefined && source !== '' && { source_id: source }),
  ...(label !== undefined && label !== '' && { label }),
  ...(visible !== undefined && { visibility: visible }),
})
