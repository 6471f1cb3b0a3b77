import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

const SCOPES = [
  ['read', 'Read and ask'],
  ['config', 'Also change things'],
  ['admin', 'Also people, tokens and the workspace'],
] as const

const DAY_MS = 86_400_000
const LIVES = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['', 'Never'],
] as const

/** The access tokens of the person, for scripts. */
export function AccessTokens() {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string>()
  const [leaving, setLeaving] = useState<{ id: string; name: string }>()
  const tokens = useQuery({
    queryKey: ['access-tokens'],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listAccessTokens({ limit: 100 }, { signal }).all()),
  })
  const refresh = () => client.invalidateQueries({ queryKey: ['access-tokens'] })
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const days = Number(form.get('days'))
      return api.createAccessToken({
        name: textOf(form, 'name'),
        scopes: [SCOPES.find(([scope]) => scope === form.get('scope'))?.[0] ?? 'read'],
        expires_at: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
      })
    },
    onSuccess: async ({ token }) => {
      setMaking(false)
      setMade(token)
      await refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteAccessToken(id),
    onSuccess: async () => {
      tell('The access token was deleted. It no longer works.')
      await refresh()
    },
    onError: tellFault,
  })
  function begin(): void {
    make.reset()
    setMaking(true)
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget))
  }
  return (
    <Card title="Access tokens" aside={<Button onClick={begin}>New access token</Button>}>
      <Loaded query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="An access token gives a script what you may do, or less." />
          ) : (
            <Table
              label="Access tokens"
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Name', of: ({ name }) => name },
                { name: 'Begins with', of: (token) => <code>{token.token_start}…</code> },
                { name: 'Scope', of: ({ scopes }) => scopes.join(', ') },
                { name: 'Last used', of: (token) => <Time at={token.last_used_at} /> },
                { name: 'Expires', of: (token) => <Time at={token.expires_at} absent="no end" /> },
                {
                  name: 'Actions',
                  of: (token) => (
                    <Button
                      look="quiet"
                      aria-label={`Delete ${token.name}`}
                      onClick={() => setLeaving(token)}
                    >
                      Delete
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New access token">
        <Form hasFailed={make.isError} onSubmit={submit}>
          <TextInput
            label="Name"
            name="name"
            required
            maxLength={200}
            hint="What it is for, such as “deploy script”."
          />
          <Select label="It may" name="scope" options={SCOPES} />
          <Select label="Expires after" name="days" options={LIVES} />
          {make.isError && <Fault error={make.error} />}
          <Button look="primary" type="submit" disabled={make.isPending}>
            Create access token
          </Button>
        </Form>
      </Dialog>
      <Dialog
        isOpen={made !== undefined}
        onClose={() => setMade(undefined)}
        title="The access token was created"
        isShownOnce
      >
        <p>It is shown only once.</p>
        <CopyField label="Access token" text={made ?? ''} />
      </Dialog>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete the access token “${leaving?.name ?? ''}”`}
        action="Delete the access token"
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving.id)
        }}
      >
        <p>Every script with it stops working at once. This cannot be undone.</p>
      </ConfirmDialog>
    </Card>
  )
}
