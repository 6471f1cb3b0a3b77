import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

interface Base {
  id: string
  workspace_id: string
  client_key: { id: string; key: string }
}

/** Reports over MCP with a key, and returns the text of the tool. */
async function report(citewell: TestService, base: Base, path: string, input: object): Promise<string> {
  const response = await outsideRequest(`${citewell.address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${base.client_key.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'feedback', arguments: input },
    }),
  })
  return await response.text()
}

verifies(
  ['mcp.feedback', 'traps.mcp-feedback', 'reports.kept', 'reports.zero-retention'],
  'a report of a tool is masked, readable by the owners, and counted; with zero retention nothing is stored',
  async () => {
    await using citewell = await startTestService()
    const base = await citewell.json<Base>('POST', '/api/v1/knowledge-bases', { name: 'Acme API' })
    const of = `/api/v1/knowledge-bases/${base.id}`
    await citewell.json('POST', `${of}/mcp-servers`, { server_name: 'acme-tools', sign_in_type: 'api_key' })
    await citewell.json('PATCH', of, {
      pii_masking: { mask: ['email'], custom_patterns: [], allow_list: [] },
    })
    const url = 'https://docs.example.com/keys'
    const said = [
      await report(citewell, base, '/mcp/acme-tools', {
        message: 'Ask ada@example.com: keys do not rotate daily <script>alert(1)</script>',
        url,
      }),
      await report(citewell, base, '/mcp', { message: 'There is nothing on webhooks.' }),
      await report(citewell, base, '/mcp', { message: 'bad', url: 'javascript:alert(1)' }),
      await report(citewell, base, '/mcp', { message: 'x'.repeat(2_001) }),
    ]
    const reports = await citewell.json<{ data: Record<string, unknown>[] }>('GET', `${of}/reports`)
    const read = await citewell.send('GET', `${of}/reports`)
    const analytics = await citewell.json<Record<string, unknown>>('GET', `${of}/analytics`)

    expect(said.map((text) => text.includes('"recorded":true'))).toEqual([true, true, false, false])
    expect(reports.data).toEqual([
      expect.objectContaining({ message: 'There is nothing on webhooks.', url: null, server_name: null }),
      expect.objectContaining({
        message: expect.stringContaining('keys do not rotate daily <script>'),
        url,
        server_name: 'acme-tools',
        client_key_id: base.client_key.id,
        user: null,
        withheld: false,
      }),
    ])
    expect(JSON.stringify(reports)).not.toContain('ada@example.com')
    expect(read.headers.get('content-type')).toMatch(/^application\/json/)
    expect(read.headers.get('x-content-type-options')).toBe('nosniff')
    expect(analytics['reports']).toEqual({ count: 2, pages: [{ url, reports: 1 }] })

    await citewell.json('PATCH', `/api/v1/workspaces/${base.workspace_id}`, { zero_data_retention: true })
    const unkept = await report(citewell, base, '/mcp', { message: 'canary-of-nothing-kept' })
    expect(unkept).toContain('"recorded":false')
    expect(unkept).toContain('nothing was recorded')
    expect(JSON.stringify(await citewell.rows('select * from mcp_feedback'))).not.toContain('canary')
  },
)

verifies(
  'mcp.feedback',
  'the descriptions of traces and conversations say where to find reports',
  async () => {
    await using citewell = await startTestService()
    const openApi = (await (await citewell.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { description?: string }>>
    }
    const told = ['/api/v1/messages/{id}/trace', '/api/v1/knowledge-bases/{id}/conversations'].map(
      (path) => openApi.paths[path]?.['get']?.description,
    )

    expect(told).toEqual(told.map(() => expect.stringContaining('/api/v1/knowledge-bases/{id}/reports')))
    expect(openApi.paths['/api/v1/knowledge-bases/{id}/reports']?.['get']).toBeDefined()
  },
)
