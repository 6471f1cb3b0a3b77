import { verifies } from '@citewell/spec/verifies'
import { expect } from 'vitest'
import { connectAsMember, makeMember, openMemberBrowser } from '../../../test/connect-as-member.ts'
import { outsideRequest } from '../../../test/outside-request.ts'
import { openReaderWorld } from '../../../test/reader-sign-in-world.ts'

/** Calls the cheapest tool, and returns the text of the result. */
async function callOnce(address: string, token: string): Promise<string> {
  const response = await outsideRequest(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_sources', arguments: {} },
    }),
  })
  return await response.text()
}

verifies(
  ['mcp.public-rate', 'mcp.internal-rate', 'mcp.portal-rate'],
  'a signed-in person may make 60 calls a minute over all servers of a kind, counted separately for each kind',
  async () => {
    await using world = await openReaderWorld({ CITEWELL_RATE_LIMITS: 'on' })
    const { citewell } = world
    const servers = [await world.makeServer('readers-one'), await world.makeServer('readers-two')]
    const team = [
      await world.makeServer('team-one', 'internal'),
      await world.makeServer('team-two', 'internal'),
    ]
    const me = await citewell.json<{ workspaces: { id: string }[] }>('GET', '/api/v1/me')
    const browser = await openMemberBrowser(citewell, await makeMember(citewell, me.workspaces[0]?.id ?? ''))
    const asMember = async (address: string, ticked: Record<string, string[]> = {}) => ({
      address,
      token: (await connectAsMember(citewell, browser, address, ticked)).tokens.access_token,
    })
    const asReader = async (address: string) => ({
      address,
      token: (await world.connect(address)).tokens.access_token,
    })
    const kinds = {
      public: [await asReader(servers[0]?.address ?? ''), await asReader(servers[1]?.address ?? '')],
      internal: [await asMember(team[0]?.address ?? ''), await asMember(team[1]?.address ?? '')],
      portal: [await asMember(`${world.address}/mcp/portal`, { all: ['yes'] })],
    }
    for (const [kind, connected] of Object.entries(kinds)) {
      const said = []
      for (let count = 0; count < 61; count += 1) {
        const at = connected[count % connected.length]
        said.push(await callOnce(at?.address ?? '', at?.token ?? ''))
      }
      const day = kind === 'public' ? '440 of 500' : '1,940 of 2,000'
      expect([kind, said.slice(0, 60).filter((text) => text.includes('"isError":true'))]).toEqual([kind, []])
      expect(said[60]).toContain(`Left: 0 of 60 calls of this minute, ${day} calls of this day.`)
      expect(said[59]).toContain(`mcp-${kind}-minute`)
    }
  },
  { tags: ['long'] },
)
