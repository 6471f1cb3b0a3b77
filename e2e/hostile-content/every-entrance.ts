import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_TOKEN } from '../run-citewell.ts'
import { DESCRIPTIONS, HOSTILE_DOCUMENTS } from './hostile-documents.ts'
import type { ServedFile } from './hostile-site.ts'
import { createHostileWorld, type HostileWorld } from './hostile-world.ts'
import { syncSource } from './sync-source.ts'

const GOOD = (about: string) => `# ${about}\n\nThe ${about} valve is opened by turning it to the left.\n`
const GOOD_NAMES = ['alpha', 'bravo', 'charlie']

const TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  svg: 'image/svg+xml',
  md: 'text/markdown',
  mdx: 'text/mdx',
  rst: 'text/x-rst',
  adoc: 'text/asciidoc',
  ipynb: 'application/x-ipynb+json',
  txt: 'text/plain',
}
const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** How a file came through an entrance, and what it cost the others. */
export interface Passage {
  entrance: string
  name: string
  outcome: string
  seconds: number
  /** The longest time in which the service did not answer. */
  stallMs: number
}

export interface EntranceReport {
  passages: Passage[]
  findings: string[]
}

type Entrance = (world: HostileWorld, name: string, bytes: Buffer) => Promise<string>

async function send(world: HostileWorld, name: string, bytes: Buffer): Promise<number> {
  const body = new FormData()
  body.append('file', new File([new Uint8Array(bytes)], name))
  const response = await fetch(
    new URL(`/api/v1/sources/${world.sources.files}/files`, world.service.address),
    {
      method: 'POST',
      headers: { authorization: `Bearer ${OWNER_TOKEN}` },
      body,
    },
  )
  await response.text()
  return response.status
}

async function push(world: HostileWorld, externalId: string, text: object): Promise<number> {
  const document = {
    external_id: externalId,
    title: externalId,
    url: `https://docs.example.com/${externalId}`,
    ...text,
  }
  const response = await fetch(
    new URL(`/api/v1/sources/${world.sources.push}/documents`, world.service.address),
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ documents: [document] }),
    },
  )
  await response.text()
  return response.status
}

/** A site of good pages and this file, which is linked first and is in the sitemap too. */
const siteWith = (name: string, bytes: Buffer): Record<string, ServedFile> => ({
  '/': {
    type: 'text/html',
    body: `<main><h1>Valves</h1><a href="/${name}">hostile</a>${GOOD_NAMES.map((good) => `<a href="/${good}">${good}</a>`).join('')}</main>`,
  },
  ...Object.fromEntries(
    GOOD_NAMES.map((good) => [
      `/${good}`,
      {
        type: 'text/html',
        body: `<main><h1>${good}</h1><p>The ${good} valve is opened by turning it.</p></main>`,
      },
    ]),
  ),
  [`/${name}`]: { type: TYPES[endingOf(name)] ?? 'application/octet-stream', body: bytes },
})

const GOOD_MAIL =
  '\r\n\r\nFrom a@example.com Tue Jan  1 00:00:00 2019\r\nFrom: a@example.com\r\nSubject: alpha\r\nMessage-ID: <alpha@example.com>\r\n\r\nThe alpha valve.\r\n'

/** The source of a mail archive, made when it is first needed. */
let archive: string | undefined
const makeArchive = async (world: HostileWorld): Promise<string> =>
  (
    await world.service.json<{ id: string }>('POST', `/api/v1/knowledge-bases/${world.base.id}/sources`, {
      type: 'mail_archive',
      name: 'mails',
      config: { urls: [`${world.site.origin}/mails`], attachments: true },
    })
  ).id

const ENTRANCES: Record<string, Entrance> = {
  upload: async (world, name, bytes) => {
    const status = await send(world, name, bytes)
    const outcome =
      status < 300 ? `${status} ${await syncSource(world, world.sources.files)}` : String(status)
    // A short text in its place, so that later syncs do not read it again: of a packed format, it fails at once.
    await send(world, name, Buffer.from(GOOD(name)))
    return outcome
  },
  push: async (world, name, bytes) => {
    if (!/\.(?:md|mdx|html|rst|txt|svg)$/.test(name)) return 'not text'
    const text = bytes.toString('utf8')
    return String(await push(world, 'hostile', name.endsWith('.html') ? { html: text } : { markdown: text }))
  },
  repository: async (world, name, bytes) => {
    const { folder, git } = world.repository
    await writeFile(join(folder, name), bytes)
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message', name)
    const outcome = await syncSource(world, world.sources.repository)
    await rm(join(folder, name))
    return outcome
  },
  crawl: async (world, name, bytes) => {
    world.site.serve(siteWith(name, bytes))
    return await syncSource(world, world.sources.website)
  },
  mails: async (world, name, bytes) => {
    if (!/\.(?:eml|mbox|txt|gz)$/.test(name)) return 'no mail'
    const first = name.endsWith('.eml') ? 'From a@example.com Tue Jan  1 00:00:00 2019\r\n' : ''
    const body = Buffer.concat([Buffer.from(first), bytes, Buffer.from(GOOD_MAIL)])
    world.site.serve({ '/mails': { type: 'application/mbox', body: name.endsWith('.gz') ? bytes : body } })
    archive ??= await makeArchive(world)
    return await syncSource(world, archive)
  },
  description: async (world, name, bytes) => {
    if (DESCRIPTIONS[name] === undefined) return 'no description'
    world.site.serve({ '/openapi': { type: 'application/yaml', body: bytes } })
    return await syncSource(world, world.sources.openapi)
  },
}

