import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGroup } from '../../../test/make-records.ts'
import { framesOf, startPublicApi } from '../../../test/start-public-api.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import { hashSecret, newSecret } from '../../kernel/secrets.ts'
import { newId } from '../../kernel/ids.ts'

let storage: TestStorage
let api: Awaited<ReturnType<typeof startPublicApi>>
beforeAll(async () => {
  storage = await openTestStorage()
  api = await startPublicApi({ storage })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await storage.close()
})

const PAGE = { title: 'Rotating signing keys', text: 'Signing keys are rotated every day at midnight.' }
const questionsOf = (base: { id: string }) => `/public/knowledge-bases/${base.id}/suggested-questions`
const searchOf = (base: { id: string }) => `/public/knowledge-bases/${base.id}/search`

const refusal = async (response: Response) => {
  const body = (await response.json()) as { code: string; error: string }
  return [response.status, body.code]
}

async function changeKey(
  keyId: string,
  fields: { allowed_origins?: string[]; allowed_source_group_ids?: string[] },
) {
  await storage.db.updateTable('client_keys').set(fields).where('id', '=', keyId).execute()
}

test('no key, half a pair, both kinds of credentials, an unknown key and a revoked key are answered with 401', async () => {
  const base = await api.makeAskable([])
  const get = (headers: Record<string, string>) => api.send(questionsOf(base), { headers })

  expect(await refusal(await get({}))).toEqual([401, 'UNAUTHENTICATED'])
  expect(await refusal(await get({ 'x-client-id': 'cw_id_1' }))).toEqual([401, 'UNAUTHENTICATED'])
  expect(
    await refusal(await get({ 'x-client-key': base.key, 'x-client-id': 'a', 'x-client-secret': 'b' })),
  ).toEqual([401, 'UNAUTHENTICATED'])
  expect(await refusal(await get({ 'x-client-key': newSecret('cw_pk_') }))).toEqual([401, 'UNAUTHENTICATED'])
  expect((await get({ 'x-client-key': base.key })).status).toBe(200)
  await storage.db
    .updateTable('client_keys')
    .set({ status: 'revoked' })
    .where('id', '=', base.keyId)
    .execute()
  expect(await refusal(await get({ 'x-client-key': base.key }))).toEqual([401, 'UNAUTHENTICATED'])
})

test('a secret pair is accepted, and refused with a wrong secret', async () => {
  const base = await api.makeAskable([])
  const [clientId, clientSecret] = [newSecret('cw_id_'), newSecret('cw_sk_')]
  await storage.db
    .updateTable('client_keys')
    .set({ kind: 'secret', public_key: null, client_id: clientId, secret_hash: hashSecret(clientSecret) })
    .where('id', '=', base.keyId)
    .execute()
  const get = (secret: string) =>
    api.send(questionsOf(base), { headers: { 'x-client-id': clientId, 'x-client-secret': secret } })

  expect((await get(clientSecret)).status).toBe(200)
  expect((await get(newSecret('cw_sk_'))).status).toBe(401)
})

test('a key opens its own base only', async () => {
  const [base, other] = [await api.makeAskable([]), await api.makeAskable([])]
  const response = await api.send(questionsOf(other), { headers: { 'x-client-key': base.key } })
  expect(await refusal(response)).toEqual([404, 'NOT_FOUND'])
})

test('an internal base and an archived one refuse their keys', async () => {
  const [internal, archived] = [await api.makeAskable([]), await api.makeAskable([])]
  await storage.db
    .updateTable('knowledge_bases')
    .set({ type: 'internal' })
    .where('id', '=', internal.id)
    .execute()
  await storage.db
    .updateTable('knowledge_bases')
    .set({ status: 'archived' })
    .where('id', '=', archived.id)
    .execute()
  const get = (base: { id: string; key: string }) =>
    api.send(questionsOf(base), { headers: { 'x-client-key': base.key } })

  expect(await refusal(await get(internal))).toEqual([403, 'KNOWLEDGE_BASE_INTERNAL'])
  expect(await refusal(await get(archived))).toEqual([403, 'KNOWLEDGE_BASE_ARCHIVED'])
})

