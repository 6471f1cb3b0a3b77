import { expect, test } from 'vitest'
import { openTestManagement } from '../../../../test/test-management.ts'

/** Headers of every response, or of its body, which the document does not list for each. */
const OF_ALL = new Set([
  'cache-control',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
  'x-frame-options',
])

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: Record<string, unknown> }> }>>
}

test('the headers that responses have are those that the document lists for them', async () => {
  await using api = await openTestManagement()
  const read = await api.service.fetch(new Request('http://localhost/openapi.json'))
  const { paths } = (await read.json()) as Document
  const base = await api.ask('POST', '/knowledge-bases', { name: 'Acme docs' })
  const [ofBase, ofWorkspace] = [String(base['id']), String(base['workspace_id'])]
  const answers = [
    ['/me', '', 401],
    ['/public/knowledge-bases/{knowledgeBaseId}/suggested-questions', ofBase, 401],
    ['/public/openai/models', '', 401],
    ['/me', '', 200],
    ['/knowledge-bases/{id}/conversations/export', ofBase, 200],
    ['/knowledge-bases/{id}/analytics/export', ofBase, 200],
    ['/workspaces/{id}/activity/export', ofWorkspace, 200],
  ] as const

  for (const [path, id, status] of answers) {
    const address = path.replace(/\{\w+\}/, id)
    const answer = await api.fetch('GET', address, undefined, status === 401 ? 'wrong' : api.token)
    const listed = Object.keys(paths[`/api/v1${path}`]?.['get']?.responses[status]?.headers ?? {})
    const sent = [...answer.headers.keys()].filter((name) => !OF_ALL.has(name))
    expect([path, answer.status, listed.map((name) => name.toLowerCase())]).toEqual([
      path,
      status,
      expect.arrayContaining(sent),
    ])
    expect(sent).toContain(status === 401 ? 'www-authenticate' : 'x-request-id')
  }
})
