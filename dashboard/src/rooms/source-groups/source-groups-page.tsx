import type { SourceGroup } from '@citewell/sdk/management'
import { PLANS } from '@citewell/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { useSources } from '../../api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { RowActions } from '../../ui/row-actions.tsx'
import { Banner } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { GroupForm } from './group-form.tsx'
import { GroupSources } from './group-sources.tsx'
import { usesOfGroups, type GroupUse } from './group-users.ts'

const NEEDS_PLAN =
  'The workspace needs another plan for this: new source groups are part of Enterprise. Groups that are there keep working.'

const named = (records: readonly { name: string }[]): string => records.map(({ name }) => name).join(', ')

/** Whether the plan of the workspace has source groups; undefined while it is being read. */
function useHasGroups(workspaceId: string | undefined): boolean | undefined {
  const api = useApi()
  const workspace = useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: ({ signal }) => api.getWorkspace(workspaceId ?? '', { signal }),
    enabled: workspaceId !== undefined,
  })
  return workspace.data === undefined ? undefined : PLANS[workspace.data.plan].sourceGroups
}

/** The groups of a base, and who uses each. Keys are seen only by those who may configure the base. */
function useGroups(baseId: string, mayConfigure: boolean) {
  const groups = useRecords('source-groups', baseId, (api, page, options) =>
    api.listSourceGroups(baseId, page, options),
  )
  const sources = useSources(baseId)
  const keys = useRecords(
    'client-keys',
    baseId,
    (api, page, options) => api.listClientKeys(baseId, page, options),
    { isAllowed: mayConfigure },
  )
  const widgets = useRecords('widgets', baseId, (api, page, options) =>
    api.listWidgets(baseId, page, options),
  )
  const records = {
    sources: sources.data ?? [],
    keys: keys.data ?? [],
    widgets: widgets.data ?? [],
  }
  return { groups, sources: records.sources, uses: usesOfGroups(groups.data ?? [], records) }
}

/** Names of the keys and widgets that are limited to a group. */
function usersOf(use: GroupUse | undefined): string {
  return named([...(use?.keys ?? []), ...(use?.widgets ?? [])]) || 'nothing'
}

/** What goes with a group that is deleted. */
const lossOf = (use: GroupUse | undefined): string => {
  const users = usersOf(use)
  return users === 'nothing'
    ? 'Its sources are kept, without a group. No client key and no widget is limited to it.'
    : `Its sources are kept, without a group. Whatever is limited to it no longer finds anything in them, and nothing at all if it is limited to no other group: ${users}.`
}

function GroupTable({
  groups,
  uses,
  mayConfigure,
  actions,
}: {
  groups: readonly SourceGroup[]
  uses: ReadonlyMap<string, GroupUse>
  mayConfigure: boolean
  actions: (group: SourceGroup) => ReactNode
}) {
  return (
    <Table
      label="Source groups"
      rows={groups}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Name',
          of: ({ name, description }) => (
            <>
              <strong>{name}</strong>
              {description !== null && <div>{description}</div>}
            </>
          ),
        },
        { name: 'Id', of: ({ id }) => <code>{id}</code> },
        { name: 'Sources', of: ({ id }) => named(uses.get(id)?.sources ?? []) || 'none' },
        { name: 'Used by', of: ({ id }) => (mayConfigure ? usersOf(uses.get(id)) : '–') },
        { name: 'Actions', of: actions },
      ]}
    />
  )
}

/** Named sets of sources, to which keys, widgets and questions can be limited. */
export function SourceGroupsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/groups' })
  const base = useKnowledgeBase(baseId)
  const blocked = whyBlocked(base.data)
  const mayConfigure = base.data?.your_permissions.includes('config') === true
  const hasGroups = useHasGroups(base.data?.workspace_id)
  const [open, setOpen] = useState<SourceGroup | 'new'>()
  const [filling, setFilling] = useState<SourceGroup>()
  const [leaving, setLeaving] = useState<SourceGroup>()
  const { groups, sources, uses } = useGroups(baseId, mayConfigure)
  const remove = useRecordChange('source-groups', baseId, (api, id: string) => api.deleteSourceGroup(id), {
    says: 'The group was deleted. Its sources are kept.',
  })
  return (
    <Page
      title="Source groups"
      lead="A named set of sources, such as one version. Keys, widgets and questions can be limited to groups."
      actions={
        hasGroups === true ? (
          <Button look="primary" blocked={blocked} onClick={() => setOpen('new')}>
            New source group
          </Button>
        ) : undefined
      }
    >
      {hasGroups === false && <Banner tone="info">{NEEDS_PLAN}</Banner>}
      <Loaded query={groups}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="No source groups yet. Create one for each version or product whose answers must not be mixed.">
              <Link to="/kb/$baseId/sources" params={{ baseId }}>
                To the sources
              </Link>
            </Empty>
          ) : (
            <GroupTable
              groups={list}
              uses={uses}
              mayConfigure={mayConfigure}
              actions={(group) => (
                <RowActions>
                  <Button blocked={blocked} onClick={() => setFilling(group)}>
                    Choose sources
                  </Button>
                  <Button blocked={blocked} onClick={() => setOpen(group)}>
                    Change
                  </Button>
                  <Button look="quiet" blocked={blocked} onClick={() => setLeaving(group)}>
                    Delete
                  </Button>
                </RowActions>
              )}
            />
          )
        }
      </Loaded>
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={typeof open === 'object' ? `Change “${open.name}”` : 'New source group'}
      >
        <GroupForm
          baseId={baseId}
          group={typeof open === 'object' ? open : undefined}
          onSaved={() => setOpen(undefined)}
        />
      </Dialog>
      <Dialog
        isOpen={filling !== undefined}
        onClose={() => setFilling(undefined)}
        title={`Sources of “${filling?.name ?? ''}”`}
      >
        {filling !== undefined && (
          <GroupSources group={filling} groups={groups.data ?? []} sources={sources} />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete the group “${leaving?.name ?? ''}”`}
        action="Delete the group"
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving.id)
        }}
      >
        <p>{lossOf(uses.get(leaving?.id ?? ''))}</p>
      </ConfirmDialog>
    </Page>
  )
}
