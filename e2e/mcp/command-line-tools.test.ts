import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool, runToolWell, startTool, type RunningTool } from './run-tool.ts'
import { signInAsReader } from './sign-in-as-reader.ts'
import { startMcpWorld, type McpWorld } from './start-mcp-world.ts'

let world: McpWorld
let keyed: Awaited<ReturnType<McpWorld['makeServer']>>

beforeAll(async () => {
  world = await startMcpWorld()
  keyed = await world.makeServer('keys-of-tools', 'api_key')
})
afterAll(async () => await world[Symbol.asyncDispose]())

describe('the Inspector', () => {
  const asked = ['--method', 'tools/call', '--tool-name', 'search_docs', '--tool-arg', 'query=rotated keys']

  verifies(
    'mcp.real-clients',
    '2.12.0 accepts the list of tools, and calls one',
    async () => {
      const target = [
        '--cli',
        keyed.address,
        '--transport',
        'http',
        '--header',
        `Authorization: Bearer ${keyed.key}`,
      ]
      const listed = await runToolWell('mcp-inspector', [...target, '--method', 'tools/list', '--strict'])
      const called = await runToolWell('mcp-inspector', [...target, ...asked])

      expect(listed).toContain('search_acme_api_knowledge_sources')
      expect(called).toContain('marigold')
    },
    { tags: ['long'] },
  )

  // It sends no headers, and only uses this path.
  verifies(
    'mcp.real-clients',
    '0.15.0 lists and calls tools at the generic address with the key in the URL',
    async () => {
      const target = ['--cli', `${world.citewell.address}/mcp?client_key=${keyed.key}`, '--transport', 'http']
      const listed = await runToolWell('mcp-inspector-cli', [...target, '--method', 'tools/list'])
      const called = await runToolWell('mcp-inspector-cli', [...target, ...asked])

      expect(listed).toContain('search_acme_api_knowledge_sources')
      expect(called).toContain('marigold')
    },
  )

  test('with a wrong key asks for a sign-in, once', { tags: ['long'] }, async () => {
    const target = [
      '--cli',
      keyed.address,
      '--transport',
      'http',
      '--header',
      'Authorization: Bearer cw_pk_wrong',
    ]
    const refused = await runTool('mcp-inspector', [...target, '--method', 'tools/list'])

    expect(refused.code).not.toBe(0)
    expect(refused.output).toContain('auth_required')
  })
})

/** Talks to a bridge as an editor does, over its standard input. */
async function askOverBridge(bridge: RunningTool) {
  const send = (message: object) => bridge.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const clientInfo = { name: 'editor', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  await bridge.says(/"id":1\b/)
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/list' })
  await bridge.says(/"id":2\b/)
  send({
    id: 3,
    method: 'tools/call',
    params: { name: 'search_docs', arguments: { query: 'rotated keys' } },
  })
  await bridge.says(/"id":3\b/)
  return bridge.standardOutput()
}

describe('mcp-remote', () => {
  const common = ['--transport', 'http-only', '--allow-http']

  verifies(
    'mcp.real-clients',
    'bridges with a key',
    async () => {
      await using bridge = startTool('mcp-remote', [
        keyed.address,
        ...common,
        '--header',
        `Authorization: Bearer ${keyed.key}`,
      ])
      const answers = await askOverBridge(bridge)

      expect(answers).toContain('search_acme_api_knowledge_sources')
      expect(answers).toContain('marigold')
    },
    { tags: ['long'] },
  )

  verifies('mcp.real-clients', 'registers itself, signs a reader in, and bridges', async () => {
    const { address } = await world.makeServer('readers-of-tools', 'public')
    await using bridge = startTool('mcp-remote', [address, ...common])
    const opened = await bridge.says(/(http\S+\/authorize\?\S+)/)
    await fetch(await signInAsReader(opened))
    const answers = await askOverBridge(bridge)

    expect(answers).toContain('search_acme_api_knowledge_sources')
    expect(answers).toContain('marigold')
    expect(bridge.output().match(/\/authorize\?/g)).toHaveLength(1)
  })
})
