import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  callTool,
  connectAsMember,
  makeMember,
  openMcpClient,
  openMemberBrowser,
} from '../../../test/connect-as-member.ts'
import { fakeLlm, startFakeLlm, type FakeLlm } from '../../../test/fake-llm.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

let llm: FakeLlm
let citewell: TestService
let workspaceId: string
let baseId: string

beforeAll(async () => {
  llm = await startFakeLlm(fakeLlm.neverEnds('Keys are rotated by the heliotrope procedure. ', 250))
  citewell = await startTestService({ CITEWELL_LLM_BASE_URL: llm.baseUrl, CITEWELL_LLM_MODEL: 'fake' })
  const me = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
  workspaceId = me.workspaces[0]?.id ?? ''
  const made = { name: 'Handbook', type: 'internal' }
  baseId = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', made)).id
  const base = `/api/v1/knowledge-bases/${baseId}`
  await citewell.json('POST', `${base}/mcp-servers`, { server_name: 'handbook', sign_in_type: 'internal' })
  const pushed = { name: 'Pushed', type: 'push', config: {} }
  const { id: sourceId } = await citewell.json<{ id: string }>('POST', `${base}/sources`, pushed)
  await citewell.json('PUT', `/api/v1/sources/${sourceId}/documents`, {
    documents: [
      {
        external_id: 'keys',
        title: 'Keys',
        url: 'https://docs.example.com/keys',
        markdown: 'Signing keys are rotated by the heliotrope procedure.',
        visibility: 'restricted',
      },
    ],
  })
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await llm[Symbol.asyncDispose]()
})

test.each(['handbook', 'portal'])(
  'what a member asks at /mcp/%s ends without an answer when they are removed meanwhile',
  async (server) => {
    const member = await makeMember(citewell, workspaceId)
    const browser = await openMemberBrowser(citewell, member)
    const address = `${citewell.address}/mcp/${server}`
    const ticked = server === 'portal' ? { base: [baseId] } : {}
    const { tokens } = await connectAsMember(citewell, browser, address, ticked)
    const client = await openMcpClient(address, tokens.access_token)
    const asked = llm.requests.length
    const answer = callTool(client, 'ask_question', { question: 'How are signing keys rotated?' })
    await expect.poll(() => llm.requests.length).toBeGreaterThan(asked)
    await citewell.send('DELETE', `/api/v1/workspaces/${workspaceId}/members/${member}`)

    const { isError, text } = await answer
    expect(isError).toBe(true)
    expect(text).not.toContain('heliotrope')
    await client.close()
  },
)
