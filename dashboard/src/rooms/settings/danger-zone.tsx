import type { KnowledgeBase } from '@citewell/sdk/management'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextInput } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { count } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { useWhoCan } from '../../ui/who-can.ts'
import { useBaseChange } from '../../api/knowledge-bases.ts'
import classes from './danger-zone.module.css'

const NAMES: Record<string, readonly [one: string, many: string]> = {
  sources: ['source', 'sources'],
  documents: ['document', 'documents'],
  conversations: ['conversation', 'conversations'],
  custom_answers: ['custom answer', 'custom answers'],
  client_keys: ['client key', 'client keys'],
  widgets: ['widget', 'widgets'],
  bots: ['bot', 'bots'],
  helpdesk_integrations: ['help-desk integration', 'help-desk integrations'],
  agent_apps: ['agent app', 'agent apps'],
  form_deflectors: ['form deflector', 'form deflectors'],
  mcp_servers: ['MCP server', 'MCP servers'],
}

const countedKind = (kind: string, number: number): string =>
  `${count(number)} ${NAMES[kind]?.[number === 1 ? 0 : 1] ?? kind}`

/** Deletes a base, after it was said what goes with it, and its exact name was typed. */
function DeleteDialog({
  base,
  isOpen,
  onClose,
}: {
  base: KnowledgeBase
  isOpen: boolean
  onClose: () => void
}) {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { tell } = useToasts()
  const [typed, setTyped] = useState('')
  const preview = useQuery({
    queryKey: ['deletion-preview', base.id],
    queryFn: ({ signal }) => api.previewKnowledgeBaseDeletion(base.id, { signal }),
    enabled: isOpen,
    gcTime: 0,
  })
  const remove = useMutation({
    mutationFn: () => api.deleteKnowledgeBase(base.id, typed === '' ? {} : { confirm: typed }),
    onSuccess: async () => {
      tell(`“${base.name}” was deleted.`)
      // Lists that are not on the screen are read again when they are: until then they would still have it.
      client.setQueriesData<KnowledgeBase[]>({ queryKey: ['knowledge-bases'] }, (list) =>
        list?.filter(({ id }) => id !== base.id),
      )
      await client.invalidateQueries({ queryKey: ['knowledge-bases'] })
      await navigate({ to: '/w/$workspaceId', params: { workspaceId: base.workspace_id } })
      client.removeQueries({ queryKey: ['knowledge-base', base.id] })
    },
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={`Delete “${base.name}”`}>
      <Loaded query={preview}>
        {({ counts, requires_confirmation: needsName }) => (
          <>
            {Object.values(counts).every((number) => number === 0) ? (
              <p>It is empty. Deleting it cannot be undone.</p>
            ) : (
              <>
                <p>These are deleted with it, permanently:</p>
                <ul>
                  {Object.entries(counts)
                    .filter(([, number]) => number > 0)
                    .map(([kind, number]) => (
                      <li key={kind}>{countedKind(kind, number)}</li>
                    ))}
                </ul>
              </>
            )}
            <p>Its keys, widgets, bots, integrations, forms and MCP servers stop answering at once.</p>
            {needsName && (
              <TextInput
                label={`Type “${base.name}” to delete it`}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
            {remove.isError && <Fault error={remove.error} />}
            <Button
              look="danger"
              disabled={remove.isPending}
              blocked={needsName && typed !== base.name ? 'Type its exact name first.' : undefined}
              onClick={() => remove.mutate()}
            >
              Delete the knowledge base
            </Button>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Something that cannot simply be taken back, and what it does. */
const Action = ({ says, children }: { says: string; children: ReactNode }) => (
  <div className={classes['action']}>
    <p>{says}</p>
    {children}
  </div>
)

/** What cannot simply be taken back: archiving, and deleting. */
export function DangerZone({ base }: { base: KnowledgeBase }) {
  const { tell, tellFault } = useToasts()
  const whoCan = useWhoCan()
  const [isArchiving, setArchiving] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const archive = useBaseChange(base.id, (api) => api.archiveKnowledgeBase(base.id))
  const restore = useBaseChange(base.id, (api) => api.restoreKnowledgeBase(base.id))
  const blocked = base.your_permissions.includes('edit-config')
    ? undefined
    : `Only owners and admins of the workspace may do this. ${whoCan}`
  return (
    <Card title="Danger Zone">
      {base.status === 'active' ? (
        <Action says="It answers nothing until it is restored. Nothing is deleted, and it no longer counts towards your plan.">
          <Button look="danger" blocked={blocked} onClick={() => setArchiving(true)}>
            Archive the knowledge base
          </Button>
        </Action>
      ) : (
        <Action says="It answers again, with the sources, settings and keys that it had.">
          <Button
            blocked={blocked}
            disabled={restore.isPending}
            onClick={() =>
              restore.mutate(undefined, {
                onSuccess: () => tell(`“${base.name}” answers again.`),
                onError: tellFault,
              })
            }
          >
            Restore the knowledge base
          </Button>
        </Action>
      )}
      <Action says="Its documents, conversations, keys and widgets are deleted with it. This cannot be undone.">
        <Button look="danger" blocked={blocked} onClick={() => setDeleting(true)}>
          Delete the knowledge base
        </Button>
      </Action>
      <Dialog isOpen={isArchiving} onClose={() => setArchiving(false)} title={`Archive “${base.name}”`}>
        <p>
          It answers nothing on any surface, its syncs are cancelled, and its settings cannot be changed.
          Nothing is deleted, and it no longer counts towards your plan. You can restore it at any time.
        </p>
        <p>
          <Button
            look="danger"
            disabled={archive.isPending}
            onClick={() =>
              archive.mutate(undefined, {
                onSuccess: () => {
                  setArchiving(false)
                  tell(`“${base.name}” is archived.`)
                },
                onError: tellFault,
              })
            }
          >
            Archive the knowledge base
          </Button>
        </p>
      </Dialog>
      <DeleteDialog base={base} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </Card>
  )
}
