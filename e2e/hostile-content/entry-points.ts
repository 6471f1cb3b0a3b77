import type { Random } from '../fuzz/random.ts'
import { OWNER_TOKEN } from '../run-citewell.ts'
import { fakeLlm } from '../../service/test/fake-llm.ts'
import { ANSWER_TIMEOUT_MS, askAround, postPublic } from './ask-around.ts'
import type { HostileWorld } from './hostile-world.ts'
import { syncSource } from './sync-source.ts'

/** An entry point for untrusted content. Returns the outcome in a word. */
export type EntryPoint = (world: HostileWorld, text: string, random: Random) => Promise<string>

/** Number of documents that exist at a time; later ones replace them. */
const PLACES = 8

/** Timeout of a push, which answers when everything is indexed. */
const PUSH_TIMEOUT_MS = 180_000

const OPENING = '# Zebrafish valve\n\nThe zebrafish valve is opened by turning it to the left.\n\n'

const asPage = (text: string) =>
  `<!doctype html><html><head><title>Zebrafish valve</title></head><body><main><h1>Zebrafish valve</h1><p>The zebrafish valve is opened by turning it.</p>${text}</main></body></html>`

async function push(world: HostileWorld, document: Record<string, string>, random: Random): Promise<string> {
  const place = `place-${random.int(PLACES)}`
  const response = await fetch(
    new URL(`/api/v1/sources/${world.sources.push}/documents`, world.service.address),
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        documents: [
          { external_id: place, title: 'Zebrafish', url: `https://docs.example.com/${place}`, ...document },
        ],
      }),
      signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
    },
  )
  await response.text()
  await askAround(world)
  return String(response.status)
}

const FILE_ENDINGS = ['md', 'mdx', 'html', 'rst', 'txt', 'ipynb', 'pdf', 'docx', 'md', 'rst', 'html']

const notebookOf = (text: string) =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [{ cell_type: 'markdown', metadata: {}, source: text }],
  })

const bytesOf = (ending: string, text: string, random: Random): string => {
  if (ending === 'ipynb' && random.chance(0.7)) return notebookOf(text)
  if (ending === 'pdf' && random.chance(0.7))
    return `%PDF-1.7\n1 0 obj\n${text}\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF`
  return ending === 'html' ? asPage(text) : OPENING + text
}

const descriptionOf = (text: string) => ({
  openapi: '3.1.0',
  info: { title: 'Zebrafish', version: '1', description: text },
  paths: {
    '/valves': {
      get: {
        summary: text.slice(0, 10_000),
        description: text,
        parameters: [
          { name: text.slice(0, 1_000), in: 'query', schema: { type: 'string', description: text } },
        ],
        responses: { 200: { description: text } },
      },
    },
  },
})

