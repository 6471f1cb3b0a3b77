import type { TokenScope } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { issueAccessToken } from '../src/accounts/access-tokens/access-tokens.ts'
import type { Role } from '../src/accounts/permissions/permissions.ts'
import { newId } from '../src/kernel/ids.ts'
import { makeSource, makeUploadedFile } from './make-records.ts'
import { bodyOf, type Records } from './authorization-requests.ts'
import { createAuthorizationRows } from './authorization-rows.ts'
import type { TestService } from './start-service.ts'

export interface Person {
  userId: string
  /** A token with the scope admin. */
  token: string
}

/** One workspace with its owner, and a knowledge base with one record of every kind. */
export interface Realm {
  workspaceId: string
  owner: Person
  records: Records
  /** Keys of its base: an active public key, and a revoked one. */
  key: string
  revokedKey: string
}

/** Addresses of sources that were never read: a folder of this machine, and a host in its network. */
export const UNREADABLE = {
  'of a folder': '/etc',
  'by ssh': 'ssh://git@127.0.0.1:4100/docs',
} as const

/** Addresses that anybody may name: a source of one of these is made for each type, to change its address. */
export const HARMLESS: Record<string, object> = {
  repository: { url: 'https://git.example.com/x' },
  openapi: { url: 'https://git.example.com/x' },
  website: { start_urls: ['https://docs.example.com/'] },
  sitemap: { sitemap_url: 'https://docs.example.com/' },
}

const EVERYTHING: TokenScope[] = ['read', 'config', 'admin']
const json = { 'content-type': 'application/json' }

/** The stream of what happens in a base, which lasts for minutes. Its first frame is all that there is to see. */
const FOLLOWS_A_BASE = /\/knowledge-bases\/[^/]+\/events$/

async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}

