import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStoredFiles, type StoredFiles } from './stored-files.ts'

let directory: string
let files: StoredFiles

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'citewell-files-'))
  files = createStoredFiles({ directory })
})
afterEach(() => rm(directory, { recursive: true }))

async function* bytesOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

const everyFile = async () =>
  (await readdir(directory, { recursive: true })).filter((name) => /[0-9a-f-]{36,}$/.test(name))

test('bytes are found by their hash, and identical bytes are stored once', async () => {
  const stored = await files.store(bytesOf('rotate ', 'the key'))
  expect(stored).toEqual({
    sha256: createHash('sha256').update('rotate the key').digest('hex'),
    byteLength: 14,
  })
  expect(Buffer.from(await files.read(stored.sha256)).toString()).toBe('rotate the key')
  await files.store(bytesOf('rotate the key'))
  expect(await everyFile()).toHaveLength(1)
})

test('an interrupted upload leaves no file behind', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield* bytesOf('half')
    throw new Error('the client left')
  }
  await expect(files.store(broken())).rejects.toThrow('the client left')
  expect(await everyFile()).toEqual([])
})

test('an invalid hash is never used as a path', async () => {
  await expect(async () => await files.read('../../etc/passwd')).rejects.toThrow('not the hash')
})

test('sweeping removes only files that are old and unreferenced', async () => {
  const [kept, forgotten, fresh] = [
    await files.store(bytesOf('kept')),
    await files.store(bytesOf('forgotten')),
    await files.store(bytesOf('fresh')),
  ]
  await writeFile(join(directory, 'incoming', '00000000-0000-4000-8000-000000000000'), 'left by a crash')
  const long = new Date(Date.now() - 10_000_000)
  for (const name of await everyFile()) {
    if (!name.endsWith(fresh.sha256)) await utimes(join(directory, name), long, long)
  }
  const removed = await files.sweep(new Date(Date.now() - 5_000_000), () =>
    Promise.resolve(new Set([kept.sha256])),
  )
  expect(removed).toBe(2)
  expect((await everyFile()).map((name) => name.slice(3)).sort()).toEqual([kept.sha256, fresh.sha256].sort())
  await expect(files.read(forgotten.sha256)).rejects.toThrow('ENOENT')
})

test('sweeping an empty folder removes nothing', async () => {
  const none = createStoredFiles({ directory: join(directory, 'none') })
  expect(await none.sweep(new Date(), () => Promise.resolve(new Set()))).toBe(0)
})
