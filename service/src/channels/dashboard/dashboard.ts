import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Refusal } from '../../kernel/refusal.ts'
import type { Encoding } from '../../platform/http/accepted-encoding.ts'

export { openDashboardFolder } from './dashboard-folder.ts'

export interface DashboardFilesDeps {
  /** The folder of the build; may take seconds, when it is built. */
  openFolder: () => Promise<string>
  report: (fault: unknown, what: string) => void
}

/** A build, as it was when it was opened: the page and its files belong together, also if another process builds again. */
interface OpenBuild {
  page: string
  /** By their names below `/dashboard/`; less than a megabyte in all. */
  files: ReadonlyMap<string, Uint8Array>
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** How long a failed build is not tried again. */
const TRY_AGAIN_MS = 30_000

const compress: Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: async (bytes) =>
    await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: async (bytes) => await promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => await Promise.resolve(bytes),
}

const unavailable = () =>
  new Refusal('UNAVAILABLE', { because: 'The dashboard is not built. The log of the service says why.' })

async function readBuild(folder: string): Promise<OpenBuild> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const names = await readdir(join(folder, 'dashboard'))
  const read = names.map(async (name) => [name, await readFile(join(folder, 'dashboard', name))] as const)
  return { page, files: new Map(await Promise.all(read)) }
}

/** The built files of the dashboard. A file is compressed once, when a browser first asks for it. */
export function createDashboardFiles({ openFolder, report }: DashboardFilesDeps) {
  let opening: Promise<OpenBuild> | undefined
  let mayTryAt = 0
  const compressed = new Map<string, Promise<Uint8Array>>()

  async function opened(): Promise<OpenBuild> {
    if (opening === undefined && Date.now() < mayTryAt) throw unavailable()
    opening ??= openFolder().then(readBuild)
    try {
      return await opening
    } catch (error) {
      if (opening !== undefined) report(error, 'building the dashboard')
      opening = undefined
      mayTryAt = Date.now() + TRY_AGAIN_MS
      throw unavailable()
    }
  }

  return {
    /** A script or style by its name, which has the hash of its content; undefined if the build has none of that name. */
    read: async (name: string, encoding: Encoding) => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      const plain = (await opened()).files.get(name)
      if (plain === undefined || type === undefined) return undefined
      const key = `${encoding} ${name}`
      const bytes = compressed.get(key) ?? compress[encoding](plain)
      compressed.set(key, bytes)
      return { type, bytes: new Uint8Array(await bytes) }
    },
    /** The page that every address of the dashboard shows. */
    page: async () => (await opened()).page,
    /** Builds it now, in the background, if it has to be built. */
    prepare: () => void opened().catch(() => undefined),
  }
}

export type DashboardFiles = ReturnType<typeof createDashboardFiles>
