import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useApi } from '../../api/session.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NeedsPermission } from '../../ui/needs-permission.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { widgetTag } from '../../ui/widget-tag.ts'
import { useToasts } from '../../ui/toast.tsx'
import { useKnowledgeBase } from '../../api/knowledge-bases.ts'

/** The website widgets of a knowledge base, and how to put them on a page. */
export function WidgetsPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/widgets' })
  const api = useApi()
  const client = useQueryClient()
  const { tellFault } = useToasts()
  const base = useKnowledgeBase(baseId)
  const mayConfigure = base.data?.your_permissions.includes('config') === true
  const widgets = useQuery({
    queryKey: ['widgets', baseId],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listWidgets(baseId, { limit: 100 }, { signal }).all()),
    enabled: mayConfigure,
  })
  const change = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) => api.updateWidget(id, { enabled }),
    onError: tellFault,
    onSettled: () => client.invalidateQueries({ queryKey: ['widgets', baseId] }),
  })
  return (
    <Page title="Widgets" lead="Asking and searching on your own website, by one line in its pages.">
      <NeedsPermission base={base.data} permission="config">
        <Loaded query={widgets}>
          {(list) =>
            list.length === 0 ? (
              <Empty
                says={
                  base.data?.type === 'internal'
                    ? 'An internal knowledge base has no widget: it answers members only.'
                    : 'There is no widget.'
                }
              />
            ) : (
              list.map(({ id, name, enabled, allowed_origins: origins }) => (
                <Card key={id} title={name}>
                  <Switch
                    label="Enabled"
                    hint="Switched off, it disappears from pages and its questions are refused."
                    checked={
                      change.variables?.id === id && change.isPending ? change.variables.enabled : enabled
                    }
                    disabled={base.data?.status === 'archived'}
                    onChange={(event) => change.mutate({ id, enabled: event.target.checked })}
                  />
                  <CopyField label="Paste this into your pages" text={widgetTag(baseId, id)} />
                  <p>
                    Allowed origins: {origins.length === 0 ? 'every page' : origins.join(', ')}.{' '}
                    <a href={`/widget/demo?knowledge_base_id=${baseId}`} target="_blank" rel="noreferrer">
                      See it on a page
                    </a>
                  </p>
                </Card>
              ))
            )
          }
        </Loaded>
      </NeedsPermission>
    </Page>
  )
}
