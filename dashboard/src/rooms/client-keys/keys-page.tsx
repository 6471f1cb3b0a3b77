import type { ClientKey, CreatedClientKey } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { ChangeKeyForm, NewKeyForm } from './key-form.tsx'

/** The key that was made, whose secret is shown once. */
function MadeKey({ made }: { made: CreatedClientKey }) {
  return made.kind === 'public' ? (
    <CopyField label="Client key" text={made.key ?? ''} />
  ) : (
    <>
      <p>The secret is shown only once. Keep it on your server.</p>
      <CopyField label="Client id" text={made.client_id ?? ''} />
      <CopyField label="Client secret" text={made.client_secret ?? ''} />
    </>
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
  const [changing, setChanging] = useState<ClientKey>()
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
              <Empty says="No client keys yet. Widgets, the SDK and the public API need one." />
            ) : (
              <Table
                label="Client keys"
                rows={list}
                keyOf={({ id }) => id}
                columns={[
                  { name: 'Name', of: ({ name }) => name },
                  {
                    name: 'Key',
                    of: ({ name, key, client_id: id = '' }) => (
                      <div>
                        <code>{key ?? id}</code>{' '}
                        <CopyButton
                          text={key ?? id}
                          name={`the ${key === undefined ? 'client id' : 'key'} of ${name}`}
                        />
                      </div>
                    ),
                  },
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
                        <RowActions>
                          <Button
                            look="quiet"
                            aria-label={`Change ${key.name}`}
                            blocked={blocked}
                            onClick={() => setChanging(key)}
                          >
                            Change
                          </Button>
                          <Button
                            look="quiet"
                            aria-label={`Revoke ${key.name}`}
                            onClick={() => setLeaving(key)}
                          >
                            Revoke
                          </Button>
                        </RowActions>
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
      <Dialog isOpen={made !== undefined} onClose={() => setMade(undefined)} title="Key created" isShownOnce>
        {made !== undefined && <MadeKey made={made} />}
      </Dialog>
      <Dialog
        isOpen={changing !== undefined}
        onClose={() => setChanging(undefined)}
        title={`Change the key “${changing?.name ?? ''}”`}
      >
        {changing !== undefined && (
          <ChangeKeyForm baseId={baseId} clientKey={changing} onSaved={() => setChanging(undefined)} />
        )}
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
