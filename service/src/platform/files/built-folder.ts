import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../../..')

/** The hash of the sources that a build was made from. */
const BUILT_FROM = 'built-from'

/** A build takes a few seconds; slow machines may need many more. */
const BUILD_MS = 180_000

const run = promisify(execFile)

/** Something for browsers that is built from sources of this repository. Paths are relative to its root. */
export interface Built {
  /** For messages: `the widget`. */
  name: string
  /** Where the build lies: also in a packed package, which has no sources. */
  folder: string
  /** A file that every whole build has. */
  marker: string
  /** Builds it, given a hash to write into `built-from`. A process of its own: the bundler must not stay in the memory of the service. */
  builder: string
  /** Files and folders. The first one is missing where there are no sources. */
  sources: readonly [string, ...string[]]
}

export interface BuiltFolderDeps {
  /** Aborted when the service stops. */
  signal: AbortSignal
  /** Told when an older build is served because a new one failed. */
  report: (fault: unknown, what: string) => void
}

/** What the builder wrote, as far as a log needs it. */
const faultOf = (error: unknown): Error => {
  const written = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr) : ''
  return new Error(written.trim().slice(0, 600) || String(error))
}

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined)
  if (entries === undefined) return existsSync(path) ? [path] : []
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function hashSources(sources: readonly string[]): Promise<string> {
  const found = (await Promise.all(sources.map((path) => filesBelow(join(ROOT, path))))).flat()
  const files = found.filter((file) => !/\.test\.tsx?$/.test(file)).toSorted()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  return hash.digest('hex')
}

/**
 * The folder of a build. It is built here if it is missing or older than its sources; if there are no sources, as in a packed package, or no
 * bundler, as in an install without development dependencies, what was built before is taken.
 *
 * @throws if there is neither
 */
export async function openBuiltFolder(
  { name, folder, marker, builder, sources }: Built,
  { signal, report }: BuiltFolderDeps,
): Promise<string> {
  const built = join(ROOT, folder)
  const isBuilt = existsSync(join(built, marker))
  if (!existsSync(join(ROOT, builder)) || !existsSync(join(ROOT, sources[0]))) {
    if (isBuilt) return built
    throw new Error(`There is no build of ${name}: ${built} is missing.`)
  }
  const hash = await hashSources(sources)
  const builtFrom = isBuilt ? await readFile(join(built, BUILT_FROM), 'utf8').catch(() => '') : ''
  if (builtFrom === hash) return built
  try {
    await run(process.execPath, ['--conditions=citewell-source', join(ROOT, builder), hash], {
      cwd: ROOT,
      env: { NODE_ENV: 'production', NO_COLOR: '1' },
      timeout: BUILD_MS,
      signal,
    })
  } catch (error) {
    const fault = faultOf(error)
    if (!isBuilt) throw fault
    // The service stops: nobody is served any more.
    if (!signal.aborted) report(fault, `building ${name}: an older build is served`)
  }
  return built
}
