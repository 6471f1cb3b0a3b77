import { join } from 'node:path'
import { longUnless } from '@citewell/spec/long-unless'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMcpFixture } from '../../service/test/mcp-fixture/start-mcp-fixture.ts'
import { LIBRARIES } from './client-libraries.ts'
import { startKeyAddingProxy } from './key-adding-proxy.ts'
import { runAuthorizationSuite } from './run-authorization-suite.ts'
import { runTool } from './run-tool.ts'
import { startMcpWorld, type McpWorld } from './start-mcp-world.ts'
import { createToolMemory } from './tool-memory.ts'

const REVISIONS = ['2026-07-28', '2025-11-25'] as const

/** Where a server is asked in each revision. */
const QUICK: Record<(typeof REVISIONS)[number], string> = {
  '2026-07-28': 'a Public server, as a reader',
  '2025-11-25': 'its own address',
}

const baseline = (name: string) => join(import.meta.dirname, 'expected-failures', `${name}.yml`)

/** The summary of the suite. It passes if exactly the checks in the baseline fail. */
async function conformance(address: string, key: string, revision: string, expected: string) {
  await using proxy = await startKeyAddingProxy(address, key)
  const ran = await runTool('conformance', [
    'server',
    '--url',
    proxy.url,
    '--requirements',
    revision,
    '--expected-failures',
    baseline(`${expected}-${revision}`),
  ])
  const summary = ran.output.slice(ran.output.indexOf('=== SUMMARY'))
  if (ran.code !== 0) throw new Error(`The suite failed:\n${summary}`)
  return summary
}

describe('a knowledge base', () => {
  let world: McpWorld
  /** Addresses of the MCP server, each with a valid credential. */
  const addresses: Record<string, { address: string; key: string }> = {}
  beforeAll(async () => {
    world = await startMcpWorld()
    const named = await world.makeServer('acme-keys', 'api_key')
    addresses['its own address'] = named
    addresses['the generic address'] = { ...named, address: `${world.citewell.address}/mcp` }
    const { address } = await world.makeServer('acme-public', 'public')
    const memory = createToolMemory()
    const tool = await LIBRARIES['2.4.0'](address, memory)
    await tool.close()
    addresses['a Public server, as a reader'] = { address, key: memory.tokens()?.access_token ?? '' }
  })
  afterAll(async () => await world[Symbol.asyncDispose]())

  describe.each(REVISIONS)('in revision %s', (revision) => {
    for (const place of ['its own address', 'the generic address', 'a Public server, as a reader']) {
      verifies(
        ['mcp.conformance', 'mcp.streamable-http'],
        `passes every scenario of its features at ${place}`,
        async () => {
          const { address, key } = addresses[place] ?? { address: '', key: '' }
          const summary = await conformance(address, key, revision, 'knowledge-base')

          expect(summary).toMatch(/✓ tools-list: \d+ passed, 0 failed/)
          expect(summary).toContain('✓ dns-rebinding-protection: 2 passed, 0 failed')
        },
        longUnless(QUICK[revision] === place),
      )
    }
  })

  // The suite requests no scope, like tools that read no metadata.
  verifies(
    'mcp.authorization-conformance',
    'has an authorization server that passes too, including a complete sign-in',
    async () => {
      const { address } = await world.makeServer('acme-readers', 'public')
      const { code, output } = await runAuthorizationSuite(world.citewell.address, address)

      expect(output).toContain('✓ authorization-server-metadata-endpoint: 2 passed, 0 failed')
      expect(output).toContain('✓ authorization-code-grant: 1 passed, 0 failed')
      expect(code).toBe(0)
    },
  )
})

describe('the same HTTP layer with every tool, resource and prompt of the suite', () => {
  let fixture: Awaited<ReturnType<typeof startMcpFixture>>
  beforeAll(async () => {
    fixture = await startMcpFixture()
  })
  afterAll(async () => await fixture[Symbol.asyncDispose]())

  test('passes every scenario of 2026-07-28, including headers that are not required yet', async () => {
    const summary = await conformance(fixture.url, fixture.key, '2026-07-28', 'fixture')

    expect(summary).toMatch(/✓ server-stateless: \d+ passed, 0 failed/)
    expect(summary).toMatch(/✓ tools-call-with-progress: \d+ passed, 0 failed/)
    expect(summary).toMatch(/✓ http-header-validation: \d+ passed, 0 failed/)
    expect(summary).toMatch(/✓ http-custom-header-server-validation: \d+ passed, 0 failed/)
    expect(summary).toMatch(/✓ json-schema-2020-12: \d+ passed, 0 failed/)
    // Invalid requests of the suite are not logged as errors of the service.
    expect(fixture.faults).toEqual([])
  })

  test('passes every scenario of 2025-11-25 that needs no session', { tags: ['long'] }, async () => {
    const summary = await conformance(fixture.url, fixture.key, '2025-11-25', 'fixture')

    expect(summary).toMatch(/✓ tools-call-with-logging: \d+ passed, 0 failed/)
    expect(summary).toMatch(/✓ tools-call-with-progress: \d+ passed, 0 failed/)
  })
})
