import { longUnless } from '@citewell/spec/long-unless'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NODES, PATH } from '../nodes.ts'
import { OWNER_TOKEN } from '../run-citewell.ts'
import { resolvedBy, typeFaults } from '../type-faults.ts'
import { openSharedCitewell, openSharedSdk, type SharedCitewell } from '../shared-citewell.ts'
import type { InstalledSdk } from './pack-sdk.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SDK = join(ROOT, 'sdk')
const run = promisify(execFile)

let citewell: SharedCitewell
let installed: InstalledSdk
let folder: string
let settings: Record<string, string>

const PROGRAM = `
import { createClient, CitewellError } from '@citewell/sdk'
import { createManagement } from '@citewell/sdk/management'
import { createAltcha } from '@citewell/sdk/captcha'
import { createSocket } from '@citewell/sdk/socket'
import { verifyWebhook } from '@citewell/sdk/webhooks'
import { toUIMessageStream } from '@citewell/sdk/ai'

const { CITEWELL: endpoint, TOKEN: accessToken } = process.env
const management = createManagement({ endpoint, accessToken })
const base = await management.createKnowledgeBase({ name: 'Packed ' + process.version })
const source = await management.createSource(base.id, { type: 'push', name: 'Docs', config: {} })
await management.pushDocuments(source.id, {
  documents: [{
    external_id: 'keys',
    title: 'Rotating signing keys',
    url: 'https://docs.example.com/keys',
    markdown: '# Rotating signing keys\\n\\nSigning keys are rotated once a day, at midnight.',
  }],
})
const options = { endpoint, knowledgeBaseId: base.id, clientKey: base.client_key.key }
const client = createClient({ ...options, captcha: createAltcha(options) })
const { text, citations } = await createClient(options).ask('When are signing keys rotated?').final()
const chunks = []
for await (const chunk of toUIMessageStream(createClient(options).ask('When are signing keys rotated?'))) chunks.push(chunk.type)
const refused = await createClient({ ...options, clientKey: 'wrong' }).search('keys').catch((error) => error)
console.log(JSON.stringify({
  version: process.version,
  text,
  title: citations[0].title,
  chunks: [...new Set(chunks)],
  refused: [refused instanceof CitewellError, refused.code],
  kinds: [typeof client.ask, typeof createSocket(options), typeof verifyWebhook],
}))
`

const TYPED = `
import { createClient, type Citation } from '@citewell/sdk'
import { createManagement, type Source } from '@citewell/sdk/management'
import { useAsk } from '@citewell/sdk/react'
import { verifyWebhook } from '@citewell/sdk/webhooks'

export async function main(): Promise<[Citation[], Source, boolean]> {
  const client = createClient({ endpoint: 'https://a.test', knowledgeBaseId: 'kb', clientKey: 'k' })
  const { citations } = await client.ask('When?').final()
  const management = createManagement({ endpoint: 'https://a.test', accessToken: 't' })
  // @ts-expect-error a website needs its addresses
  await management.createSource('kb', { type: 'website', name: 'Docs', config: {} })
  const delivery = await verifyWebhook('{}', {}, 's')
  return [citations, await management.getSource('s'), delivery.event === 'deflection.completed' && delivery.data.deflected]
}
export const hook: typeof useAsk = useAsk
`

beforeAll(async () => {
  citewell = await openSharedCitewell()
  settings = { CITEWELL: citewell.address, TOKEN: OWNER_TOKEN }
  installed = await openSharedSdk()
  folder = installed.folder
  writeFileSync(join(folder, 'program.js'), PROGRAM)
})
afterAll(async () => {
  await citewell.stop()
  installed[Symbol.dispose]()
})

test('the package has nothing to complain about, and brings nothing else', async () => {
  const { messages } = await publint({ pkgDir: SDK, strict: true })
  expect(messages).toEqual([])
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['@citewell']))
  expect(readdirSync(join(folder, 'node_modules/@citewell'))).toEqual(['sdk'])
  const manifest = JSON.parse(
    readFileSync(join(folder, 'node_modules/@citewell/sdk/package.json'), 'utf8'),
  ) as {
    dependencies?: unknown
  }
  expect(manifest.dependencies).toBeUndefined()
})

test.each(NODES)('the packed SDK works without a build on the Node of $of', async ({ node }) => {
  const { stdout } = await run(node, ['program.js'], { cwd: folder, env: { PATH, ...settings } })
  console.log(stdout)
  expect(JSON.parse(stdout)).toEqual({
    version: expect.stringMatching(/^v(?:2\d|[3-9]\d)\./),
    text: expect.stringContaining('once a day'),
    title: 'Rotating signing keys',
    chunks: ['start', 'data-citewell', 'text-start', 'text-delta', 'text-end', 'source-url', 'finish'],
    refused: [true, 'UNAUTHENTICATED'],
    kinds: ['function', 'function', 'function'],
  })
})

test('the programs of the guide have no type errors', async () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/sdk.md'), 'utf8')
  const programs = [...guide.matchAll(/^```(?<kind>tsx?)\n(?<code>[^]*?)^```$/gm)]
  expect(programs.length).toBeGreaterThan(6)
  const files = programs.map(({ groups }, at) => {
    const name = `guide-${at}.${groups?.['kind']}`
    writeFileSync(join(folder, name), groups?.['code'] ?? '')
    return name
  })
  const inRoot = (path: string) => join(ROOT, 'node_modules', path)
  const options = {
    ...resolvedBy('bundler'),
    lib: ['es2022', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
    skipLibCheck: true,
    typeRoots: [inRoot('@types')],
    types: ['node'],
    paths: {
      react: [inRoot('@types/react/index.d.ts')],
      'react/jsx-runtime': [inRoot('@types/react/jsx-runtime.d.ts')],
      '@ai-sdk/react': [inRoot('@ai-sdk/react')],
      ai: [inRoot('ai')],
      ws: [inRoot('@types/ws/index.d.ts')],
    },
  }
  expect(await typeFaults(folder, files, options)).toBe('')
})

for (const resolution of ['nodenext', 'bundler'] as const) {
  test(
    `its types are complete for module resolution ${resolution}`,
    longUnless(resolution === 'nodenext'),
    async () => {
      writeFileSync(join(folder, 'typed.ts'), TYPED)
      const options = {
        ...resolvedBy(resolution),
        lib: ['es2022', 'dom'],
        // The declarations of the SDK, and not those of the language and the browsers.
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        paths: { react: [join(ROOT, 'node_modules/@types/react/index.d.ts')] },
      }
      expect(await typeFaults(folder, ['typed.ts'], options)).toBe('')
    },
  )
}
