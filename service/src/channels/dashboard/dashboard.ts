import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Refusal } from '../../kernel/refusal.ts'

export { openDashboardFolder } from './dashboard-folder.ts'

export interface DashboardFilesDeps {
  /** The folder of the build; may take seconds, when it is built. */
  openFolder: () => Promise<string>
  report: (fault: unknown, what: string) => void
}

type Encoding = 'br' | 'gzip' | 'identity'

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** How long a failed build is not tried again. */
const TRY_AGAIN_MS = 30_000

const compress = {
  br: async (bytes: Uint8Array) =>
    await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: async (bytes: Uint8Array) => await promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes: Uint8Array) => await Promise.resolve(bytes),
}

const unavailable = () =>
  new Refusal('UNAVAILABLE', { because: 'The dashboard is not built. The log of the service says why.' })

/** The built files of the dashboard. A compressed one is made once, when a browser first asks for it: all are less than a megabyte. */
export function createDashboardFiles({ openFolder, report }: DashboardFilesDeps) {
  let opening: Promise<{ folder: string; names: Set<string> }> | undefined
  let mayTryAt = 0
  const compressed = new Map<string, Promise<Uint8Array>>()

  async function open() {
    const folder = await openFolder()
    return { folder, names: new Set(await readdir(join(folder, 'dashboard'))) }
  }

  async function opened() {
    if (opening === undefined && Date.now() < mayTryAt) throw unavailable()
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      if (opening !== undefined) report(error, 'building the dashboard')
      opening = undefined
      mayTryAt = Date.now() + TRY_AGAIN_MS
      throw unavailable()
    }
  }

  async function encode(path: string, encoding: Encoding): Promise<Uint8Array> {
    const key = `${encoding} ${path}`
    const made = compressed.get(key) ?? readFile(path).then(async (bytes) => await compress[encoding](bytes))
    compressed.set(key, made)
    return await made
  }

  return {
    /** A script or style by its name, which has the hash of its content; undefined if the build has none of that name. */
    read: async (name: string, encoding: Encoding) => {
      const { folder, names } = await opened()
      const type = TYPES[name.split('.').at(-1) ?? '']
      // Only names that the build wrote: no part of an address becomes a path.
      if (!names.has(name) || type === undefined) return undefined
      const bytes = new Uint8Array(await encode(join(folder, 'dashboard', name), encoding))
      return { type, bytes }
    },
    /** The page that every address of the dashboard shows. */
    shell: async () => await readFile(join((await opened()).folder, 'index.html'), 'utf8'),
    /** Builds it now, in the background, if it has to be built. */
    prepare: () => void opened().catch(() => undefined),
  }
}

export type DashboardFiles = ReturnType<typeof createDashboardFiles>
