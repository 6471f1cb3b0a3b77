import type { ClientKey, CreatedClientKey } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useRecords } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Select, Switch, TextArea, TextInput } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { linesOf, textOf } from '../../ui/form-values.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'

/** The key that was made, whose secret is shown once. */
function MadeKey({ made }: { made: CreatedClientKey }) {
  return made.kind === 'public' ? (
    <CopyField label="Client key" text={made.key ?? ''} />
  ) : (
    <>
      <p>The secret is shown only now. Keep it on your server.</p>
      <CopyField label="Client id" text={made.client_id ?? ''} />
      <CopyField label="Client secret" text={made.client_secret ?? ''} />
    </>
  )
}

function NewKeyForm({ baseId, onMade }: { baseId: string; onMade: (made: CreatedClientKey) => void }) {
  const api = useApi()
  const client = useQueryClient()
  const groups = useRecords('source-groups', baseId, (management, page, options) =>
    management.listSourceGroups(baseId, page, options),
  )
  const make = useMutation({
    mutationFn: (form: FormData) =>
      api.createClientKey(baseId, {
        name: textOf(form, 'name'),
        kind: form.get('kind') === 'secret' ? 'secret' : 'public',
        allow_mcp_access: form.get('mcp') === 'on',
        allowed_origins: linesOf(form, 'origins'),
        allowed_source_group_ids: form.getAll('group').filter((id) => typeof id === 'string'),
      }),
    onSuccess: async (made) => {
      onMade(made)
      await client.invalidateQueries({ queryKey: ['client-keys', baseId] })
    },
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    make.mutate(new FormData(event.currentTarget))
  }
  return (
    <Form hasFailed={make.isError} onSubmit={submit}>
      <TextInput label="Name" name="name" required maxLength={200} />
      <Select
        label="For"
        name="kind"
        options={[
          ['public', 'A page or an app: a public key'],
          ['secret', 'A server: a client id and a secret'],
        ]}
      />
      <TextArea
        label="Allowed origins"
        name="origins"
        rows={3}
        hint="One a line, such as https://docs.example.com or https://*.example.com. Empty: every page."
      />
      {(groups.data ?? []).length > 0 && (
        <fieldset>
          <legend>Source groups that it may use</legend>
          <p>None chosen: the whole knowledge base.</p>
          {groups.data?.map(({ id, name }) => (
            <Switch key={id} label={name} name="group" value={id} />
          ))}
        </fieldset>
      )}
      <Switch label="Allow MCP access" name="mcp" defaultChecked hint="Cannot be changed later." />
      {make.isError && <Fault error={make.error} />}
      <Button look="primary" type="submit" disabled={make.isPending}>
        Make the key
      </Button>
    </Form>
  )
}

/** The keys with which pages, apps and servers ask a knowledge base. */
export function KeysPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/keys' })
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const mayConfigure = base.data?.your_permissions.includes('config') === true
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedClientKey>()
  const [leaving, setLeaving] = useState<ClientKey>()
  const keys = useQuery({
    queryKey: ['client-keys', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listClientKeys(baseId, { limit: 100 }, { signal }).all()),
    enabled: mayConfigure,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => api.revokeClientKey(id),
    onSuccess: async () => {
      tell('The key was revoked.')
      await client.invalidateQueries({ queryKey: ['client-keys', baseId] })
    },
    onError: tellFault,
  })
  const blocked =
    base.data?.type === 'internal'
      ? 'An internal knowledge base has no client keys.'
      : base.data?.status === 'archived'
        ? 'This knowledge base is archived.'
        : undefined
  return (
    <Page
      title="Client keys"
      lead="A public key belongs in a page, where everyone can read it. A secret pair stays on your server."
      actions={
        mayConfigure ? (
          <Button look="primary" blocked={blocked} onClick={() => setMaking(true)}>
            New client key
          </Button>
        ) : undefined
      }
    >
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={keys}>
          {(list) =>
            list.length === 0 ? (
              <Empty says="There is no client key. Widgets, the SDK and the public API need one." />
            ) : (
              <Table
                label="Client keys"
                rows={list}
                keyOf={({ id }) => id}
                columns={[
                  { name: 'Name', of: ({ name }) => name },
                  { name: 'Key', of: ({ key, client_id: id }) => <code>{key ?? id}</code> },
                  {
                    name: 'Allowed origins',
                    of: (key) =>
                      key.allowed_origins.length === 0 ? 'every page' : key.allowed_origins.join(', '),
                  },
                  { name: 'MCP', of: (key) => (key.allow_mcp_access ? 'allowed' : 'no') },
                  { name: 'Last used', of: (key) => <Time at={key.last_used_at} /> },
                  {
                    name: 'State',
                    of: ({ status }) =>
                      status === 'live' ? (
                        <Status tone="ok">Live</Status>
                      ) : (
                        <Status tone="quiet">Revoked</Status>
                      ),
                  },
                  {
                    name: 'Actions',
                    of: (key) =>
                      key.status === 'live' && (
                        <Button
                          look="quiet"
                          aria-label={`Revoke ${key.name}`}
                          onClick={() => setLeaving(key)}
                        >
                          Revoke
                        </Button>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </NeedsPermission>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New client key">
        <NewKeyForm
          baseId={baseId}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
          }}
        />
      </Dialog>
      <Dialog
        isOpen={made !== undefined}
        onClose={() => setMade(undefined)}
        title="The key was made"
        isShownOnce
      >
        {made !== undefined && <MadeKey made={made} />}
      </Dialog>
      <Dialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Revoke the key “${leaving?.name ?? ''}”`}
      >
        <p>Every page and program with this key stops working at once. This cannot be undone.</p>
        <p>
          <Button
            look="danger"
            onClick={() => {
              if (leaving !== undefined) revoke.mutate(leaving.id)
              setLeaving(undefined)
            }}
          >
            Revoke the key
          </Button>
        </p>
      </Dialog>
    </Page>
  )
}
