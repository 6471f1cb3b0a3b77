import type { McpServer } from '@citewell/sdk/management'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Card } from '../../ui/page.tsx'
import { Snippets } from '../../ui/snippets.tsx'
import { Banner } from '../../ui/status.tsx'
import { counted, Time } from '../../ui/time.tsx'
import { connectSnippets } from './connect-snippets.ts'
import { SIGN_IN } from './sign-in-types.ts'

/** How much tools used a server lately. */
function Usage({ server: { calls, readers, last_used_at: last } }: { server: McpServer }) {
  if (last === null) return <p>No tool has called it yet.</p>
  return (
    <p>
      {counted(calls, 'call')}
      {readers !== null && ` from ${counted(readers, 'reader')}`} in the last 30 days, the last one{' '}
      <Time at={last} />.
      {readers === null && ' Readers are not told apart: this workspace keeps no questions.'}
    </p>
  )
}

/** A server: its address, who may connect, and how each tool is connected. */
export function McpServerCard({
  server,
  clientKey,
  blocked,
  onDelete,
}: {
  server: McpServer
  /** A public key with MCP access, if there is one. */
  clientKey: string | undefined
  blocked: string | undefined
  onDelete: () => void
}) {
  const signIn = SIGN_IN.find(({ type }) => type === server.sign_in_type)
  return (
    <Card
      title={server.server_name}
      aside={
        <Button look="quiet" blocked={blocked} onClick={onDelete} aria-label={`Delete ${server.server_name}`}>
          Delete
        </Button>
      }
    >
      {server.notice !== null && <Banner tone="warn">{server.notice}</Banner>}
      <p>
        <strong>{signIn?.name ?? server.sign_in_type}.</strong> {signIn?.reads} Made{' '}
        <Time at={server.created_at} />.
      </p>
      <Usage server={server} />
      <CopyField label={`Address of ${server.server_name}`} text={server.url} />
      {server.sign_in_type === 'api_key' && clientKey === undefined && (
        <p>There is no public client key with MCP access yet: create one under Client keys.</p>
      )}
      <details>
        <summary>Connect a tool</summary>
        <Snippets label={`Tools for ${server.server_name}`} snippets={connectSnippets(server, clientKey)} />
      </details>
    </Card>
  )
}
