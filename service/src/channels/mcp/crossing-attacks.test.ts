import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { makeDocument, makeSource } from '../../../test/make-records.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { startTestService, type TestService } from '../../../test/start-service.ts'

const WORKSPACES = 5
const SERVERS_EACH = 4
const CLIENTS = 200
const CALLS_EACH = 2

interface Server {
  name: string
  key: string
  /** Occurs in the name of its one source, and nowhere else. */
  nonce: string
}

let citewell: TestService
let servers: Server[]

async function addWorkspace(): Promise<string> {
  const id = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await citewell.storage.db
    .insertInto('workspaces')
    .values({ id, name: `Workspace ${id}`, plan: 'enterprise', zero_data_retention: false, ...times })
    .execute()
  const owner = await citewell.json<{ user: { id: string } }>('GET', '/api/v1/me')
  await citewell.storage.db
    .insertInto('workspace_members')
    .values({ workspace_id: id, user_id: owner.user.id, role: 'owner', ...times })
    .execute()
  return id
}

async function makeServer(workspaceId: string, name: string): Promise<Server> {
  const nonce = `nonce-${newId()}`
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name, workspace_id: workspaceId },
  )
  const of = `/api/v1/knowledge-bases/${base.id}`
  await citewell.json('POST', `${of}/mcp-servers`, { server_name: name, sign_in_type: 'api_key' })
  // What is read is its name. It has one page, as one without any is not listed.
  const sourceId = await makeSource(citewell.storage.db, base.id, { name: nonce })
  await makeDocument(citewell.storage.db, base.id, sourceId)
  return { name, key: base.client_key.key, nonce }
}

beforeAll(async () => {
  citewell = await startTestService()
  servers = []
  for (let workspace = 0; workspace < WORKSPACES; workspace += 1) {
    const id = await addWorkspace()
    for (let at = 0; at < SERVERS_EACH; at += 1)
      servers.push(await makeServer(id, `crossing-${workspace}-${at}`))
  }
})

afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
})

/** Makes one call, and returns what is wrong with the answer. Clients alternate between both versions of the protocol. */
async function callOnce(server: Server, id: string, isModern: boolean): Promise<string[]> {
  const answer = await outsideRequest(`${citewell.address}/mcp/${server.name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${server.key}`,
      ...(isModern && {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'list_sources',
      }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name: 'list_sources',
        arguments: {},
        ...(isModern && {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
      },
    }),
  })
  const text = await answer.text()
  const foreign = servers.filter(({ nonce }) => nonce !== server.nonce && text.includes(nonce))
  const isOwn = answer.status === 200 && text.includes(server.nonce) && text.includes(`"id":"${id}"`)
  const ids = [...text.matchAll(/"id":"(call-[^"]+)"/g)]
    .map(([, found]) => found)
    .filter((found) => found !== id)
  return isOwn && foreign.length === 0 && ids.length === 0
    ? []
    : [`${server.name} ${id}: ${answer.status} ${text}`]
}

verifies(
  'mcp-attacks.crossing',
  '200 clients of 20 servers in 5 workspaces each get their own answers',
  async () => {
    const faults = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const server = servers[client % servers.length]
        if (server === undefined) throw new Error('no server')
        const wrong: string[] = []
        for (let call = 0; call < CALLS_EACH; call += 1)
          wrong.push(...(await callOnce(server, `call-${client}-${call}-${newId()}`, client % 2 === 0)))
        return wrong
      }),
    )

    expect(servers).toHaveLength(20)
    expect(faults.flat()).toEqual([])
  },
  // 28 s beside other work on two cores.
  120_000,
)
