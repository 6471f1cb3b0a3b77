import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER_TOKEN, startTestService } from './start-service.ts'

const FILE = `# Refunds

Refunds are for everybody.

## How long it takes

A refund of a *broken* gadget takes \`nine\` days. Then write to us.

Other words stand here.
`
const FOLDER = '# Shipping\n\nGadgets are shipped on Tuesdays. See [refunds](refunds.md).\n'
const HANDBOOK = '# Salaries\n\nThe canary of the board is heliotrope.\n'

export interface ListedDocument {
  id: string
  title: string
  url: string
  visibility: string
}

/**
 * A service whose base has a document of each kind of source without web addresses (an uploaded file, a local folder, an API description
 * on disk, a custom answer), and one with a web address.
 *
 * @example
 * await using world = await openEveryKindOfSource()
 */
export async function openEveryKindOfSource(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'citewell-kinds-'))
  writeFileSync(join(folder, 'shipping.md'), FOLDER)
  writeFileSync(
    join(folder, 'api.yaml'),
    'openapi: 3.0.0\ninfo: {title: Gadgets, version: "1"}\npaths:\n  /gadgets:\n    get: {operationId: listGadgets, summary: List all gadgets, responses: {"200": {description: The gadgets}}}\n',
  )
  const citewell = await startTestService({ CITEWELL_LOCAL_PATHS: folder, ...environment })
  const base = await citewell.json<{ id: string; client_key: { key: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Gadgets', settings: { mcp_documents_enabled: true } },
  )
  const within = `/api/v1/knowledge-bases/${base.id}`
  const makeSource = async (type: string, config: object, more: object = {}) =>
    (await citewell.json<{ id: string }>('POST', `${within}/sources`, { type, name: type, config, ...more }))
      .id
  const finished = async (syncId: string) => {
    const sync = await citewell.until<{ status: string; error: string | null }>(
      `/api/v1/syncs/${syncId}`,
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    if (sync.status !== 'succeeded') throw new Error(`The sync ended as ${sync.status}: ${sync.error}`)
  }
  const sync = async (source: string) =>
    await finished((await citewell.json<{ id: string }>('POST', `/api/v1/sources/${source}/sync`)).id)
  async function upload(source: string, name: string, text: string) {
    const form = new FormData()
    form.append('file', new File([text], name))
    const answer = await fetch(`${citewell.address}/api/v1/sources/${source}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
      body: form,
    })
    const { sync: begun } = (await answer.json()) as { sync: { id: string } }
    await finished(begun.id)
  }

  const files = await makeSource('files', {})
  await upload(files, 'refunds.md', FILE)
  const handbook = await makeSource('files', {}, { visibility: 'restricted' })
  await upload(handbook, 'salaries.md', HANDBOOK)
  await sync(await makeSource('repository', { url: folder, include: ['*.md'] }))
  await sync(await makeSource('openapi', { url: join(folder, 'api.yaml') }))
  const pushed = await makeSource('push', {})
  await citewell.json('PUT', `/api/v1/sources/${pushed}/documents`, {
    documents: [
      {
        external_id: 'colours',
        title: 'Colours',
        url: 'https://docs.example.com/größe|x',
        markdown: 'Gadgets are blue or red.',
      },
    ],
  })
  await citewell.json('POST', `${within}/custom-answers`, {
    question: 'Who invented gadgets?',
    answer: 'Gadgets were invented by **Ada**.',
  })

  const documents = (await citewell.json<{ data: ListedDocument[] }>('GET', `${within}/documents?limit=100`))
    .data
  const documentOf = (title: string): ListedDocument => {
    const found = documents.find((document) => document.title === title)
    if (found === undefined)
      throw new Error(`There is no document ${title}, but ${documents.map((one) => one.title).join(', ')}.`)
    return found
  }
  return {
    citewell,
    base: { id: base.id, key: base.client_key.key },
    within,
    sources: { files, handbook, pushed },
    documents,
    documentOf,
    upload,
    /** Sends a request as a reader does. */
    ask: (path: string, body: unknown) =>
      fetch(`${citewell.address}/api/v1/public${path}`, {
        method: 'POST',
        headers: { 'x-client-key': base.client_key.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      await citewell[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type EveryKindOfSource = Awaited<ReturnType<typeof openEveryKindOfSource>>
