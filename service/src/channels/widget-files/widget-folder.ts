import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../../..')

/** Where the built widget lies: also in a packed package, which has no sources. */
const BUILT = join(ROOT, 'widget/dist')

/** The hash of the sources that it was built from. */
const BUILT_FROM = join(BUILT, 'built-from')

/** Builds it, given a hash to write into `built-from`. A process of its own: the bundler must not stay in the memory of the service. */
const BUILDER = join(ROOT, 'tools/build-widget.ts')

const SOURCES = ['widget/src', 'widget/build.ts', 'widget/package.json', 'sdk/src', 'contract/src']

/** A build takes a few seconds; slow machines may need many more. */
const BUILD_MS = 180_000

const run = promisify(execFile)

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return existsSync(path) ? [path] : []
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function hashSources(): Promise<string> {
  const found = (await Promise.all(SOURCES.map((path) => filesBelow(join(ROOT, path))))).flat()
  const files = found.filter((file) => !/\.test\.tsx?$/.test(file)).toSorted()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  return hash.digest('hex')
}

/** What the builder wrote, as far as a log needs it. */
const faultOf = (error: unknown): Error => {
  const written = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
  return new Error(written.trim().slice(0, 600) || String(error))
}

export interface WidgetFolderDeps {
  /** Aborted when the service stops. */
  signal: AbortSignal
  /** Told when an older build is served because a new one failed. */
  report: (fault: unknown, what: string) => void
}

/**
 * The folder with the built widget. It is built here if it is missing or older than its sources; if there are no sources, as in a packed
 * package, or no bundler, as in an install without development dependencies, what was built before is taken.
 *
 * @throws if there is neither
 */
export async function openWidgetFolder({ signal, report }: WidgetFolderDeps): Promise<string> {
  const isBuilt = existsSync(join(BUILT, 'files.json'))
  if (!existsSync(BUILDER) || !existsSync(join(ROOT, 'widget/src'))) {
    if (isBuilt) return BUILT
    throw new Error(`The widget is not built: ${BUILT} is missing.`)
  }
  const hash = await hashSources()
  const builtFrom = isBuilt ? await readFile(BUILT_FROM, 'utf8').catch(() => '') : ''
  if (builtFrom === hash) return BUILT
  try {
    await run(process.execPath, ['--conditions=citewell-source', BUILDER, hash], {
      cwd: ROOT,
      env: { NODE_ENV: 'production', NO_COLOR: '1' },
      timeout: BUILD_MS,
      signal,
    })
  } catch (error) {
    const fault = faultOf(error)
    if (!isBuilt) throw fault
    report(fault, 'the widget could not be built again: an older build is served')
  }
  return BUILT
}
