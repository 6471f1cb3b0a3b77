import type { KnowledgeBase, TypeChangePreview } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBaseChange } from '../../api/knowledge-bases.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCurl } from '../../ui/copy-curl.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { count } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useWhoCan } from '../../ui/who-can.ts'

const STOPS = {
  client_keys: [
    'live client key stops working on save, and stays revoked',
    'live client keys stop working on save, and stay revoked',
  ],
  widgets: ['widget stops answering', 'widgets stop answering'],
  mcp_servers: ['MCP server for readers is deleted', 'MCP servers for readers are deleted'],
  form_deflectors: ['form deflector stops answering', 'form deflectors stop answering'],
  helpdesk_integrations: ['help-desk integration stops answering', 'help-desk integrations stop answering'],
} as const

type OneAndMany = readonly [one: string, many: string]
type Named = TypeChangePreview['goes_on']['bots']

function Affected({ named, says }: { named: Named; says: OneAndMany }) {
  if (named.count === 0) return null
  const more = named.count - named.names.length
  return (
    <li>
      <strong>{count(named.count)}</strong> {says[named.count === 1 ? 0 : 1]}: {named.names.join(', ')}
      {more > 0 && ` and ${count(more)} more`}
    </li>
  )
}

function WhatStops({
  preview: { stops, goes_on: goesOn, becomes_restricted: documents },
}: {
  preview: TypeChangePreview
}) {
  const parts = Object.entries(STOPS) as [keyof typeof STOPS, OneAndMany][]
  return (
    <>
      <p>Every public surface refuses it from then on. Only members of the workspace may ask it.</p>
      <ul aria-label="What stops">
        {parts.map(([part, says]) => (
          <Affected key={part} named={stops[part]} says={says} />
        ))}
        <Affected
          named={documents.documents}
          says={[
            'document becomes restricted for good: it stays restricted if the knowledge base becomes external again',
            'documents become restricted for good: they stay restricted if the knowledge base becomes external again',
          ]}
        />
      </ul>
      {goesOn.bots.count > 0 && (
        <Banner tone="warn">
          Bots do not check who asks: {goesOn.bots.names.join(', ')} would go on answering everyone in their
          channels from it.
        </Banner>
      )}
    </>
  )
}

/** Who may ask a base, and the way to the other type, in two steps. */
export function ChangeType({ base }: { base: KnowledgeBase }) {
  const api = useApi()
  const { tell } = useToasts()
  const whoCan = useWhoCan()
  const [isOpen, setOpen] = useState(false)
  const to = base.type === 'external' ? 'internal' : 'external'
  const preview = useQuery({
    queryKey: ['type-change-preview', base.id],
    queryFn: ({ signal }) => api.previewTypeChange(base.id, {}, { signal }),
    enabled: isOpen && to === 'internal',
    gcTime: 0,
  })
  const change = useBaseChange(base.id, (management, type: 'internal' | 'external') =>
    management.updateKnowledgeBase(base.id, { type }),
  )
  const blocked =
    base.status === 'archived'
      ? 'The knowledge base is archived.'
      : base.your_permissions.includes('edit-config')
        ? undefined
        : `Only owners and admins of the workspace may do this. ${whoCan}`
  const act = (
    <p>
      {change.isError && <Fault error={change.error} />}
      <Button
        look="danger"
        disabled={change.isPending}
        onClick={() =>
          change.mutate(to, {
            onSuccess: () => {
              setOpen(false)
              tell(`“${base.name}” is ${to} now.`)
            },
          })
        }
      >
        Change it to {to}
      </Button>{' '}
      <CopyCurl
        requestOf={() => ({
          method: 'PATCH',
          path: `/api/v1/knowledge-bases/${base.id}`,
          body: { type: to },
        })}
      />
    </p>
  )
  return (
    <Card title="Type">
      <p>
        {base.type === 'external'
          ? 'External: everyone may ask it where you offer it, on your website, over the API and in AI tools.'
          : 'Internal: only members of the workspace may ask it, and every document is restricted.'}
      </p>
      <p>
        <Button
          look="danger"
          blocked={blocked}
          onClick={() => {
            change.reset()
            setOpen(true)
          }}
        >
          Change the type to {to}
        </Button>
      </p>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={`Change “${base.name}” to ${to}`}>
        {to === 'internal' ? (
          <Loaded query={preview}>
            {(found) => (
              <>
                <WhatStops preview={found} />
                {act}
              </>
            )}
          </Loaded>
        ) : (
          <>
            <p>
              Public surfaces may answer from it again. Its documents stay restricted: choose under Documents
              what everyone may read. It gets a client key and a widget, if it has none.
            </p>
            {act}
          </>
        )}
      </Dialog>
    </Card>
  )
}
