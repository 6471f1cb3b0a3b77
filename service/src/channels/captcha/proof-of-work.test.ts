import type { CaptchaChallenge } from '@citewell/contract/captcha'
import { verifies } from '@citewell/spec/verifies'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import type { CaptchaSettings } from './captcha.ts'

const ALTCHA: CaptchaSettings = { provider: 'altcha', secret: undefined, whenUnavailable: 'refuse' }

type Api = Awaited<ReturnType<typeof startPublicApi>>
let storage: TestStorage
let api: Api
const clock = { ahead: 0 }

beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage, captcha: ALTCHA, now: () => new Date(Date.now() + clock.ahead) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

async function fetchChallenge(key: string, action = 'search', from = api): Promise<CaptchaChallenge> {
  const response = await from.send(`/public/captcha-challenge?action=${action}`, {
    headers: { 'x-client-key': key },
  })
  expect(response.status).toBe(200)
  return (await response.json()) as CaptchaChallenge
}

/** Solves a challenge as an altcha client does, and returns what it sends. */
async function solve(challenge: CaptchaChallenge) {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('No solution was found.')
  return { challenge, solution }
}

const tokenOf = (payload: unknown, space?: number) =>
  Buffer.from(JSON.stringify(payload, null, space)).toString('base64')

async function search(base: { id: string; key: string }, token: string, at = api) {
  const response = await at.send(`/public/knowledge-bases/${base.id}/search`, {
    headers: { 'x-client-key': base.key, 'x-captcha-token': token },
    body: { query: 'keys' },
  })
  const { code } = (await response.json()) as { code?: string }
  return [response.status, code]
}

const FAILED = [403, 'CAPTCHA_FAILED']

verifies(
  ['captcha.self-hosted', 'captcha.fresh-token'],
  'a solution is accepted for one request, by any process, in whatever encoding',
  async () => {
    await using other = await startPublicApi({ storage, captcha: ALTCHA })
    const base = await api.makeAskable([])
    const payload = await solve(await fetchChallenge(base.key))
    const rewritten = { solution: { ...payload.solution, time: 1 }, challenge: payload.challenge }

    const answers = await Promise.all([
      search(base, tokenOf(payload)),
      search(base, tokenOf(payload, 2), other),
      search(base, tokenOf(rewritten), other),
    ])

    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, code]) => code === 'CAPTCHA_FAILED')).toHaveLength(2)
  },
)

verifies(
  ['captcha.self-hosted', 'captcha.action', 'captcha.age'],
  'a solution for another action or key, with lower difficulty, unsolved, or expired is refused',
  async () => {
    const [base, stranger] = [await api.makeAskable([]), await api.makeAskable([])]
    const honest = await solve(await fetchChallenge(base.key))
    const { challenge, solution } = honest
    const changed = (parameters: Record<string, unknown>) =>
      tokenOf({
        challenge: { ...challenge, parameters: { ...challenge.parameters, ...parameters } },
        solution,
      })

    expect(await search(base, tokenOf(await solve(await fetchChallenge(base.key, 'chat'))))).toEqual(FAILED)
    expect(await search(base, tokenOf(await solve(await fetchChallenge(stranger.key))))).toEqual(FAILED)
    const forged = [
      changed({ expiresAt: challenge.parameters.expiresAt + 3_600 }),
      changed({ keyPrefix: solution.derivedKey.slice(0, 2), cost: 1 }),
      changed({ data: { action: 'search', key: stranger.keyId } }),
      tokenOf({ challenge: { parameters: challenge.parameters }, solution }),
      tokenOf({ challenge, solution: { counter: solution.counter + 1, derivedKey: solution.derivedKey } }),
      tokenOf({ challenge, solution: { counter: solution.counter, derivedKey: '00'.repeat(32) } }),
      tokenOf({ challenge }),
      tokenOf('nothing'),
      'not base64 at all',
    ]
    for (const token of forged) expect(await search(base, token)).toEqual(FAILED)

    clock.ahead = 601_000
    const late = await search(base, tokenOf(honest))
    clock.ahead = 0
    expect(late).toEqual(FAILED)
    expect(await search(base, tokenOf(honest))).toEqual([200, undefined])
  },
)

test('challenges require a client key and an action, and exist with this provider only', async () => {
  const base = await api.makeAskable([])
  await using withoutCaptcha = await startPublicApi({ storage })
  const get = (query: string, headers: Record<string, string>, from: Api = api) =>
    from.send(`/public/captcha-challenge${query}`, { headers })

  expect((await get('?action=chat', {})).status).toBe(401)
  expect((await get('?action=dance', { 'x-client-key': base.key })).status).toBe(400)
  expect((await get('?action=chat', { 'x-client-key': base.key }, withoutCaptcha)).status).toBe(404)
})