test('a page of an allowed origin may read the answer, another origin is refused, and a server has no origin', async () => {
  const base = await api.makeAskable([])
  await changeKey(base.keyId, { allowed_origins: ['https://docs.example.com'] })
  const get = (origin: string | undefined) =>
    api.send(questionsOf(base), {
      headers: { 'x-client-key': base.key, ...(origin !== undefined && { origin }) },
    })

  const allowed = await get('https://docs.example.com')
  expect(allowed.status).toBe(200)
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://docs.example.com')
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
  expect(allowed.headers.get('vary')).toBe('Origin')
  for (const origin of [
    'https://docs.example.com.evil.io',
    'https://docs.example.com:444',
    'http://docs.example.com',
    'null',
  ]) {
    const refused = await get(origin)
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    expect(await refusal(refused)).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  }
  const server = await get(undefined)
  expect(server.status).toBe(200)
  expect(server.headers.get('access-control-allow-origin')).toBeNull()
})

test('a page of this service may use every key, as previews do; a browser that says so of another page may not', async () => {
  const base = await api.makeAskable([PAGE])
  await changeKey(base.keyId, { allowed_origins: ['https://docs.example.com'] })
  const search = (headers: Record<string, string>) =>
    api.send(searchOf(base), {
      headers: { 'x-client-key': base.key, ...headers },
      body: { query: 'When are signing keys rotated?' },
    })
  const own = new URL(api.address).origin

  expect((await search({ origin: own })).status).toBe(200)
  expect((await search({ origin: own, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  for (const site of ['cross-site', 'same-site']) {
    const other = await search({ origin: 'https://evil.example.com', 'sec-fetch-site': site })
    expect(await refusal(other)).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  }
  const otherPort = new URL(own)
  otherPort.port = '1'
  expect(await refusal(await search({ origin: otherPort.origin }))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
})

test('a page can read why its key is refused', async () => {
  const base = await api.makeAskable([])
  const refused = await api.send(questionsOf(base), {
    headers: { 'x-client-key': newSecret('cw_pk_'), origin: 'https://docs.example.com' },
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('https://docs.example.com')
})

test('a page can read that its address has no id of a base, or none at all', async () => {
  for (const [path, expected] of [
    ['/public/knowledge-bases/acme-docs/widget-config', [400, 'BAD_REQUEST']],
    ['/public/knowledge-bases/acme-docs/widget-key', [400, 'BAD_REQUEST']],
    ['/public/widget-integrations/undefined/config', [400, 'BAD_REQUEST']],
    ['/public/knowledge-bases//widget-key', [404, 'NOT_FOUND']],
  ] as const) {
    const refused = await api.send(path, { headers: { origin: 'https://docs.example.com' } })
    expect([path, refused.headers.get('access-control-allow-origin')]).toEqual([
      path,
      'https://docs.example.com',
    ])
    expect([path, await refusal(refused)]).toEqual([path, expected])
  }
  const team = await api.send('/knowledge-bases', { headers: { origin: 'https://docs.example.com' } })
  expect([team.status, team.headers.get('access-control-allow-origin')]).toEqual([401, null])
})

test('a preflight needs no key', async () => {
  const base = await api.makeAskable([])
  const preflight = await api.send(searchOf(base), {
    method: 'OPTIONS',
    headers: {
      origin: 'https://docs.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-client-key,content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-client-key')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
})

verifies('search.group-ids', 'group_ids narrow the search, and never widen it', async () => {
  const base = await api.makeAskable([PAGE])
  const [own, foreign] = [await makeGroup(storage.db, base.id), await makeGroup(storage.db, base.id)]
  const elsewhere = await makeGroup(storage.db, (await api.makeAskable([])).id)
  await storage.db
    .updateTable('sources')
    .set({ source_group_id: own })
    .where('knowledge_base_id', '=', base.id)
    .execute()
  const search = async (group_ids: unknown) => {
    const response = await api.send(searchOf(base), {
      headers: { 'x-client-key': base.key },
      body: { query: 'signing keys', group_ids },
    })
    return response.status === 200
      ? ((await response.json()) as { count: number }).count
      : await refusal(response)
  }

  expect(await search(undefined)).toBe(1)
  expect(await search([])).toBe(1)
  expect(await search([own.toUpperCase()])).toBe(1)
  expect(await search([foreign])).toBe(0)
  for (const bad of [[elsewhere], [newId()], ['keys'], 'keys', [own, 7]]) {
    expect(await search(bad)).toEqual([403, 'GROUP_NOT_ALLOWED'])
  }

  await changeKey(base.keyId, { allowed_source_group_ids: [foreign] })
  expect(await search(undefined)).toBe(0)
  expect(await search([])).toBe(0)
  expect(await search([own])).toEqual([403, 'GROUP_NOT_ALLOWED'])
  expect(await search([own, foreign])).toEqual([403, 'GROUP_NOT_ALLOWED'])
})

test('a widget in a request must belong to the base, be enabled, and allow the page', async () => {
  const base = await api.makeAskable([PAGE])
  const id = newId()
  const times = { created_at: new Date(), updated_at: new Date() }
  await storage.db
    .insertInto('widgets')
    .values({
      knowledge_base_id: base.id,
      id,
      name: 'w',
      enabled: true,
      allowed_origins: ['https://a.example.com'],
      config: '{}',
      ...times,
    })
    .execute()
  const chat = async (widget_id: string, origin = 'https://a.example.com') =>
    await api.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: { 'x-client-key': base.key, origin },
      body: { query: 'When are signing keys rotated?', widget_id },
    })

  const answered = await framesOf(await chat(id))
  expect(answered.at(-1)).toMatchObject({ done: true })
  expect(await refusal(await chat(newId()))).toEqual([404, 'NOT_FOUND'])
  expect(await refusal(await chat(id, 'https://b.example.com'))).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  await storage.db.updateTable('widgets').set({ enabled: false }).where('id', '=', id).execute()
  expect(await refusal(await chat(id))).toEqual([403, 'WIDGET_DISABLED'])

  const rated = await api.send('/public/feedback', {
    headers: { 'x-client-key': base.key },
    body: { message_id: answered.at(-1)?.['message_id'], rating: 'up' },
  })
  expect(await rated.json()).toMatchObject({ source: 'widget' })
})

test('beyond the limit of a key a request gets 429, with Retry-After and the remaining count', async () => {
  await using limited = await startPublicApi({ storage, limits: { searchPerKey: 2 } })
  const base = await limited.makeAskable([PAGE])
  const other = await limited.makeAskable([PAGE])
  const search = (of: { id: string; key: string }) =>
    limited.send(searchOf(of), {
      headers: { 'x-client-key': of.key, origin: 'https://a.example.com' },
      body: { query: 'keys' },
    })

  const first = await search(base)
  expect(first.headers.get('ratelimit-policy')).toBe('"search-key";q=2;w=60')
  expect(first.headers.get('ratelimit')).toMatch(/^"search-key";r=1;t=\d+$/)
  await search(base)
  const refused = await search(base)

  expect(await refusal(refused)).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('ratelimit')).toMatch(/;r=0;/)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
  expect((await search(other)).status).toBe(200)
})

test('one address that floods the chat does not affect other addresses with the same key', async () => {
  await using limited = await startPublicApi({ storage, limits: { chatPerAddress: 1 } })
  const base = await limited.makeAskable([PAGE])
  const chat = async (address: string) => {
    const response = await limited.send(`/public/knowledge-bases/${base.id}/chat`, {
      headers: { 'x-client-key': base.key, 'x-forwarded-for': address },
      body: { query: 'When are signing keys rotated?' },
    })
    await response.text()
    return response.status
  }

  expect(await chat('203.0.113.9')).toBe(200)
  expect(await chat('203.0.113.9')).toBe(429)
  expect(await chat('198.51.100.7, 203.0.113.9')).toBe(429)
  expect(await chat('198.51.100.7')).toBe(200)
})
