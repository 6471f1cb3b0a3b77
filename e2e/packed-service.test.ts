import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { emptyDataDirectory, startCitewell } from './run-citewell.ts'

const ROOT = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

test('the packed service has the widget and the dashboard with it, and answers without the sources', async () => {
  const cache = join(ROOT, 'service/node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Below the dependencies of this repository: installing them again would take a minute.
  const folder = mkdtempSync(join(cache, 'packed-'))
  try {
    const packing = ['--conditions=citewell-source', join(ROOT, 'tools/pack-service.ts'), folder]
    const { stdout } = await run(process.execPath, packing)
    await run('tar', ['xzf', stdout.trim(), '-C', folder])
    const packed = join(folder, 'package')
    const files = readdirSync(join(packed, 'service'), { recursive: true }) as string[]
    expect(files.filter((file) => /\.ts$|\.test\./.test(file))).toEqual([])
    const citewell = await startCitewell({ CITEWELL_DATA_DIR: emptyDataDirectory() }, join(packed, 'service'))
    try {
      const read = async (path: string) =>
        await fetch(new URL(path, citewell.address), { redirect: 'manual' })
      const { version, files: built } = (await (await read('/widget/manifest.json')).json()) as {
        version: string
        files: Record<string, unknown>
      }
      expect(Object.keys(built)).not.toEqual([])
      expect((await read(`/widget/${version}/widget.js`)).status).toBe(200)
      expect(readdirSync(join(packed, 'dashboard/dist'))).toContain('index.html')
      // Its parser runs in a process of its own, its model and its storage in threads.
      const base = await citewell.json<{ id: string; client_key: { key: string } }>(
        'POST',
        '/api/v1/knowledge-bases',
        { name: 'Packed' },
      )
      const of = `/api/v1/knowledge-bases/${base.id}`
      const source = await citewell.json<{ id: string }>('POST', `${of}/sources`, {
        type: 'push',
        name: 'pages',
        config: {},
      })
      await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
        documents: [
          {
            external_id: 'keys',
            title: 'Keys',
            url: 'https://docs.example.com/keys',
            html: '<h1>Keys</h1><p>Keys are rotated every day at midnight.</p>',
          },
        ],
      })
      const answer = await fetch(
        new URL(`/api/v1/public/knowledge-bases/${base.id}/chat`, citewell.address),
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-client-key': base.client_key.key },
          body: JSON.stringify({ query: 'When are keys rotated?' }),
        },
      )
      expect(await answer.text()).toContain('rotated every day at midnight')
    } finally {
      await citewell.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
