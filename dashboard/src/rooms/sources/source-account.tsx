import type { Source, SourceConnection } from '@citewell/sdk/management'
import {
  useConnectablePlatforms,
  useConnectAccount,
  useSourceConnections,
} from '../../api/source-connections.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { StartedAccount } from './started-account.tsx'

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
      {connect.data !== undefined && <StartedAgain connection={connection} started={connect.data} />}
    </Card>
  )
}

/** The link to the platform: a browser may not have opened its page. */
function StartedAgain({
  connection,
  started,
}: {
  connection: SourceConnection
  started: SourceConnection & { authorize_url: string }
}) {
  const platforms = useConnectablePlatforms(connection.knowledge_base_id)
  const platform = platforms.data?.find((one) => one.platform === connection.platform)
  // It may have been connected before too: what was allowed now is stored after the beginning.
  const isConnected = connection.status === 'connected' && connection.updated_at > started.updated_at
  return (
    <StartedAccount
      name={platform?.name ?? connection.platform}
      isConnected={isConnected}
      address={started.authorize_url}
    />
  )
}
