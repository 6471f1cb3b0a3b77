import type { KnowledgeBase } from '@citewell/sdk/management'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useKnowledgeBases } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { isHost } from './read-address.ts'

/** What each base has from its beginning. */
const FROM_THE_BEGINNING: Record<string, number> = { client_keys: 1, widgets: 1 }

/**
 * The knowledge base that the first steps set up. A preview needs one, and the screen says that nothing is stored yet: one that was made for it
 * goes when the preview fails, when another address is typed and when the person leaves, unless it was kept.
 */
export function useStartBase(workspaceId: string, known: string | undefined) {
  const api = useApi()
  const client = useQueryClient()
  const bases = useKnowledgeBases(workspaceId)
  const made = useRef<string>(undefined)
  const gone = useRef(new Set<string>())
  /** A deletion that is on its way: a plan may allow no base beside the one that goes. */
  const going = useRef(Promise.resolve())

  const refresh = useCallback(
    async () => await client.invalidateQueries({ queryKey: ['knowledge-bases'] }),
    [client],
  )
  /** Deletes the one that was made here, unless something is in it by now: somebody may have gone on with it in another tab. */
  const takeAway = useCallback((): void => {
    const id = made.current
    if (id === undefined) return
    made.current = undefined
    gone.current.add(id)
    const remove = async () => {
      const { name, counts } = await api.previewKnowledgeBaseDeletion(id)
      const isEmpty = Object.entries(counts).every(
        ([kind, number]) => number <= (FROM_THE_BEGINNING[kind] ?? 0),
      )
      if (!isEmpty) return void gone.current.delete(id)
      await api.deleteKnowledgeBase(id, { confirm: name })
      // Lists that are not on the screen are read again when they are: until then they would still have it.
      client.setQueriesData<KnowledgeBase[]>({ queryKey: ['knowledge-bases'] }, (list) =>
        list?.filter((base) => base.id !== id),
      )
      await refresh()
    }
    going.current = remove().catch(() => {
      // It is there: the next preview takes it, or it goes later.
      gone.current.delete(id)
      made.current ??= id
    })
  }, [api, client, refresh])
  useEffect(() => takeAway, [takeAway])

  /** One that was made before, here or for the same site, and has nothing yet; or a new one. */
  async function baseFor(name: string): Promise<string> {
    await going.current
    const { data } = bases.isPending ? await bases.refetch({ cancelRefetch: false }) : bases
    const all = data?.filter(
      ({ id, document_count: documents, status }) =>
        documents === 0 && status === 'active' && !gone.current.has(id),
    )
    const empty =
      all?.find(({ id }) => id === known || id === made.current) ??
      all?.find((base) => base.name === name && base.your_permissions.includes('edit-config'))
    if (empty !== undefined) {
      const sources = await api.listSources(empty.id, { limit: 1 })
      if (sources.data.length === 0) {
        // A name that was taken from another address follows the address; one that a person gave stays.
        if (empty.name !== name && isHost(empty.name)) await api.updateKnowledgeBase(empty.id, { name })
        return empty.id
      }
    }
    const { id } = await api.createKnowledgeBase({ name, workspace_id: workspaceId })
    made.current = id
    await refresh()
    return id
  }
  /** Whether it was made here, for a preview only. */
  const isForPreview = (id: string | undefined): boolean =>
    id !== undefined && (id === made.current || gone.current.has(id))
  /** From now on it is the person's. */
  function keep(): void {
    made.current = undefined
  }
  return { bases, baseFor, isForPreview, keep, takeAway, refresh }
}
