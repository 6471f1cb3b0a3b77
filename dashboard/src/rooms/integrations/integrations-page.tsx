import type { KnowledgeBase } from '@citewell/sdk/management'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { Banner } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import type { ConnectionKind } from './connection-kinds.ts'
import { ConnectionState } from './connection-state.tsx'
import { IntegrationForm } from './integration-form.tsx'
import type { Integration, IntegrationKind } from './integration-kinds.ts'

const HANDLES = { tickets: 'Tickets', chats: 'Chats' } as const

/** What it is connected to, what it handles, and whether it has a secret. */
const factsOf = ({ platforms }: IntegrationKind, { platform, handles, has_credentials: has }: Integration) =>
  [
    platform === undefined ? undefined : (platforms[platform]?.name ?? platform),
    handles === undefined ? undefined : HANDLES[handles],
    has ? 'credentials stored' : 'no credentials',
  ].filter((fact) => fact !== undefined)

function IntegrationCard({
  kind,
  connection,
  one,
  base,
  blocked,
  onOpen,
  onDelete,
  children,
}: {
  kind: IntegrationKind
  connection: ConnectionKind | undefined
  one: Integration
  base: KnowledgeBase | undefined
  blocked: string | undefined
  onOpen: () => void
  onDelete: () => void
  children?: ReactNode
}) {
  const [isAsking, setIsAsking] = useState(false)
  // Only a person who was asked switches a bot of an internal base on.
  const asksFirst = kind.key === 'bots' && base?.type === 'internal'
  const turn = useRecordChange(kind.key, one.knowledge_base_id, (api, enabled: boolean) =>
    kind.update(api, one.id, { enabled, ...(asksFirst && enabled && { acknowledge_internal: true }) }),
  )
  return (
    <Card
      title={one.name}
      aside={
        <RowActions>
          <Button blocked={blocked} onClick={onOpen} aria-label={`Change ${one.name}`}>
            Change
          </Button>
          <Button look="quiet" blocked={blocked} onClick={onDelete} aria-label={`Delete ${one.name}`}>
            Delete
          </Button>
        </RowActions>
      }
    >
      {one.answers_internal === true && (
        <Banner tone="warn">
          It answers everyone in its channel from this internal knowledge base. Switch it off if they should
          not be answered.
        </Banner>
      )}
      {one.problem !== null && (
        <Banner tone="warn">
          {one.problem.because}{' '}
          <small>
            Since: <Time at={one.problem.at} />
          </small>
        </Banner>
      )}
      {one.description !== undefined && one.description !== null && <p>{one.description}</p>}
      <p>
        <ConnectionState
          of={one}
          kind={connection}
          fields={kind.platforms[one.platform ?? '']?.fields ?? []}
          mayRead={base?.your_permissions.includes('config') === true}
        />
      </p>
      <p>
        {factsOf(kind, one).join(' · ')} · changed <Time at={one.updated_at} />
      </p>
      <Switch
        label="Enabled"
        aria-label={`${one.name}: enabled`}
        hint="Switched off, it answers nothing."
        checked={turn.isPending ? turn.variables : one.enabled}
        disabled={blocked !== undefined}
        onChange={(event) => {
          if (asksFirst && event.target.checked) setIsAsking(true)
          else turn.mutate(event.target.checked)
        }}
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Switch “${one.name}” on`}
        action="Answer everyone in its channel"
        onConfirm={() => turn.mutate(true)}
      >
        <p>
          This knowledge base is internal. A bot does not check who asks, so whoever is in the channel gets
          answers, from restricted documents too.
        </p>
      </ConfirmDialog>
      {children}
      <details>
        <summary>Its id</summary>
        <CopyField label={`Id of ${one.name}`} text={one.id} />
      </details>
    </Card>
  )
}

/** The integrations of one kind. Credentials can be written and replaced, and are never shown. */
export function IntegrationsPage({
  kind,
  baseId,
  connection,
  partOf,
}: {
  kind: IntegrationKind
  baseId: string
  /** How those that the service drives itself are connected; undefined: this kind is connected to nothing. */
  connection?: ConnectionKind
  /** What a kind shows besides. */
  partOf?: (one: Integration, blocked: string | undefined) => ReactNode
}) {
  const base = useKnowledgeBase(baseId)
  const [open, setOpen] = useState<Integration | 'new'>()
  const [leaving, setLeaving] = useState<Integration>()
  const blocked = whyBlocked(base.data)
  const blockedNew = blocked ?? (base.data?.type === 'internal' ? kind.internal : undefined)
  const list = useRecords<Integration>(kind.key, baseId, (api, page, options) =>
    kind.list(api, baseId, page, { ...(options.signal !== undefined && { signal: options.signal }) }),
  )
  const remove = useRecordChange(kind.key, baseId, (api, id: string) => kind.remove(api, id), {
    says: `The ${kind.noun} was deleted.`,
  })
  return (
    <Page
      title={kind.title}
      lead={kind.lead}
      actions={
        <Button look="primary" blocked={blockedNew} onClick={() => setOpen('new')}>
          {kind.newLabel}
        </Button>
      }
    >
      <Loaded query={list}>
        {(records) =>
          records.length === 0 ? (
            <Empty
              says={
                base.data?.type === 'internal' && kind.internal !== undefined ? kind.internal : kind.empty
              }
            />
          ) : (
            records.map((one) => (
              <IntegrationCard
                key={one.id}
                kind={kind}
                one={one}
                connection={connection}
                base={base.data}
                blocked={blocked}
                onOpen={() => setOpen(one)}
                onDelete={() => setLeaving(one)}
              >
                {partOf?.(one, blocked)}
              </IntegrationCard>
            ))
          )
        }
      </Loaded>
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={typeof open === 'object' ? `Change “${open.name}”` : kind.newLabel}
      >
        {base.data !== undefined && (
          <IntegrationForm
            kind={kind}
            base={base.data}
            stored={typeof open === 'object' ? open : undefined}
            onSaved={() => setOpen(undefined)}
          />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete “${leaving?.name ?? ''}”`}
        action={kind.deleteLabel}
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving.id)
        }}
      >
        <p>{kind.deletion}</p>
      </ConfirmDialog>
    </Page>
  )
}