/** Creates workspaces, people and records in a running service, to test every endpoint with. */
export function createAuthorizationWorld({ address, storage }: TestService) {
  const { db } = storage
  const { addSession, connectTool, insertRows } = createAuthorizationRows({ address, storage })

  async function send(
    method: string,
    path: string,
    given: { token?: string | undefined; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<{ status: number; body: Record<string, unknown>; text: string }> {
    const isForm = given.body instanceof FormData
    const body = isForm ? (given.body as FormData) : JSON.stringify(given.body)
    const response = await fetch(new URL(path, address), {
      method,
      headers: {
        ...(given.body !== undefined && !isForm && json),
        ...(given.token !== undefined && { authorization: `Bearer ${given.token}` }),
        ...given.headers,
      },
      ...(given.body !== undefined && { body }),
    })
    const text = FOLLOWS_A_BASE.test(path) && response.ok ? await firstOf(response) : await response.text()
    const isJson = response.headers.get('content-type')?.includes('application/json') === true
    const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>
    return { status: response.status, body: parsed, text }
  }

  async function make(path: string, token: string, body: unknown, method = 'POST') {
    const answer = await send(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body as Record<string, unknown> & { id: string }
  }

  async function addToken(
    userId: string,
    given: { scopes?: TokenScope[]; expiresAt?: Date } = {},
  ): Promise<string> {
    const made = { id: newId(), userId, name: 'matrix', now: new Date(), expiresAt: given.expiresAt }
    return (await issueAccessToken(db, { ...made, scopes: given.scopes ?? EVERYTHING })).token
  }

  /** Adds a token to a person. Returns its id. */
  async function addTokenRow(userId: string): Promise<string> {
    const id = newId()
    await issueAccessToken(db, {
      id,
      userId,
      name: 'another',
      now: new Date(),
      expiresAt: undefined,
      scopes: ['read'],
    })
    return id
  }

  async function addPerson(workspaceId: string, role: Role): Promise<Person> {
    const userId = newId()
    const times = { created_at: new Date(), updated_at: new Date() }
    await db
      .insertInto('users')
      .values({ id: userId, email: `${userId}@example.com`, name: 'Ada', ...times })
      .execute()
    await db
      .insertInto('workspace_members')
      .values({ workspace_id: workspaceId, user_id: userId, role, ...times })
      .execute()
    return { userId, token: await addToken(userId) }
  }

  async function addWorkspace(): Promise<{ workspaceId: string; owner: Person }> {
    const workspaceId = newId()
    const times = { created_at: new Date(), updated_at: new Date() }
    await db
      .insertInto('workspaces')
      .values({ id: workspaceId, name: 'Acme', plan: 'enterprise', zero_data_retention: false, ...times })
      .execute()
    return { workspaceId, owner: await addPerson(workspaceId, 'owner') }
  }

  /** A base that only owners, admins and members with a grant can use, with one record of every kind. */
  async function addRealm(given: { workspaceId: string; owner: Person }): Promise<Realm> {
    const { workspaceId, owner } = given
    const { token } = owner
    const created = await make('/api/v1/knowledge-bases', token, {
      name: 'Realm docs',
      workspace_id: workspaceId,
    })
    const base = created.id
    await make(`/api/v1/knowledge-bases/${base}`, token, { workspace_members_can_chat: false }, 'PATCH')
    const { key, id: keyId } = created['client_key'] as { key: string; id: string }
    const records: Records = { workspaces: workspaceId, 'knowledge-bases': base, knowledgeBaseId: base }

    // Bots first: approvals and simulations refer to integrations.
    const collections = ALL_ENDPOINTS.flatMap((endpoint) => {
      const noun = /^\/api\/v1\/knowledge-bases\/\{id\}\/([a-z-]+)$/.exec(endpoint.path)?.[1]
      const isCreation = endpoint.method === 'POST' && endpoint.answer.status === 201
      return noun === undefined || !isCreation ? [] : [{ noun, endpoint }]
    })
    const isLater = (noun: string) => noun === 'approvals' || noun === 'simulations'
    const ordered = collections.toSorted(
      (one, other) => Number(isLater(one.noun)) - Number(isLater(other.noun)),
    )
    for (const { noun, endpoint } of ordered) {
      const body = bodyOf(endpoint, records)
      records[noun] = (await make(`/api/v1/knowledge-bases/${base}/${noun}`, token, body)).id
    }
    await make(
      `/api/v1/sources/${records['sources']}/documents`,
      token,
      bodyOf(ENDPOINTS.pushDocuments, records),
      'PUT',
    )
    const page = await send('GET', `/api/v1/knowledge-bases/${base}/documents`, { token })
    const listed = page.body['data'] as { id: string; title: string }[]
    records['documents'] = listed.find(({ title }) => title === 'faq-2')?.id ?? ''
    records['external_id'] = 'faq-1'
    const files = { type: 'files', name: 'files', config: {} }
    const ofFiles = await make(`/api/v1/knowledge-bases/${base}/sources`, token, files)
    records['sources of files'] = ofFiles.id
    records['files'] = await makeUploadedFile(db, {
      knowledgeBaseId: base,
      sourceId: ofFiles.id,
      name: 'keys.md',
    })
    for (const [kind, url] of Object.entries(UNREADABLE)) {
      // Rows as an earlier version may have stored them: today they are refused.
      records[`sources ${kind}`] = await makeSource(db, base, {
        type: 'repository',
        config: JSON.stringify({ url, ref: null, include: [], exclude: [], site_url: null }),
      })
    }
    records['access-tokens'] = (await make('/api/v1/access-tokens', token, { name: 'one' })).id
    records['connected-tools'] = await connectTool(owner.userId)
    records['sessions'] = await addSession(owner.userId)
    const member = await addPerson(workspaceId, 'member')
    records['userId'] = member.userId
    records['accessId'] = await addTokenRow(member.userId)
    await make(
      `/api/v1/knowledge-bases/${base}/grants/${member.userId}`,
      token,
      { permissions: ['chat'] },
      'PUT',
    )
    await insertRows(records, keyId, owner.userId)
    const deflected = await send('POST', `/api/v1/public/knowledge-bases/${base}/form-deflect`, {
      headers: { 'x-client-key': key },
      body: bodyOf(ENDPOINTS.deflectForm, records),
    })
    records['conversationId'] = (deflected.body['conversation_id'] ?? '') as string
    records['widgetId'] = records['widgets'] ?? ''

    const spare = await make(`/api/v1/knowledge-bases/${base}/client-keys`, token, { name: 'old' })
    await make(`/api/v1/client-keys/${spare.id}`, token, undefined, 'DELETE')
    return { workspaceId, owner, records, key, revokedKey: String(spare['key']) }
  }

  return { send, addToken, addPerson, addWorkspace, addRealm }
}

export type AuthorizationWorld = ReturnType<typeof createAuthorizationWorld>
