import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  keepPreviousData,
} from '@tanstack/react-query'
import { useApi } from './session.ts'

/** Which documents, as the address of the screen says it. */
export interface DocumentFilter {
  q?: string
  source_id?: string
  visibility?: 'public' | 'restricted'
  label?: string
}

export type DocumentSort = 'title' | '-title' | 'indexed_at' | '-indexed_at' | 'chunk_count' | '-chunk_count'

/** Documents of one request: as many as the service gives. */
const PAGE_ROWS = 200

/** The documents that a filter finds, page by page. The last ones stay until others are there. */
export function useDocuments(baseId: string, filter: DocumentFilter, sort: DocumentSort) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['documents', baseId, filter, sort],
    queryFn: async ({ pageParam, signal }) =>
      await api.listDocuments(
        baseId,
        { ...filter, sort, limit: PAGE_ROWS, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    // Reading thousands of rows again, because the window was left for a moment, helps nobody.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  })
}

export function useDocumentCounts(baseId: string, filter: DocumentFilter) {
  const api = useApi()
  return useQuery({
    queryKey: ['document-counts', baseId, filter],
    queryFn: ({ signal }) => api.countDocuments(baseId, filter, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Documents of one change: as many as the service takes. */
const CHANGED_AT_ONCE = 200

/** Makes documents public or restricted: those that are named, or all that a filter finds. */
export function useVisibilityChange(baseId: string, onProgress: (done: number) => void) {
  const api = useApi()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (of: {
      visibility: 'public' | 'restricted'
      ids: readonly string[] | DocumentFilter
    }): Promise<number> => {
      // The ids are read before anything is changed: a filter may find others afterwards.
      const ids = Array.isArray(of.ids)
        ? (of.ids as string[])
        : await Array.fromAsync(
            api.listDocuments(baseId, { ...(of.ids as DocumentFilter), limit: PAGE_ROWS }).all(),
            ({ id }) => id,
          )
      let changed = 0
      for (let at = 0; at < ids.length; at += CHANGED_AT_ONCE) {
        const some = ids.slice(at, at + CHANGED_AT_ONCE)
        changed += (await api.updateDocuments(baseId, { ids: some, visibility: of.visibility })).changed
        onProgress(at + some.length)
      }
      return changed
    },
    onSettled: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['documents', baseId] }),
        client.invalidateQueries({ queryKey: ['document-counts', baseId] }),
      ])
    },
  })
}
