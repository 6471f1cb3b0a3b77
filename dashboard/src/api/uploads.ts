import { useRef } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewSource } from '@citewell/sdk/management'
import { requestsOf } from './chosen-files.ts'
import { useApi } from './session.ts'

function useSender(baseId: string) {
  const api = useApi()
  const client = useQueryClient()
  return async (sourceId: string, files: readonly File[]) => {
    try {
      for (const file of requestsOf(files)) await api.uploadFiles(sourceId, { file })
    } finally {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['sources', baseId] }),
        client.invalidateQueries({ queryKey: ['source', sourceId] }),
        client.invalidateQueries({ queryKey: ['syncs'] }),
        client.invalidateQueries({ queryKey: ['files', sourceId] }),
      ])
    }
  }
}

/** Sends files to a source, one request after the other. */
export function useSendFiles(baseId: string) {
  const send = useSender(baseId)
  return useMutation({
    mutationFn: ({ sourceId, files }: { sourceId: string; files: readonly File[] }) => send(sourceId, files),
  })
}

/** Makes a source and sends files to it. After a failure the source that was made becomes what is asked for now, and no second one is made. */
export function useAddFiles(baseId: string) {
  const api = useApi()
  const send = useSender(baseId)
  const made = useRef<string>(undefined)
  return useMutation({
    mutationFn: async ({ source, files }: { source: NewSource; files: readonly File[] }) => {
      if (made.current === undefined) made.current = (await api.createSource(baseId, source)).id
      else {
        const { name, version_label, visibility } = source
        await api.updateSource(made.current, { name, version_label, visibility })
      }
      await send(made.current, files)
      return made.current
    },
  })
}
