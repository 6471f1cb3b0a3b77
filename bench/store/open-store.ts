import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchOptions } from '../figure.ts'
import { startChild } from '../processes/child.ts'
import { fingerprintOfCode, readStore, storesFolder, type Store, type StoreFacts } from './store-folder.ts'

/**
 * A store with about that many chunks: that of an earlier run, or a new one if there is none, or if the code that stores documents has
 * changed since.
 */
export async function openStore(chunks: number, { progress, signal }: BenchOptions): Promise<Store> {
  const folder = join(storesFolder(process.env), `chunks-${chunks}`)
  const known = readStore(folder)
  const keepsOld = process.env['CITEWELL_BENCH_KEEP'] === 'true'
  if (known !== undefined && (keepsOld || known.fingerprint === fingerprintOfCode())) return known
  // Built in another folder, and moved when complete: an interrupted run leaves no incomplete store.
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  await using filler = startChild(join(import.meta.dirname, 'fill-store-process.ts'))
  const stop = () => void filler[Symbol.asyncDispose]()
  signal.addEventListener('abort', stop, { once: true })
  filler.onNews((news) => progress(`filling a store, once: ${news}`))
  const facts = await filler.ask<StoreFacts>('fill', { data: join(making, 'data'), chunks })
  signal.removeEventListener('abort', stop)
  writeFileSync(join(making, 'store.json'), JSON.stringify(facts, undefined, 2))
  rmSync(folder, { recursive: true, force: true })
  renameSync(making, folder)
  return { ...facts, data: join(folder, 'data') }
}