interface Listed {
  data: { title: string; url: string }[]
}

/** What the documents of a source have to be whatever came beside them. */
async function missingGood(world: HostileWorld, source: 'files' | 'push' | 'repository' | 'website') {
  const { data } = await world.service.json<Listed>(
    'GET',
    `/api/v1/knowledge-bases/${world.base.id}/documents?limit=200&source_id=${world.sources[source]}`,
  )
  return GOOD_NAMES.filter((good) => !data.some(({ title }) => title === good))
}

const SOURCE_OF: Record<string, 'files' | 'push' | 'repository' | 'website' | undefined> = {
  upload: 'files',
  push: 'push',
  repository: 'repository',
  crawl: 'website',
}

async function prepare(world: HostileWorld): Promise<void> {
  for (const good of GOOD_NAMES) {
    await send(world, `${good}.md`, Buffer.from(GOOD(good)))
    await push(world, good, { markdown: GOOD(good) })
    await writeFile(join(world.repository.folder, `${good}.md`), GOOD(good))
  }
  await syncSource(world, world.sources.files)
}

async function findingsOf(
  world: HostileWorld,
  { entrance, name, outcome, stallMs }: Passage,
  given: { stallMs: number; failures: number },
): Promise<string[]> {
  const found: string[] = []
  if (outcome.startsWith('FAULT') || outcome.startsWith('5')) found.push(outcome)
  if (outcome.includes('(cut)')) found.push('the sync had to be cancelled')
  if (stallMs > given.stallMs) found.push(`no answer for ${stallMs} ms`)
  if (given.failures > 0) found.push(`${given.failures} requests failed`)
  const source = SOURCE_OF[entrance]
  const missing = source === undefined ? [] : await missingGood(world, source)
  if (missing.length > 0) found.push(`lost ${missing.join(', ')}`)
  return found.map((what) => `${entrance} ${name}: ${what}`)
}

/** Words of a file of this machine, of which nothing may come into an index. */
const SECRET = 'root:x:0:0'

/**
 * Sends each hostile document through every entrance, beside good ones: these have to be there afterwards, and the service has to answer all
 * the time.
 */
export async function readAtEveryEntrance(given: {
  stallMs: number
  growthMebibytes: number
  /** Only names or entrances with this in them. */
  only?: string | undefined
  onPassage?: (passage: Passage) => void
}): Promise<EntranceReport> {
  await using world = await createHostileWorld({ models: 'built-in' })
  await prepare(world)
  const before = (await world.watch.read()).nowMebibytes.service
  const passages: Passage[] = []
  const findings: string[] = []
  for (const [name, make] of Object.entries(HOSTILE_DOCUMENTS)) {
    const bytes = make()
    for (const [entrance, enter] of Object.entries(ENTRANCES)) {
      if (given.only !== undefined && !`${entrance} ${name}`.includes(given.only)) continue
      await world.watch.read()
      const began = performance.now()
      const outcome = await enter(world, name, bytes).catch((error: unknown) => `FAULT ${String(error)}`)
      const seconds = Math.round((performance.now() - began) / 100) / 10
      const watched = await world.watch.read()
      const passage = { entrance, name, outcome, seconds, stallMs: watched.worst.milliseconds }
      passages.push(passage)
      given.onPassage?.(passage)
      findings.push(
        ...(await findingsOf(world, passage, { stallMs: given.stallMs, failures: watched.failures })),
      )
    }
  }
  const found = await world.service.json<{ data: unknown[] }>(
    'GET',
    `/api/v1/knowledge-bases/${world.base.id}/documents?limit=200&q=passwd`,
  )
  if (found.data.length > 0) findings.push('a document is named after a file of this machine')
  const search = await fetch(
    new URL(`/api/v1/public/knowledge-bases/${world.base.id}/search`, world.service.address),
    {
      method: 'POST',
      headers: { 'x-client-key': world.base.clientKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query: SECRET, limit: 50 }),
    },
  )
  if ((await search.text()).includes('/root:/bin/')) findings.push('a file of this machine is in the index')
  const grown = (await world.watch.read()).nowMebibytes.service - before
  if (grown > given.growthMebibytes) findings.push(`the service holds ${grown} MiB more than before`)
  return { passages, findings }
}
