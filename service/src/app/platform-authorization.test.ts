import type { Endpoint } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startGoogleChatStandIn, type GoogleChatStandIn } from '../../test/platforms/google-chat-stand-in.ts'
import { platformProofs, type PlatformProof } from '../../test/platforms/platform-proofs.ts'
import { startTeamsStandIn, type TeamsStandIn } from '../../test/platforms/teams-stand-in.ts'
import { snapshotStorage } from '../../test/snapshot-storage.ts'
import { OWNER_TOKEN, startTestService, type TestService } from '../../test/start-service.ts'

const HOOKS = ALL_ENDPOINTS.filter(({ caller }) => caller === 'platform')

let citewell: TestService
let teams: TeamsStandIn
let google: GoogleChatStandIn
let baseId: string

beforeAll(async () => {
  citewell = await startTestService()
  teams = await startTeamsStandIn()
  google = await startGoogleChatStandIn()
  baseId = (await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Hooks' })).id
})
afterAll(async () => {
  await citewell[Symbol.asyncDispose]()
  await teams[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const connect = async ({ noun, fields, credentials }: PlatformProof, change: object = {}) =>
  (
    await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${baseId}/${noun}`, {
      name: 'One',
      ...fields,
      credentials: credentials('one'),
      ...change,
    })
  ).id

const MINUTE = 60_000
const NOBODY = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

/** Every way in which a proof can be wrong: the headers, and the body that is sent with them. */
async function wrongProofs(
  proof: PlatformProof,
  hookUrl: string,
): Promise<Record<string, { headers: Record<string, string>; body: string }>> {
  const { body, sign } = proof
  const now = Date.now()
  const valid = await sign({ body, secret: 'one', at: new Date(now), hookUrl })
  const withHeaders = (headers: Record<string, string>) => ({ headers, body })
  const withoutOne = Object.fromEntries(
    proof.proves.map((name) => [`without ${name}`, withHeaders({ ...valid, [name]: '' })]),
  )
  const broken = Object.fromEntries(
    proof.proves.map((name) => [
      `with another ${name}`,
      withHeaders({ ...valid, [name]: `${valid[name]}0` }),
    ]),
  )
  const ofTime = proof.signsTime
    ? {
        'six minutes old': withHeaders(
          await sign({ body, secret: 'one', at: new Date(now - 6 * MINUTE), hookUrl }),
        ),
        'six minutes in the future': withHeaders(
          await sign({ body, secret: 'one', at: new Date(now + 6 * MINUTE), hookUrl }),
        ),
      }
    : {}
  return {
    'no proof': withHeaders({ 'content-type': 'application/json' }),
    'an access token': withHeaders({
      'content-type': 'application/json',
      authorization: `Bearer ${OWNER_TOKEN}`,
    }),
    'the proof of another integration': withHeaders(
      await sign({ body, secret: 'other', at: new Date(now), hookUrl }),
    ),
    'the proof of another body': { headers: valid, body: `${body} ` },
    ...withoutOne,
    ...broken,
    ...ofTime,
  }
}

const send = async (
  endpoint: Endpoint,
  id: string,
  { headers, body }: { headers: Record<string, string>; body: string },
) => {
  const path = endpoint.path.replace('{integration_id}', id)
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
  const response = await citewell.fetch(path, { method: endpoint.method, headers: sent, body })
  return { status: response.status, text: await response.text() }
}

verifies(
  'hooks.proof',
  'every platform’s hook refuses every wrong proof with the same 401, and changes nothing',
  async () => {
    expect(HOOKS).not.toHaveLength(0)
    for (const [name, proof] of Object.entries(platformProofs(teams, google))) {
      const id = await connect(proof)
      await connect(proof, { credentials: proof.credentials('other') })
      const bare = await connect(proof, { credentials: undefined })
      const hookUrl = `${citewell.address}/api/v1/hooks/${id}`
      const wrong = await wrongProofs(proof, hookUrl)
      const valid = {
        headers: await proof.sign({ body: proof.body, secret: 'one', at: new Date(), hookUrl }),
        body: proof.body,
      }
      const before = await snapshotStorage(citewell.storage)
      const texts = new Set<string>()
      const take = ({ status, text }: { status: number; text: string }) => {
        texts.add(text.replace(/"request_id":"[^"]*"/, ''))
        return status
      }
      for (const endpoint of HOOKS) {
        for (const [what, given] of Object.entries(wrong)) {
          const isBodyUnsigned = what === 'the proof of another body' && !proof.signsBody
          if (!isBodyUnsigned)
            expect([name, what, take(await send(endpoint, id, given))]).toEqual([name, what, 401])
        }
        expect([name, 'no credentials', take(await send(endpoint, bare, valid))]).toEqual([
          name,
          'no credentials',
          401,
        ])
        expect([name, 'no such integration', take(await send(endpoint, NOBODY, valid))]).toEqual([
          name,
          'no such integration',
          401,
        ])
        expect((await send(endpoint, 'no-id', valid)).status).toBe(400)
      }
      expect(texts.size).toBe(1)
      expect(await snapshotStorage(citewell.storage)).toEqual(before)
      for (const endpoint of HOOKS)
        expect([name, (await send(endpoint, id, valid)).status]).toEqual([name, 200])
    }
  },
  60_000,
)

verifies('hooks.proof', 'a body that is too large is refused before it is read', async () => {
  const [proof] = Object.values(platformProofs(teams, google))
  if (proof === undefined) throw new Error('no platform')
  const id = await connect(proof)
  const body = 'x'.repeat(1_048_577)
  const hookUrl = `${citewell.address}/api/v1/hooks/${id}`
  const headers = await proof.sign({ body, secret: 'one', at: new Date(), hookUrl })
  for (const endpoint of HOOKS) expect((await send(endpoint, id, { headers, body })).status).toBe(413)
})
