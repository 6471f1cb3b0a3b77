import { expect, test } from 'vitest'
import { createOwnFetch, type SessionState } from './own-fetch.ts'

const pathOf = (input: string | URL | Request) => (input instanceof Request ? input.url : input.toString())

/** A service that takes one CSRF token, and answers what it was sent. */
function startService(token: string) {
  const sent: string[] = []
  const send: typeof fetch = async (input, init) => {
    const given = new Headers(init?.headers).get('x-citewell-csrf') ?? ''
    sent.push(`${init?.method ?? 'GET'} ${pathOf(input)} ${given}`)
    return await Promise.resolve(new Response(null, { status: given === token ? 204 : 403 }))
  }
  return { sent, send }
}

test('two changes that are refused at once find the new token once, and each is sent once more', async () => {
  const { sent, send } = startService('new')
  let looks = 0
  const state: { current: SessionState } = { current: { csrf: 'old', userId: 'ada' } }
  const { ownFetch } = createOwnFetch(
    state,
    async () => {
      looks += 1
      return await Promise.resolve({ csrf: 'new', userId: 'ada' })
    },
    send,
  )
  const answers = await Promise.all(['/a', '/b'].map((path) => ownFetch(path, { method: 'PATCH' })))
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(sent).toEqual(['PATCH /a old', 'PATCH /b old', 'PATCH /a new', 'PATCH /b new'])
  expect([looks, state.current.csrf]).toEqual([1, 'new'])
})

test('a change that is refused after another one has found the new token is sent with it', async () => {
  const { sent, send } = startService('new')
  const state: { current: SessionState } = { current: { csrf: 'old', userId: 'ada' } }
  const { promise: slow, resolve: answer } = Promise.withResolvers<undefined>()
  const { ownFetch } = createOwnFetch(
    state,
    async () => await Promise.resolve({ csrf: 'new', userId: 'ada' }),
    async (input, init) => {
      const response = await send(input, init)
      if (pathOf(input) === '/slow' && response.status === 403) await slow
      return response
    },
  )
  const late = ownFetch('/slow', { method: 'PATCH' })
  expect((await ownFetch('/quick', { method: 'PATCH' })).status).toBe(204)
  answer(undefined)
  expect((await late).status).toBe(204)
  expect(sent.filter((request) => request.includes('/slow'))).toEqual(['PATCH /slow old', 'PATCH /slow new'])
})

test('nothing is sent again in the name of another person, nor if the token is the same', async () => {
  const { sent, send } = startService('new')
  const of = (now: SessionState | undefined) =>
    createOwnFetch(
      { current: { csrf: 'old', userId: 'ada' } },
      async () => await Promise.resolve(now),
      send,
    ).ownFetch('/a', { method: 'DELETE' })
  expect((await of({ csrf: 'new', userId: 'mallory' })).status).toBe(401)
  expect((await of({ csrf: 'old', userId: 'ada' })).status).toBe(403)
  expect((await of(undefined)).status).toBe(403)
  expect(sent).toEqual(['DELETE /a old', 'DELETE /a old', 'DELETE /a old'])
})
