import { createManagement, type Management } from '@citewell/sdk/management'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { isSignedOut } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Card, Page } from '../../ui/page.tsx'
import { InstanceWorkspaces } from './instance-workspaces.tsx'

/** Asks for the operator's token, and keeps it in the memory of this page only. A session is never the operator's. */
function TokenForm({ onOpen }: { onOpen: (api: Management) => void }) {
  const open = useMutation({
    mutationFn: async (accessToken: string) => {
      const api = createManagement({
        endpoint: location.origin,
        accessToken,
        dangerouslyAllowBrowser: true,
      })
      // A wrong token says nothing about the session of the person, which 401 does elsewhere.
      const me = await api.getMe().catch((error: unknown) => {
        throw isSignedOut(error) ? new Error('This token is unknown, or has expired.') : error
      })
      if (me.token?.is_operator !== true) throw new Error('This is not an operator token.')
      return api
    },
    onSuccess: onOpen,
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    open.mutate(textOf(new FormData(event.currentTarget), 'operator_token'))
  }
  return (
    <Card title="For the operator of this installation">
      <p>
        Being signed in is not enough here. The operator has a token: the one that the service was started
        with (CITEWELL_BOOTSTRAP_TOKEN). It stays in the memory of this page, until you leave it. Without one,
        use the command line on the machine of the service:
      </p>
      <CopyField label="Command" text="npx citewell workspace list" />
      <form onSubmit={submit}>
        <TextInput
          label="Operator token"
          name="operator_token"
          type="password"
          autoComplete="off"
          required
          maxLength={500}
        />
        {open.isError && <Fault error={open.error} />}
        <Button look="primary" type="submit" disabled={open.isPending}>
          Show the workspaces
        </Button>
      </form>
    </Card>
  )
}

/** All workspaces of the installation: the one screen of its operator. */
export function InstancePage() {
  const [api, setApi] = useState<Management>()
  return (
    <Page title="Workspaces of this installation">
      {api === undefined ? (
        <TokenForm onOpen={(opened) => setApi(() => opened)} />
      ) : (
        <InstanceWorkspaces api={api} />
      )}
    </Page>
  )
}
