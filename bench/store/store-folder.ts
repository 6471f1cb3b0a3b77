import { createHash } from 'node:crypto'
import { constants, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Facts about a filled store, saved beside its data. */
export interface StoreFacts {
  fingerprint: string
  chunks: number
  pages: number
  baseId: string
  /** A public client key. */
  key: string
  /** Source groups, each with its share of all pages. */
  groups: { id: string; share: number }[]
}

export interface Store extends StoreFacts {
  /** Data directory of a service. */
  data: string
}

const PROJECT = join(import.meta.dirname, '../..')

/** Code that decides how a document is stored. A store made by other code is not measured. */
const MADE_BY = [
  'bench/store/*.ts',
  'service/src/content/{chunking,indexing,text-terms}/**/*.ts',
  'service/src/platform/embedding/{packed-vectors,default-model,bert-session}.ts',
  'service/src/platform/storage/migrations/*.ts',
]

export function fingerprintOfCode(): string {
  const hash = createHash('sha256')
  for (const file of globSync(MADE_BY, { cwd: PROJECT }).toSorted()) {
    if (file.endsWith('.test.ts')) continue
    hash.update(file).update(readFileSync(join(PROJECT, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Where stores are kept between runs. */
export function storesFolder(environment: Record<string, string | undefined>): string {
  const cache = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return environment['CITEWELL_BENCH_DIR'] ?? join(cache, 'citewell-bench')
}

export function readStore(folder: string): Store | undefined {
  const file = join(folder, 'store.json')
  if (!existsSync(file)) return undefined
  return { ...(JSON.parse(readFileSync(file, 'utf8')) as StoreFacts), data: join(folder, 'data') }
}

/** A copy for one run: measuring changes the store, and the next run should start from the same state. */
export function copyOfStore(store: Store): { data: string } & Disposable {
  const data = mkdtempSync(join(tmpdir(), 'citewell-bench-'))
  cpSync(store.data, data, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return { data, [Symbol.dispose]: () => rmSync(data, { recursive: true, force: true }) }
}
