import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { goToSignIn, useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** The browsers in which the person is signed in. */
export function Sessions() {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [isLeaving, setLeaving] = useState(false)
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listMySessions({ limit: 100 }, { signal }).all()),
  })
  const end = useMutation({
    mutationFn: (id: string) => api.endMySession(id),
    onSuccess: async () => {
      tell('That browser is signed out.')
      await client.invalidateQueries({ queryKey: ['sessions'] })
    },
    onError: tellFault,
  })
  const endAll = useMutation({
    mutationFn: () => api.endMySessions(),
    onSuccess: goToSignIn,
    onError: tellFault,
  })
  return (
    <Card
      title="Where you are signed in"
      aside={
        <Button disabled={endAll.isPending} onClick={() => setLeaving(true)}>
          Sign out everywhere
        </Button>
      }
    >
      <Loaded query={sessions}>
        {(list) => (
          <Table
            label="Browsers in which you are signed in"
            rows={list}
            keyOf={({ id }) => id}
            columns={[
              {
                name: 'Browser',
                of: (one) => `${one.browser ?? 'Unknown'}${one.is_current ? ' (this one)' : ''}`,
              },
              { name: 'Signed in', of: (one) => <Time at={one.created_at} /> },
              { name: 'Last seen', of: (one) => <Time at={one.last_seen_at} /> },
              {
                name: 'Actions',
                of: (one) => (
                  <Button
                    look="quiet"
                    disabled={end.isPending}
                    blocked={
                      one.is_current
                        ? 'This is the browser you are using: sign out under your name above.'
                        : undefined
                    }
                    aria-label={`Sign out ${one.browser ?? 'the unknown browser'}`}
                    onClick={() => end.mutate(one.id)}
                  >
                    Sign out
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        title="Sign out everywhere"
        action="Sign out everywhere"
        onConfirm={() => endAll.mutate()}
      >
        <p>
          Every browser in which you are signed in is signed out, this one too. Access tokens and connected AI
          tools are not.
        </p>
      </ConfirmDialog>
    </Card>
  )
}
