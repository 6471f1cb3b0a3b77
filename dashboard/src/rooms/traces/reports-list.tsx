import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { beginningOf } from '../../ui/beginning-of.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

export function ReportsList({ baseId }: { baseId: string }) {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [leaving, setLeaving] = useState<string>()
  const reports = useInfiniteQuery({
    queryKey: ['reports', baseId],
    queryFn: async ({ pageParam, signal }) =>
      await api.listReports(baseId, { limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteReport(id),
    onSuccess: async () => {
      tell('The report was deleted.')
      await client.invalidateQueries({ queryKey: ['reports', baseId] })
    },
    onError: tellFault,
  })
  return (
    <>
      <Listed
        query={reports}
        isByTime
        empty="No reports yet. AI tools that are connected over MCP report wrong answers and missing documentation here."
      >
        {(rows) => (
          <Table
            label="Reports of AI tools"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Report',
                of: ({ message, withheld }) => (
                  <span dir="auto">
                    {withheld ? 'Withheld: to read it you need the permission Chat.' : message}
                  </span>
                ),
              },
              { name: 'Page', of: ({ url }) => (url === null ? '–' : <a href={url}>{url}</a>) },
              { name: 'Reported', of: (one) => <Time at={one.created_at} /> },
              {
                name: 'Actions',
                of: ({ id, message }) => (
                  <Button
                    look="quiet"
                    aria-label={`Delete ${beginningOf(message ?? 'the report', 60)}`}
                    onClick={() => setLeaving(id)}
                  >
                    Delete
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Listed>
      <Dialog isOpen={leaving !== undefined} onClose={() => setLeaving(undefined)} title="Delete this report">
        <p>Delete it when you have dealt with it. This cannot be undone.</p>
        <p>
          <Button
            look="danger"
            onClick={() => {
              if (leaving !== undefined) remove.mutate(leaving)
              setLeaving(undefined)
            }}
          >
            Delete the report
          </Button>
        </p>
      </Dialog>
    </>
  )
}
