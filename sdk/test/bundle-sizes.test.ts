import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const SOURCES = resolve(import.meta.dirname, '../src')

/** What a page loads that imports these entries: one minified bundle. */
async function bundle(...entries: readonly string[]): Promise<string> {
  const program = entries.map((entry) => `export * from ${JSON.stringify(join(SOURCES, `${entry}.ts`))}`)
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['citewell-source'] },
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id === 'entries' ? '\0entries' : undefined),
        load: (id) => (id === '\0entries' ? program.join('\n') : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      rolldownOptions: {
        input: 'entries',
        preserveEntrySignatures: 'strict',
        external: ['react'],
        output: { format: 'es' },
      },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  return outputs
    .flatMap((one) => ('output' in one ? one.output : []))
    .map((chunk) => (chunk.type === 'chunk' ? chunk.code : ''))
    .join('\n')
}

const gzipped = (code: string) => gzipSync(code, { level: 9 }).byteLength

test.each([
  // Bytes, by the budget of the design.
  { entries: ['client'], most: 4_096 },
  { entries: ['client', 'react', 'socket'], most: 8_192 },
  // It names every operation: each new one adds some 15 bytes.
  { entries: ['management'], most: 5_632 },
  { entries: ['webhooks'], most: 1_536 },
])('$entries weigh at most $most bytes compressed', async ({ entries, most }) => {
  const bytes = gzipped(await bundle(...entries))
  console.log(`${entries.join(' + ')}: ${bytes} bytes compressed`)
  expect(bytes).toBeLessThanOrEqual(most)
})

test.each([
  { entry: 'react', most: 2_048 },
  { entry: 'socket', most: 2_048 },
  { entry: 'management', most: 4_096 },
  { entry: 'captcha', most: 1_536 },
  { entry: 'ai', most: 1_536 },
])('$entry adds at most $most bytes to the client', async ({ entry, most }) => {
  const bytes = gzipped(await bundle('client', entry)) - gzipped(await bundle('client'))
  console.log(`client → + ${entry}: ${bytes} bytes compressed`)
  expect(bytes).toBeLessThanOrEqual(most)
})

test('the client loads neither zod nor React, and evaluates no text', async () => {
  const code = await bundle('client', 'socket', 'management', 'webhooks', 'captcha', 'ai')
  expect(code.length).toBeGreaterThan(5_000)
  expect(code).not.toMatch(/zod|react|\beval\(|new Function|\bimport\(|\bfrom\s*["']/i)
})
