import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** What a tool reads: everything at the portal, some bases of it, or one server. */
const readsOf = (all: boolean | null, bases: readonly string[] | null): string => {
  if (all === true) return 'every knowledge base that you may ask'
  if (bases === null) return 'the knowledge base of its server'
  return `${bases.length} ${bases.length === 1 ? 'knowledge base' : 'knowledge bases'} that you chose`
}

/** The AI tools that read on behalf of the person. */
export function ConnectedTools() {
  const api = useApi()
  const client = useQueryClient()
  const { tell, tellFault } = useToasts()
  const tools = useQuery({
    queryKey: ['connected-tools'],
    queryFn: async ({ signal }) =>
      await Array.fromAsync(api.listConnectedTools({ limit: 100 }, { signal }).all()),
  })
  const disconnect = useMutation({
    mutationFn: (id: string) => api.deleteConnectedTool(id),
    onSuccess: async () => {
      tell('The tool is disconnected. It can no longer read anything.')
      await client.invalidateQueries({ queryKey: ['connected-tools'] })
    },
    onError: tellFault,
  })
  return (
    <Card title="Connected AI tools">
      <Loaded query={tools}>
        {(list) =>
          list.length === 0 ? (
            <Empty says="No AI tools are connected. Add the address of an MCP server to your editor, and it asks you to sign in here." />
          ) : (
            <Table
              label="Connected AI tools"
              rows={list}
              keyOf={({ id }) => id}
              columns={[
                { name: 'Tool', of: (tool) => tool.client_name },
                { name: 'From', of: (tool) => tool.redirect_host },
                { name: 'Reads', of: (tool) => readsOf(tool.reads_all, tool.knowledge_base_ids) },
                { name: 'Server', of: ({ url }) => <code>{url}</code> },
                { name: 'Last used', of: (tool) => <Time at={tool.last_used_at} /> },
                {
                  name: 'Actions',
                  of: ({ id, client_name: name }) => (
                    <Button
                      look="quiet"
                      disabled={disconnect.isPending}
                      aria-label={`Disconnect ${name}`}
                      onClick={() => disconnect.mutate(id)}
                    >
                      Disconnect
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
