import type { Source } from '@citewell/sdk/management'
import { useConnectAccount, useSourceConnections } from '../../api/source-connections.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const SAYS = {
  pending: 'is not connected yet.',
  connected: 'is connected.',
  broken: 'is no longer accepted by its platform. Connect it again: nothing that was read is lost.',
} as const

/** The connected account that a source is read with; nothing for a source without one. */
export function SourceAccount({ source, blocked }: { source: Source; blocked: string | undefined }) {
  const baseId = source.knowledge_base_id
  const connect = useConnectAccount(baseId)
  const connections = useSourceConnections(
    baseId,
    connect.data && { id: connect.data.id, at: connect.submittedAt },
  )
  const connection = connections.data?.find(({ id }) => id === source.connection_id)
  if (connection === undefined) return null
  return (
    <Card title="Account">
      <p role="status">
        {connection.account ?? 'The account'} {SAYS[connection.status]}
      </p>
      <Button
        blocked={blocked}
        disabled={connect.isPending}
        onClick={() => connect.mutate({ again: connection.id })}
      >
        Connect again
      </Button>
    </Card>
  )
}
