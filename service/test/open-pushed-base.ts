import type { ChatFrame, ChatLastFrame } from '@citewell/contract/chat'
import type { KnowledgeBase } from '@citewell/contract/knowledge-bases'
import type { TestService } from './start-service.ts'

interface Asked {
  query: string
  [field: string]: unknown
}

export interface AskedPage {
  title: string
  text: string
  visibility?: 'public' | 'restricted'
}

/** A base of the whole service with pushed pages, and functions to ask it over the wire, as a reader or as the owner. */
export async function openPushedBase(
  citewell: TestService,
  pages: readonly AskedPage[],
  given: { fields?: Partial<KnowledgeBase>; versionLabel?: string } = {},
) {
  const base = await citewell.json<{
    id: string
    client_key: { key: string }
    widget: { id: string }
  }>('POST', '/api/v1/knowledge-bases', { name: 'Acme docs', ...given.fields })
  const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
    version_label: given.versionLabel ?? null,
  })
  const push = async (documents: readonly AskedPage[]) =>
    await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
      documents: documents.map(({ title, text, visibility }) => ({
        external_id: title,
        title,
        url: `https://docs.example.com/${encodeURIComponent(title)}`,
        markdown: text,
        ...(visibility !== undefined && { visibility }),
      })),
    })
  await push(pages)

  /** @returns the last frame of the stream */
  async function askAt(path: string, headers: Record<string, string>, body: object): Promise<ChatLastFrame> {
    const response = await fetch(`${citewell.address}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, json]) => JSON.parse(json ?? '') as ChatFrame,
    )
    const last = frames.at(-1)
    if (last === undefined || !('done' in last) || !last.done) throw new Error(JSON.stringify(frames))
    return last
  }

  return {
    id: base.id,
    key: base.client_key.key,
    widgetId: base.widget.id,
    sourceId: source.id,
    push,
    ask: async (body: Asked) =>
      await askAt(`/public/knowledge-bases/${base.id}/chat`, { 'x-client-key': base.client_key.key }, body),
    askAsTeam: async (token: string, body: Asked) =>
      await askAt(`/knowledge-bases/${base.id}/chat`, { authorization: `Bearer ${token}` }, body),
  }
}
