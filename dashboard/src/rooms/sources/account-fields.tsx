import type { SourceConnection } from '@citewell/sdk/management'
import { useState } from 'react'
import { useConnectAccount, useSourceConnections } from '../../api/source-connections.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import classes from './new-source-page.module.css'
import { StartedAccount } from './started-account.tsx'

/** Chooses the account that a source is read with, or connects one. */
export function AccountFields({
  baseId,
  platform,
  name,
}: {
  baseId: string
  platform: SourceConnection['platform']
  /** What the platform is called. */
  name: string
}) {
  const connect = useConnectAccount(baseId)
  const started = connect.data
  const connections = useSourceConnections(baseId, started && { id: started.id, at: connect.submittedAt })
  const [chosen, setChosen] = useState<string>()
  const accounts =
    connections.data?.filter((one) => one.platform === platform && one.status === 'connected') ?? []
  const isConnected = accounts.some(({ id }) => id === started?.id)
  const value = chosen ?? (isConnected ? started?.id : undefined) ?? accounts.at(-1)?.id ?? ''
  return (
    <>
      <Select
        label="Account"
        name="connection_id"
        // Without an account there is nothing to read with: the form says so here, before it is sent.
        required
        options={
          accounts.length === 0
            ? [['', 'Connect an account first']]
            : accounts.map(({ id, account }) => [id, account ?? `${name} account`])
        }
        value={value}
        onChange={({ target }) => setChosen(target.value)}
      />
      <div className={classes['about']}>
        <Button
          disabled={connect.isPending}
          onClick={() => {
            setChosen(undefined)
            connect.mutate({ platform })
          }}
        >
          {value === '' ? `Connect ${name}` : 'Connect another account'}
        </Button>
        {started !== undefined && (
          <StartedAccount name={name} isConnected={isConnected} address={started.authorize_url} />
        )}
      </div>
    </>
  )
}
