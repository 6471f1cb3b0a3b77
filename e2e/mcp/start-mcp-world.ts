import { OAuth2Server } from 'oauth2-mock-server'
import { newDataDirectory, startCitewell } from '../run-citewell.ts'

interface Made {
  /** Address of the MCP server. */
  address: string
  serverId: string
  knowledgeBaseId: string
  /** A client key of the base; an internal one has none. */
  key: string
}

/** The real process, with an identity provider that signs everyone in as `johndoe`. */
export async function startMcpWorld() {
  const outside = new OAuth2Server()
  await outside.issuer.keys.generate('RS256')
  await outside.start(0, '127.0.0.1')
  const provider = `http://127.0.0.1:${outside.address().port}`
  outside.issuer.url = provider
  const citewell = await startCitewell({
    CITEWELL_DATA_DIR: newDataDirectory(),
    CITEWELL_RATE_LIMITS: 'off',
    CITEWELL_OIDC_ISSUER: provider,
    CITEWELL_OIDC_CLIENT_ID: 'citewell',
    CITEWELL_OIDC_CLIENT_SECRET: 'outside-secret',
    CITEWELL_OIDC_NAME: 'Example ID',
  })

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
      await outside.stop()
    },
  }
}

export type McpWorld = Awaited<ReturnType<typeof startMcpWorld>>
