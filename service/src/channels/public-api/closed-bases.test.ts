import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { startTestService, type TestService } from '../../../test/start-service.ts'
import { askSurface, PUBLIC_SURFACES } from '../../../test/visibility-model/ask-surface.ts'

let citewell: TestService

beforeAll(async () => {
  citewell = await startTestService()
})
afterAll(() => citewell[Symbol.asyncDispose]())

interface Base {
  id: string
  client_key: { key: string }
}

const api = <Body>(method: string, path: string, body?: unknown) =>
  citewell.json<Body>(method, `/api/v1${path}`, body)

/** Queries a base over every public surface, and returns the code of each answer; `open` if it was not refused. */
async function codesOf(
  base: Base,
  threadId: string | undefined,
): Promise<Record<string, string | undefined>> {
  const codes: Record<string, string | undefined> = {}
  for (const surface of PUBLIC_SURFACES) {
    if (surface === 'custom-answer-page') continue
    const told = await askSurface(surface, {
      address: citewell.address,
      baseId: base.id,
      key: base.client_key.key,
      query: 'How often do signing keys rotate?',
      groupIds: [],
      threadId,
      customAnswerId: undefined,
    })
    codes[surface] = told.status < 400 ? 'open' : told.code
  }
  return codes
}

verifies(
  [
    'knowledge-bases.internal-surfaces',
    'knowledge-bases.archived-answers-nothing',
    'knowledge-bases.delete-at-once',
  ],
  'every public surface refuses an archived, an internal and a deleted base, each with its own code',
  async () => {
    const base = await api<Base>('POST', '/knowledge-bases', { name: 'Acme docs' })
    const source = await api<{ id: string }>('POST', `/knowledge-bases/${base.id}/sources`, {
      type: 'push',
      name: 'FAQ',
    })
    await api('PUT', `/sources/${source.id}/documents`, {
      documents: [
        {
          external_id: 'a',
          title: 'Keys',
          url: 'https://docs.test/keys',
          markdown: 'Signing keys rotate daily.',
        },
      ],
    })
    const first = await askSurface('chat', {
      address: citewell.address,
      baseId: base.id,
      key: base.client_key.key,
      query: 'How often do signing keys rotate?',
      groupIds: [],
      threadId: undefined,
      customAnswerId: undefined,
    })
    const all = (code: string) => {
      const codes = PUBLIC_SURFACES.filter((surface) => surface !== 'custom-answer-page').map((surface) => [
        surface,
        code,
      ])
      return Object.fromEntries(codes)
    }
    expect(await codesOf(base, first.threadId)).toEqual(
      Object.fromEntries(Object.keys(all('')).map((surface) => [surface, 'open'])),
    )

    await api('POST', `/knowledge-bases/${base.id}/archive`)
    expect(await codesOf(base, first.threadId)).toEqual(all('KNOWLEDGE_BASE_ARCHIVED'))
    await api('POST', `/knowledge-bases/${base.id}/restore`)
    await api('PATCH', `/knowledge-bases/${base.id}`, { type: 'internal' })
    expect(await codesOf(base, first.threadId)).toEqual(all('KNOWLEDGE_BASE_INTERNAL'))
    await api('DELETE', `/knowledge-bases/${base.id}`, { confirm: 'Acme docs' })
    expect(await codesOf(base, first.threadId)).toEqual(all('UNAUTHENTICATED'))
  },
)
