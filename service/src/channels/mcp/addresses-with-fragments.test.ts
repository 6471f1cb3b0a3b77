import { verifies } from '@citewell/spec/verifies'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { startTestService } from '../../../test/start-service.ts'

const AT = 'https://api.example.com/openapi.json'

const operation = (id: string, title: string) => ({
  external_id: id,
  title,
  url: `${AT}#${id}`,
  markdown: `${title} of the wind farm with \`/turbines/{id}\`.`,
})

verifies(
  'mcp.get-documents',
  'get_documents reads a page whose address has a fragment of its own, by each address that a search returned',
  async () => {
    await using citewell = await startTestService()
    const base = await citewell.json<{ id: string; client_key: { key: string } }>(
      'POST',
      '/api/v1/knowledge-bases',
      { name: 'API reference', settings: { mcp_documents_enabled: true } },
    )
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      name: 'Operations',
      type: 'push',
      config: {},
    })
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: [operation('readTurbine', 'Read a turbine'), operation('stopTurbine', 'Stop a turbine')],
    })
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${base.client_key.key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${citewell.address}/mcp`), { requestInit: { headers } }),
    )
    const call = async (name: string, input: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: input })).structuredContent as {
        results: { url: string }[]
        documents: { title: string }[]
        not_found: string[]
      }
    const read = async (urls: string[]) => {
      const { documents, not_found: missing } = await call('get_documents', { urls })
      return [documents.map(({ title }) => title).toSorted(), missing]
    }
    const { results } = await call('search_docs', { query: 'turbine' })

    expect(results).toHaveLength(2)
    expect(await read(results.map(({ url }) => url))).toEqual([['Read a turbine', 'Stop a turbine'], []])
    expect(await read([`${AT}#stopTurbine:~:text=Stop%20a%20turbine`])).toEqual([['Stop a turbine'], []])
    expect(await read([`${AT}#nothing`])).toEqual([[], [`${AT}#nothing`]])
    await client.close()
  },
)
