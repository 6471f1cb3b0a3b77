import { afterEach, describe, expect, test } from 'vitest'
import { startConfluence } from '../service/test/connectors/confluence-stand-in.ts'
import type { SourceModel } from '../service/test/connectors/connector-world.ts'
import { startDiscourse } from '../service/test/connectors/discourse-stand-in.ts'
import { createRandom } from '../service/test/connectors/random.ts'
import { startZendesk } from '../service/test/connectors/zendesk-stand-in.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from './run-citewell.ts'

/** `npm run test:connectors` sets it; otherwise this is left out, as each kill starts a process. */
const KILLS = Number(process.env['CONNECTOR_KILLS'] ?? 0)
const ITEMS = 120
const CHANGES = 40
/** From the request at which a process is to end, until it does. */
const LONGEST_DELAY_MS = 500
const SEED = 20_261_123

interface Sync {
  id: string
  status: string
}

interface Document {
  id: string
  url: string
  visibility: string
}

/** A product that is read by changes, by a query for changes, and by lists alone. */
const PRODUCTS = { Zendesk: startZendesk, Confluence: startConfluence, Discourse: startDiscourse }

describe.runIf(KILLS > 0).each(Object.entries(PRODUCTS))('kill -9 while %s is read', (name, start) => {
  let citewell: RunningCitewell | undefined
  afterEach(async () => {
    await citewell?.kill()
    citewell = undefined
  })

  test(`every document is whole after each of ${KILLS} kills, and the index is what the product has`, async () => {
    await using product = await start()
    const { model, server }: { model: SourceModel; server: SourceModel['server'] } = product
    const random = createRandom(SEED)
    for (let item = 0; item < ITEMS; item += 1) model.add(random)
    const environment = { CITEWELL_DATA_DIR: newDataDirectory(), CITEWELL_SECRET_KEY: 'k'.repeat(40) }
    let running = (citewell = await startCitewell(environment))
    const base = await running.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name: 'Kills' })
    const source = await running.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: model.type,
      name: 'connected',
      config: model.config,
      credentials: model.credentials,
    })
    let before = 1
    let interrupted = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let left = CHANGES; left > 0; left -= 1) model.change(random)
      server.forget()
      // At one of as many requests as the sync before made, or while what it brought is written.
      const moment = 1 + random.below(before)
      const delay = random.below(LONGEST_DELAY_MS)
      const victim = running
      let timer: NodeJS.Timeout | undefined
      const isKilled = new Promise<boolean>((resolve) => {
        server.onRequest = () => {
          if (server.requests.length === moment)
            timer = setTimeout(() => void victim.kill().then(() => resolve(true)), delay)
        }
      })
      // The process may end before it answers.
      await running.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`).catch(() => undefined)
      const hasEnded = ended(running, source.id).then(() => false)
      // Of a process that is gone nothing ends.
      hasEnded.catch(() => undefined)
      if (await Promise.race([isKilled, hasEnded])) interrupted += 1
      clearTimeout(timer)
      before = Math.max(1, server.requests.length)
      server.onRequest = undefined
      if (running.process.exitCode === null && running.process.signalCode === null) await running.kill()
      citewell = running = await startCitewell(environment)
      expect(await brokenDocuments(running, base.id), `seed ${SEED}, kill ${kill + 1}`).toEqual([])
    }
    process.stdout.write(`${name}: seed ${SEED}, ${interrupted} of ${KILLS} kills within a sync\n`)
    expect(interrupted).toBeGreaterThan(KILLS / 2)
    await ended(running, source.id)
    await running.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`, { accept_deletions: true })
    expect(await ended(running, source.id)).toMatchObject({ status: 'succeeded' })
    const found: { text: string; isRestricted: boolean }[] = []
    for (const { id, visibility } of await documentsOf(running, base.id))
      found.push({ text: (await textOf(running, id)) ?? '', isRestricted: visibility === 'restricted' })
    const expected = [...model.documents().values()]
    const wrong = expected.filter(({ text, isRestricted }) => {
      const same = found.filter((one) => one.text.includes(text) && one.isRestricted === isRestricted).length
      // Almost every item has a word of its own.
      return /^\w+\d+x$/.test(text) ? same !== 1 : same === 0
    })
    expect([found.length, wrong], `seed ${SEED}`).toEqual([expected.length, []])
  }, 1_800_000)
})

/** The last sync, when none is going on any more. */
async function ended(citewell: RunningCitewell, sourceId: string): Promise<Sync | undefined> {
  const { data } = await until(
    async () =>
      await citewell
        .json<{ data: Sync[] }>('GET', `/api/v1/sources/${sourceId}/syncs`)
        .catch(() => ({ data: [{ id: '', status: 'running' }] })),
    ({ data: syncs }) => syncs.every(({ status }) => !['queued', 'running'].includes(status)),
    180,
  )
  return data[0]
}

async function documentsOf(citewell: RunningCitewell, baseId: string): Promise<Document[]> {
  const found: Document[] = []
  let cursor = ''
  do {
    const page = await citewell.json<{ data: Document[]; next_cursor: string | null }>(
      'GET',
      `/api/v1/knowledge-bases/${baseId}/documents?limit=200${cursor}`,
    )
    found.push(...page.data)
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
  } while (cursor !== '')
  return found
}

/** Undefined: it is gone, as the sync that goes on may have removed it. */
async function textOf(citewell: RunningCitewell, id: string): Promise<string | undefined> {
  try {
    const { chunks } = await citewell.json<{ chunks: { text: string }[] }>('GET', `/api/v1/documents/${id}`)
    return chunks.map(({ text }) => text).join('\n')
  } catch (error) {
    if (error instanceof Error && error.message.includes('NOT_FOUND')) return undefined
    throw error
  }
}

/** Documents that are empty, or whose text is of two versions: of an article, each has its own word, twice. */
async function brokenDocuments(citewell: RunningCitewell, baseId: string): Promise<string[]> {
  const broken: string[] = []
  for (const { id, url } of await documentsOf(citewell, baseId)) {
    const text = await textOf(citewell, id)
    if (text === undefined) continue
    const isArticle = text.includes('acme --word')
    const words = text.match(/word\d+x/g) ?? []
    const isWhole = isArticle ? words.length === 2 && words[0] === words[1] : words.length > 0
    if (!isWhole) broken.push(`${url}: ${text}`)
  }
  return broken
}