const SITEMAP_FRAMES: ((text: string) => string)[] = [
  (text) => text,
  (text) => `<urlset>${text}</urlset>`,
  (text) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${text}</loc></url></urlset>`,
  (text) => '<urlset '.repeat(Math.ceil(text.length / 8)),
  (text) => `<urlset ${text}`,
  (text) => `<sitemapindex ${'<sitemap><loc>'.repeat(Math.ceil(text.length / 14))}`,
  (text) =>
    `<urlset>${`<url><loc>/${text.slice(0, 20)}</loc></url>`.repeat(Math.ceil(text.length / 40))}</urlset>`,
]

const ROBOTS_FRAMES: ((text: string) => string)[] = [
  () => 'User-agent: *\nAllow: /\n',
  (text) => text,
  (text) => `User-agent: *\nDisallow: /${text.replaceAll('\n', '')}\n`,
  (text) => `User-agent: *\nDisallow: ${'/*a'.repeat(Math.ceil(text.length / 3))}$\n`,
  (text) =>
    `User-agent: *\nCrawl-delay: 0\n${`Disallow: /${text.slice(0, 30).replaceAll('\n', '')}\n`.repeat(Math.ceil(text.length / 45))}`,
]

const siteFiles = (text: string, random: Random) => ({
  '/robots.txt': { type: 'text/plain', body: random.pick(ROBOTS_FRAMES)(text) },
  '/map.xml': { type: 'application/xml', body: random.pick(SITEMAP_FRAMES)(text) },
  '/sitemap.xml': { type: 'application/xml', body: random.pick(SITEMAP_FRAMES)(text) },
  '/': {
    type: random.pick(['text/html', 'text/html; charset=utf-16', 'text/plain', 'text/markdown']),
    body: asPage(`<a href="/next">next</a>${text}`),
  },
  '/next': { type: 'text/html', body: asPage(text) },
})

/** All entry points by name. */
export const ENTRY_POINTS: Record<string, EntryPoint> = {
  'push markdown': (world, text, random) => push(world, { markdown: OPENING + text }, random),
  'push html': (world, text, random) => push(world, { html: asPage(text) }, random),
  'push titles': (world, text, random) =>
    push(
      world,
      {
        title: text.slice(0, 400) || 'x',
        markdown: `# ${text.replaceAll('\n', ' ')}\n\nThe zebrafish valve.`,
      },
      random,
    ),

  upload: async (world, text, random) => {
    const ending = random.pick(FILE_ENDINGS)
    const form = new FormData()
    form.set('file', new Blob([bytesOf(ending, text, random)]), `place-${random.int(PLACES)}.${ending}`)
    const response = await fetch(
      new URL(`/api/v1/sources/${world.sources.files}/files`, world.service.address),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${OWNER_TOKEN}` },
        body: form,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      },
    )
    await response.text()
    const ended = await syncSource(world, world.sources.files)
    await askAround(world)
    return `${response.status} ${ended}`
  },

  crawl: async (world, text, random) => {
    world.site.serve(siteFiles(text, random))
    const ended = await syncSource(world, world.sources.website)
    await askAround(world)
    return ended
  },

  sitemap: async (world, text, random) => {
    world.site.serve(siteFiles(text, random))
    return await syncSource(world, world.sources.sitemap)
  },

  repository: async (world, text, random) => {
    const ending = random.pick(['md', 'mdx', 'rst', 'html', 'ipynb', 'txt'])
    await world.repository.commit({
      [`place-${random.int(PLACES)}.${ending}`]: bytesOf(ending, text, random),
    })
    const ended = await syncSource(world, world.sources.repository)
    await askAround(world)
    return ended
  },

  openapi: async (world, text, random) => {
    const body = random.pick([
      () => text,
      () => JSON.stringify(descriptionOf(text)),
      () => `openapi: 3.1.0\ninfo:\n  title: ${text}\npaths: {}\n`,
      () => `openapi: 3.1.0\ninfo: ${'{a: '.repeat(Math.ceil(text.length / 4))}`,
      () => `{"openapi":"3.1.0","info":${'['.repeat(text.length)}`,
    ])()
    world.site.serve({ '/openapi': { type: random.pick(['application/json', 'application/yaml']), body } })
    return await syncSource(world, world.sources.openapi)
  },

  'model output': async (world, text, random) => {
    if (world.model === undefined) return 'no model'
    const piece = 1 + random.int(400)
    const pieces: string[] = []
    for (let at = 0; at < text.length && pieces.length < 3_000; at += piece) {
      pieces.push(text.slice(at, at + piece) + (random.chance(0.01) ? ' [1]' : ''))
    }
    world.model.script(fakeLlm.says(...pieces))
    const status = await postPublic(world, 'chat', { query: 'How is the zebrafish valve opened?' })
    world.model.script(fakeLlm.says('The zebrafish valve is opened by turning it [1].'))
    return status
  },

  questions: async (world, text, random) => {
    const cut = (most: number) => text.slice(random.int(Math.max(1, text.length - most)), most) || 'zebrafish'
    const statuses = [
      await postPublic(world, 'chat', { query: cut(4_000) }),
      await postPublic(world, 'search', { query: cut(1_000) }),
      await postPublic(world, 'related', { query: cut(4_000) }),
      await postPublic(world, 'form-deflect', { subject: cut(500), body: cut(8_000) }),
    ]
    return statuses.join(' ')
  },

  'MCP input': async (world, text, random) => {
    const call = async (body: string) => {
      const response = await fetch(new URL('/mcp', world.service.address), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.base.clientKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        body,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      await response.text()
      return response.status
    }
    const tool = (name: string, args: Record<string, unknown>) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const statuses = [
      await call(tool('search_docs', { query: text })),
      await call(tool('ask_question', { question: text })),
      await call(tool('search_docs', { query: text.slice(0, 900) })),
      await call(tool('ask_question', { question: text.slice(0, 3_900) })),
      await call(tool('feedback', { message: text, url: text.slice(0, 2_000) })),
      await call(
        random.pick([
          text,
          `{"jsonrpc":"2.0","id":1,"method":${'['.repeat(text.length)}`,
          JSON.stringify({ jsonrpc: '2.0', id: text, method: text }),
        ]),
      ),
    ]
    return statuses.join(' ')
  },
}
