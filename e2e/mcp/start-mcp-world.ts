import { openSharedCitewell } from '../shared-citewell.ts'

interface Made {
  /** Address of the MCP server. */
  address: string
  serverId: string
  knowledgeBaseId: string
  /** A client key of the base; an internal one has none. */
  key: string
}

/** The real process, with an identity provider that signs everyone in. Tests share it: the name of a server is in one of them only. */
export async function startMcpWorld() {
  const citewell = await openSharedCitewell('identity provider')

  /** Creates a knowledge base with one page, and an MCP server for it. */
  async function makeServer(
    serverName: string,
    signInType: 'public' | 'api_key' | 'internal',
  ): Promise<Made> {
    const base = await citewell.json<{ id: string; client_key: { key: string } | null }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: 'Acme API', ...(signInType === 'internal' && { type: 'internal' }) },
    )
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      name: 'Handbook',
      type: 'push',
      config: {},
    })
    const page = {
      external_id: 'keys',
      title: 'Keys',
      url: 'https://docs.example.com/keys',
      markdown: '# Keys\n\nKeys are rotated by the marigold procedure, once a month.',
    }
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, { documents: [page] })
    const server = await citewell.json<{ id: string }>(
      'POST',
      `/api/v1/knowledge-bases/${base.id}/mcp-servers`,
      { server_name: serverName, sign_in_type: signInType },
    )
    return {
      address: `${citewell.address}/mcp/${serverName}`,
      serverId: server.id,
      knowledgeBaseId: base.id,
      key: base.client_key?.key ?? '',
    }
  }

  return {
    citewell,
    makeServer,
    [Symbol.asyncDispose]: async () => {
      await citewell.stop()
    },
  }
}

export type McpWorld = Awaited<ReturnType<typeof startMcpWorld>>
