import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseUrlOf, onServer } from '../service/test/test-server.ts'
import { htmlPage, startFakeSite, type FakeSite } from '../service/test/fake-site.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from './run-citewell.ts'

const PAGES = 60
/** As many as it has editions of the site, so that both are interrupted; `npm run test:kills` has twenty. */
const KILLS = Number(process.env['KILL_ROUNDS'] ?? 2)

interface Sync {
  id: string
  status: string
}

interface Check {
  name: string
  status: string
  detail: string
}

/** A page that names its edition in every paragraph, so that a mixture of two editions is detected. */
const edition = (word: string) =>
  Object.fromEntries(
    Array.from({ length: PAGES }, (_, page) => {
      const paragraphs = Array.from(
        { length: 8 },
        (_, paragraph) => `Paragraph ${paragraph} of page ${page} is ${word}.`,
      )
      const links = [`/p${(page + 1) % PAGES}`, `/p${(page * 7 + 3) % PAGES}`]
      return [`/p${page}`, htmlPage(`Page ${page}`, paragraphs.join('</p><h2>More</h2><p>'), { links })]
    }),
  )

/** The storage of this run: a new database on the server of DATABASE_URL, or the embedded one. */
async function newStorage(): Promise<Record<string, string>> {
  const dataDirectory = { CITEWELL_DATA_DIR: newDataDirectory() }
  const server = process.env['DATABASE_URL']
  if (server === undefined || server === '') return dataDirectory
  const database = `citewell_kills_${process.pid}`
  await onServer(server, `drop database if exists ${database} with (force)`)
  await onServer(server, `create database ${database}`)
  return { ...dataDirectory, DATABASE_URL: databaseUrlOf(server, database) }
}

describe('kill -9 during a sync', () => {
  let site: FakeSite
  beforeAll(async () => {
    site = await startFakeSite(edition('first'))
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
  })

  test(`every document is complete after each of ${KILLS} kills, and the sync finishes without help`, async () => {
    const environment = await newStorage()
    let citewell: RunningCitewell = await startCitewell(environment)
    const base = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', {
      name: `Kills ${Date.now()}`,
    })
    const source = await citewell.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${base.id}/sources`, {
      type: 'website',
      name: 'site',
      config: { start_urls: [`${site.origin}/p0`] },
    })

    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const [path, page] of Object.entries(edition(kill % 2 === 0 ? 'first' : 'second')))
        site.set(path, page)
      await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
      await new Promise((wake) => {
        setTimeout(wake, Math.random() * 1_500)
      })
      await citewell.kill()
      citewell = await startCitewell(environment)
      const broken = await brokenDocuments(citewell, base.id)
      expect(broken, `after kill ${kill + 1}`).toEqual([])
    }

    const ended = async () =>
      await until(
        () => citewell.json<{ data: Sync[] }>('GET', `/api/v1/sources/${source.id}/syncs`),
        ({ data }) => data.every((sync) => !['queued', 'running'].includes(sync.status)),
        90,
      )
    const { data: syncs } = await ended()
    expect(syncs.length).toBeGreaterThan(0)
    // A sync that was killed five times before it wrote anything is abandoned; the next one, as a schedule would start it, reads what is missing.
    if (syncs[0]?.status === 'failed') {
      await citewell.json<Sync>('POST', `/api/v1/sources/${source.id}/sync`)
      await ended()
    }
    const { data: documents } = await citewell.json<{ data: { title: string }[] }>(
      'GET',
      `/api/v1/knowledge-bases/${base.id}/documents?limit=200`,
    )
    expect(documents.map((document) => document.title).sort()).toEqual(
      Array.from({ length: PAGES }, (_, page) => `Page ${page}`).sort(),
    )
    expect(await brokenDocuments(citewell, base.id)).toEqual([])
    const { checks } = await citewell.json<{ checks: Check[] }>('GET', '/api/v1/diagnostics')
    expect(checks.filter((check) => check.status === 'fault')).toEqual([])
    expect(await citewell.stop()).toBe(0)
  }, 900_000)
})

/** Documents whose text mixes two editions, or is incomplete. */
async function brokenDocuments(citewell: RunningCitewell, baseId: string): Promise<string[]> {
  const { data } = await citewell.json<{ data: { id: string; title: string }[] }>(
    'GET',
    `/api/v1/knowledge-bases/${baseId}/documents?limit=200`,
  )
  const broken: string[] = []
  for (const { id, title } of data) {
    const { chunks } = await citewell.json<{ chunks: { text: string }[] }>('GET', `/api/v1/documents/${id}`)
    const text = chunks.map((chunk) => chunk.text).join('\n')
    const isOfBoth = text.includes('is first') && text.includes('is second')
    const paragraphs = new Set(text.match(/Paragraph \d+ of/g))
    if (isOfBoth || paragraphs.size !== 8) broken.push(`${title}: ${paragraphs.size} paragraphs`)
  }
  return broken
}
