import type { ListedFile, Source } from '@citewell/sdk/management'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sizeOf } from '../../api/chosen-files.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Card } from '../../ui/page.tsx'
import { isRunning } from '../../ui/source-status.ts'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** Reasons of files that could not be read, at most: the others are in the list of the sync. */
const MOST_REASONS = 200

/** Why the last sync could not read files, by their names. */
function useReasons({ last_sync: sync }: Source): ReadonlyMap<string, string> {
  const api = useApi()
  const id = sync?.id ?? ''
  const failed = useQuery({
    queryKey: ['sync', id, 'reasons', sync?.finished_at],
    queryFn: ({ signal }) => api.listSyncErrors(id, { kind: 'failed', limit: MOST_REASONS }, { signal }),
    enabled: (sync?.counts.failed ?? 0) > 0,
  })
  return new Map(failed.data?.data.map(({ url, reason }) => [url, reason]))
}

function WhatBecameOfIt({
  baseId,
  file,
  isReading,
  reason,
}: {
  baseId: string
  file: ListedFile
  isReading: boolean
  reason: string | undefined
}) {
  const { document_id: documentId } = file
  return (
    <>
      {documentId !== null && (
        <Link to="/kb/$baseId/documents/$documentId" params={{ baseId, documentId }}>
          Show its document
        </Link>
      )}
      {documentId === null && isReading && <Status tone="info">waits to be read</Status>}
      {!isReading && (documentId === null || reason !== undefined) && (
        <>
          <Status tone="warn">{documentId === null ? 'not read' : 'this version was not read'}</Status>
          {reason !== undefined && <div>{reason}</div>}
        </>
      )}
    </>
  )
}

/** The files that were uploaded to a source, with what became of each. */
export function UploadedFiles({
  baseId,
  source,
  blocked,
}: {
  baseId: string
  source: Source
  /** Why nothing may be deleted. */
  blocked: string | undefined
}) {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [leaving, setLeaving] = useState<ListedFile>()
  const files = useInfiniteQuery({
    // What is read or deleted changes the list.
    queryKey: ['files', source.id, source.last_sync?.id, source.status, source.document_count],
    queryFn: async ({ pageParam, signal }) =>
      await api.listUploadedFiles(
        source.id,
        { limit: 20, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    // The list stays where it is while its files are read.
    placeholderData: (before) => before,
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const reasons = useReasons(source)
  const remove = useMutation({
    mutationFn: ({ id }: ListedFile) => api.deleteUploadedFile(id),
    onSuccess: async (_none, { name }) => {
      await Promise.all(
        ['files', 'source', 'sources', 'documents', 'document-counts'].map((list) =>
          client.invalidateQueries({ queryKey: [list] }),
        ),
      )
      tell(`“${name}” was deleted.`)
    },
    onError: tellFault,
  })
  const isReading = isRunning(source)
  return (
    <Card title="Files">
      <Listed query={files} empty="No files yet.">
        {(rows) => (
          <Table
            label="Uploaded files"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Name', of: ({ name }) => name },
              { name: 'Size', isNumber: true, of: ({ byte_length: size }) => sizeOf([{ size }]) },
              { name: 'Sent', of: ({ updated_at: at }) => <Time at={at} /> },
              {
                name: 'State',
                of: (file) => (
                  <WhatBecameOfIt
                    baseId={baseId}
                    file={file}
                    isReading={isReading}
                    reason={reasons.get(file.name)}
                  />
                ),
              },
              {
                name: 'Actions',
                of: (file) => (
                  <Button
                    look="quiet"
                    blocked={blocked}
                    disabled={remove.isPending}
                    aria-label={`Delete ${file.name}`}
                    onClick={() => setLeaving(file)}
                  >
                    Delete
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Listed>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete “${leaving?.name ?? ''}”`}
        action="Delete the file"
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving)
        }}
      >
        <p>
          {leaving?.document_id === null
            ? 'Answers do not use it. It is not kept here.'
            : 'Its document is deleted too, and answers stop using it at once. This cannot be undone.'}
        </p>
      </ConfirmDialog>
    </Card>
  )
}
