import { createKnownIds, type KnownIds } from './known-ids.ts'

/** A running service with some records. */
export interface FuzzWorld {
  address: string
  ids: KnownIds
  knowledgeBaseId: string
  accessToken: string
  clientKey: string
  pair: { clientId: string; clientSecret: string }
}

interface Made {
  id: string
  client_key?: { key: string }
  client_id?: string
  client_secret?: string
}

const PAGES = ['Keys', 'Webhooks', 'Limits'].map((title) => ({
  external_id: title.toLowerCase(),
  title,
  url: `https://docs.example.com/${title.toLowerCase()}`,
  markdown: `# ${title}\n\nRotate the signing key daily. ${title} are described here, with everything that matters.`,
}))

/** Creates a base with one of most kinds of records, over the API. */
export async function makeFuzzWorld(address: string, accessToken: string): Promise<FuzzWorld> {
  const ids = createKnownIds()
  async function send<Answer>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ) {
    const response = await fetch(new URL(`/api/v1${path}`, address), {
      method,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const me = await send<{ workspaces: Made[]; user: Made }>('GET', '/me')
  for (const { id } of me.workspaces) ids.keep('workspaces', id)
  ids.keep('users', me.user.id)
  const base = await send<Made>('POST', '/knowledge-bases', { name: 'Fuzzed docs' })
  const spareBase = await send<Made>('POST', '/knowledge-bases', { name: 'Spare docs' })
  ids.keep('knowledge-bases', base.id)
  ids.spare('knowledge-bases', spareBase.id)
  const below = `/knowledge-bases/${base.id}`
  const source = await send<Made>('POST', `${below}/sources`, { type: 'push', name: 'Pushed', config: {} })
  ids.keep('sources', source.id)
  await send('PUT', `/sources/${source.id}/documents`, { documents: PAGES })
  const files = await send<Made>('POST', `${below}/sources`, { type: 'files', name: 'Uploads', config: {} })
  ids.keep('sources', files.id)
  const pair = await send<Made>('POST', `${below}/client-keys`, { name: 'A server', kind: 'secret' })
  const clientKey = base.client_key?.key ?? ''
  const chat = await fetch(new URL(`/api/v1/public${below}/chat`, address), {
    method: 'POST',
    headers: { 'x-client-key': clientKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'How often is the signing key rotated?' }),
  })
  const frames = await chat.text()
  for (const [noun, name] of [
    ['threads', 'thread_id'],
    ['conversations', 'thread_id'],
    ['messages', 'message_id'],
  ] as const) {
    const id = new RegExp(`"${name}":"([^"]+)"`).exec(frames)?.[1]
    if (id !== undefined) ids.keep(noun, id)
  }
  return {
    address,
    ids,
    knowledgeBaseId: base.id,
    accessToken,
    clientKey,
    pair: { clientId: pair.client_id ?? '', clientSecret: pair.client_secret ?? '' },
  }
}
