import { longUnless } from '@citewell/spec/long-unless'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIBRARIES } from './client-libraries.ts'
import { joinAsMember, signInAsMember } from './sign-in-as-member.ts'
import { startMcpWorld, type McpWorld } from './start-mcp-world.ts'
import { createToolMemory } from './tool-memory.ts'

let world: McpWorld
beforeAll(async () => {
  world = await startMcpWorld()
})
afterAll(async () => await world[Symbol.asyncDispose]())

/** Revokes a token, as a tool does that signs out. */
async function revoke(clientId: string, token: string): Promise<void> {
  await fetch(`${world.citewell.address}/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, token }).toString(),
  })
}

for (const [version, connect] of Object.entries(LIBRARIES))
  describe(`a tool built with client library ${version}`, longUnless(version === '2.4.0'), () => {
    const nameOf = (what: string) => `${what}-${version.replaceAll('.', '-')}`

    async function signedIn(serverName: string) {
      const server = await world.makeServer(serverName, 'public')
      const memory = createToolMemory()
      return { server, memory, tool: await connect(server.address, memory) }
    }

    verifies('mcp.real-clients', 'registers itself, signs its user in, and searches', async () => {
      const { memory, tool } = await signedIn(nameOf('sign-in'))

      expect(await tool.toolNames()).toContain('search_acme_api_knowledge_sources')
      expect(await tool.search('rotated keys')).toContain('marigold')
      expect(memory.opened).toHaveLength(1)
      await tool.close()
    })

    verifies('mcp.clear-end', 'refreshes an invalid token without user interaction', async () => {
      const { memory, tool } = await signedIn(nameOf('refresh'))
      const before = memory.tokens()
      if (before === undefined) throw new Error('there are no tokens')
      await memory.provider.saveTokens({ ...before, access_token: 'of-yesterday' })

      expect(await tool.search('rotated keys')).toContain('marigold')
      expect(memory.tokens()?.access_token).not.toBe('of-yesterday')
      expect(memory.tokens()?.refresh_token).not.toBe(before.refresh_token)
      expect(memory.opened).toHaveLength(1)
      await tool.close()
    })

    verifies(
      'mcp.clear-end',
      'asks its user to sign in again when all tokens were revoked, and does not loop',
      async () => {
        const { memory, tool } = await signedIn(nameOf('revoked'))
        await revoke(memory.clientId(), memory.tokens()?.refresh_token ?? '')

        await expect(tool.search('rotated keys')).rejects.toThrow(/unauthorized/i)
        expect(memory.opened.length).toBeGreaterThan(1)
        expect(memory.opened.length).toBeLessThanOrEqual(3)
        await tool.close()
      },
    )

    verifies(
      'mcp.clear-end',
      'gets an error when the server is deleted, and does not ask for a sign-in',
      async () => {
        const { memory, tool, server } = await signedIn(nameOf('deleted'))
        await world.citewell.json('DELETE', `/api/v1/mcp-servers/${server.serverId}`)

        await expect(tool.search('rotated keys')).rejects.toThrow(/no MCP server at this address/)
        expect(memory.opened).toHaveLength(1)
        await tool.close()
      },
    )

    test('connects with a key without a sign-in', { tags: ['long'] }, async () => {
      const { address, key } = await world.makeServer(nameOf('keyed'), 'api_key')
      const memory = createToolMemory()
      await memory.provider.saveTokens({ access_token: key, token_type: 'Bearer' })
      const tool = await connect(address, memory)

      expect(await tool.search('rotated keys')).toContain('marigold')
      expect(memory.opened).toEqual([])
      await tool.close()
    })
  })

describe('a member who signs in with a password, in a browser without a session', () => {
  let member: { email: string }
  beforeAll(async () => {
    member = await joinAsMember(world.citewell, 'mia@example.com')
  })

  verifies(
    ['mcp.real-clients', 'mcp.portal-choice'],
    'connects a tool built with 2.4.0 to the portal',
    async () => {
      const chosen = await world.makeServer('portal-chosen', 'api_key')
      const other = await world.makeServer('portal-other', 'api_key')
      const memory = createToolMemory()
      const tool = await LIBRARIES['2.4.0'](
        `${world.citewell.address}/mcp/portal`,
        memory,
        async (address) => await signInAsMember(address, member, [chosen.knowledgeBaseId]),
      )
      const listed = await tool.call('list_knowledge_bases', {})

      expect(listed).toContain(chosen.knowledgeBaseId)
      expect(listed).not.toContain(other.knowledgeBaseId)
      expect(await tool.search('rotated keys')).toContain('marigold')
      expect(memory.opened).toHaveLength(1)
      await tool.close()
    },
  )

  verifies('mcp.real-clients', 'connects a tool built with 1.32.2 to an Internal server', async () => {
    const { address } = await world.makeServer('internal-tools', 'internal')
    const memory = createToolMemory()
    const tool = await LIBRARIES['1.32.2'](
      address,
      memory,
      async (page) => await signInAsMember(page, member, []),
    )

    expect(await tool.toolNames()).toContain('search_acme_api_knowledge_sources')
    expect(await tool.search('rotated keys')).toContain('marigold')
    expect(memory.opened).toHaveLength(1)
    await tool.close()
  })
})
