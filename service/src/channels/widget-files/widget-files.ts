import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../kernel/refusal.ts'
import type { Encoding } from '../../platform/http/accepted-encoding.ts'
import { keepVersion, readVersion, type BuiltFile, type WidgetVersion } from './kept-versions.ts'

export { openWidgetFolder } from './widget-folder.ts'

export interface WidgetFilesDeps {
  /** The folder of the current build; may take seconds, when it is built. */
  openFolder: () => Promise<string>
  /** Where the last versions are kept, with their compressed files. */
  keptIn: string
  report: (fault: unknown, what: string) => void
}

/** A file of the widget, in an encoding. */
export interface ServedFile {
  file: BuiltFile
  version: string
  encoding: Encoding
  bytes: Uint8Array<ArrayBuffer>
}

const EXTENSIONS: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** How long a failed build is not tried again. */
const TRY_AGAIN_MS = 30_000

/** The built files of the widget, of this version and the last ones. */
export function createWidgetFiles({ openFolder, keptIn, report }: WidgetFilesDeps) {
  let opening: Promise<WidgetVersion[]> | undefined
  let mayTryAt = 0

  async function open(): Promise<WidgetVersion[]> {
    const built = await readVersion(await openFolder())
    try {
      return await keepVersion(built, keptIn)
    } catch (error) {
      // A full disk keeps no page from its widget: the build itself is served.
      report(error, 'the files of the widget could not be kept')
      return [built]
    }
  }

  /** The versions, the current one first. Builds the widget if that was not done yet. */
  async function versions(): Promise<WidgetVersion[]> {
    if (opening === undefined && Date.now() < mayTryAt) throw unavailable()
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      if (opening !== undefined) report(error, 'the widget could not be built')
      opening = undefined
      mayTryAt = Date.now() + TRY_AGAIN_MS
      throw unavailable()
    }
  }

  /** A file of the current version, or of the one that is named; undefined if there is none. */
  async function read(
    name: string,
    version: string | undefined,
    encoding: Encoding,
  ): Promise<ServedFile | undefined> {
    const all = await versions()
    const from = version === undefined ? all[0] : all.find((one) => one.version === version)
    // Only names that the build wrote: no part of an address becomes a path.
    const file = from?.files.find((one) => one.file === name)
    if (from === undefined || file === undefined) return undefined
    const path = join(from.folder, file.file)
    const served = { file, version: from.version }
    if (encoding !== 'identity') {
      const bytes = await readFile(`${path}${EXTENSIONS[encoding]}`).catch(() => undefined)
      if (bytes !== undefined) return { ...served, encoding, bytes }
    }
    return { ...served, encoding: 'identity', bytes: await readFile(path) }
  }

  return {
    read,
    current: async (): Promise<WidgetVersion> => {
      const [current] = await versions()
      if (current === undefined) throw unavailable()
      return current
    },
    /** Builds the widget now, in the background, if it has to be built. */
    prepare: () => void versions().catch(() => undefined),
  }
}

const unavailable = () =>
  new Refusal('UNAVAILABLE', { because: 'The widget is not built. The log of the service says why.' })

export type WidgetFiles = ReturnType<typeof createWidgetFiles>
