import type { KnowledgeBase, McpAvailability, McpServer } from '@citewell/sdk/management'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { usePublicKeys } from '../../api/client-keys.ts'
import { useBaseChange, useKnowledgeBase } from '../../api/knowledge-bases.ts'
import { useRecordChange, useRecords, whyBlocked } from '../../api/records.ts'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, Page } from '../../ui/page.tsx'
import { Banner } from '../../ui/status.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { McpServerCard } from './mcp-server-card.tsx'
import { NewServerForm } from './new-server-form.tsx'

/** Why readers may not connect AI tools, in the words of the screen. */
const UNAVAILABLE: Record<NonNullable<McpAvailability['because']>, string> = {
  sign_in_not_set_up:
    'Readers cannot connect AI tools yet: this service has no identity provider. Whoever runs it sets one up, for example CITEWELL_GOOGLE_CLIENT_ID and CITEWELL_GOOGLE_CLIENT_SECRET. Servers for API keys work.',
  knowledge_base_internal:
    'Readers cannot connect AI tools: this knowledge base is internal, and its servers are for members.',
  knowledge_base_archived: 'Nobody can connect AI tools while this knowledge base is archived.',
}

/** The switch of the tool that reads whole pages. */
function ToolsCard({ base, blocked }: { base: KnowledgeBase; blocked: string | undefined }) {
  const { tellFault } = useToasts()
  const settings = useBaseChange(base.id, (api, mcp_documents_enabled: boolean) =>
    api.updateKnowledgeBase(base.id, { settings: { mcp_documents_enabled } }),
  )
  return (
    <Card title="Tools">
      <Switch
        label="Whole pages (get_documents)"
        hint="Tools may read whole pages of this knowledge base, by their addresses. When this is off, the tool is not listed."
        checked={settings.isPending ? settings.variables : base.settings.mcp_documents_enabled}
        disabled={blocked !== undefined}
        onChange={(event) => settings.mutate(event.target.checked, { onError: tellFault })}
      />
      {blocked !== undefined && <p>{blocked}</p>}
    </Card>
  )
}

/** The addresses at which AI tools read a knowledge base. */
export function McpServersPage() {
  const { baseId } = useParams({ from: '/kb/$baseId/mcp' })
  const api = useApi()
  const base = useKnowledgeBase(baseId)
  const blocked = whyBlocked(base.data)
  const key = usePublicKeys(base.data)?.find((one) => one.allow_mcp_access)?.key ?? undefined
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<McpServer>()
  const servers = useRecords('mcp-servers', baseId, (api, page, options) =>
    api.listMcpServers(baseId, page, options),
  )
  const availability = useQuery({
    queryKey: ['mcp-availability', baseId, base.data?.type, base.data?.status],
    queryFn: ({ signal }) => api.getMcpAvailability(baseId, { signal }),
    enabled: base.data !== undefined,
  })
  const remove = useRecordChange('mcp-servers', baseId, (api, id: string) => api.deleteMcpServer(id), {
    says: 'The server was deleted.',
  })
  const because = availability.data?.because ?? null
  return (
    <Page
      title="MCP servers"
      lead="Addresses at which AI tools such as Claude Code, Cursor and VS Code search and ask this knowledge base."
      actions={
        <Button look="primary" blocked={blocked} onClick={() => setMaking(true)}>
          New MCP server
        </Button>
      }
    >
      {because !== null && <Banner tone="info">{UNAVAILABLE[because]}</Banner>}
      <Loaded query={servers}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="No MCP servers yet. One for readers is created automatically when the widget first loads and readers can sign in." />
          ) : (
            list.map((server) => (
              <McpServerCard
                key={server.id}
                server={server}
                clientKey={key}
                blocked={blocked}
                onDelete={() => setLeaving(server)}
              />
            ))
          )
        }
      </Loaded>
      {base.data !== undefined && <ToolsCard base={base.data} blocked={blocked} />}
      <Card title="Addresses that are always there">
        <CopyField label="For any client key with MCP access" text={`${location.origin}/mcp`} />
        <CopyField
          label="For members, across all knowledge bases they choose"
          text={`${location.origin}/mcp/portal`}
        />
      </Card>
      <Dialog isOpen={isMaking} onClose={() => setMaking(false)} title="New MCP server">
        {base.data !== undefined && <NewServerForm base={base.data} onMade={() => setMaking(false)} />}
      </Dialog>
      <ConfirmDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete the server “${leaving?.server_name ?? ''}”`}
        action="Delete the server"
        onConfirm={() => {
          if (leaving !== undefined) remove.mutate(leaving.id)
        }}
      >
        <p>Every tool that is connected to it stops working at once, and anyone may take its name.</p>
      </ConfirmDialog>
    </Page>
  )
}
