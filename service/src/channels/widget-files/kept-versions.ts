import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { z } from 'zod'

/** Pages that opened before an upgrade, and tags with a pinned address, still find their files. */
const KEPT_VERSIONS = 3

/** Names of what the build writes; nothing else is served. No slash and no two dots in it. */
const FileName = z.string().regex(/^[a-z][\w-]{0,80}\.js$/)
const Version = z.string().regex(/^\d[\w.-]{0,80}$/)

/** What `files.json` in a build says. */
const BuiltWidget = z.object({
  version: Version,
  files: z
    .array(z.object({ file: FileName, bytes: z.int(), gz: z.int(), sha384: z.string().max(100) }))
    .max(200),
})

export type BuiltWidget = z.infer<typeof BuiltWidget>
export type BuiltFile = BuiltWidget['files'][number]

/** A version of the widget's files in a folder. */
export interface WidgetVersion extends BuiltWidget {
  folder: string
}

const compressWithGzip = promisify(gzip)
const compressWithBrotli = promisify(brotliCompress)

/** The build in a folder, as its `files.json` says. */
export async function readVersion(folder: string): Promise<WidgetVersion> {
  const text = await readFile(join(folder, 'files.json'), 'utf8')
  return { ...BuiltWidget.parse(JSON.parse(text)), folder }
}

/** Writes each file beside itself, smaller: `.gz` and `.br`, each at its highest level. */
async function compress({ folder, files }: WidgetVersion): Promise<void> {
  for (const { file } of files) {
    const path = join(folder, file)
    const plain = await readFile(path)
    const { BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants
    const params = { [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT, [BROTLI_PARAM_SIZE_HINT]: plain.length }
    await writeFile(`${path}.gz`, await compressWithGzip(plain, { level: 9 }))
    await writeFile(`${path}.br`, await compressWithBrotli(plain, { params }))
  }
}

/**
 * Copies a build with its compressed files to `keptIn/<version>`, unless it is there, and removes all but the newest versions.
 *
 * @returns every version that is kept, the current one first
 */
export async function keepVersion(built: WidgetVersion, keptIn: string): Promise<WidgetVersion[]> {
  const folder = join(keptIn, built.version)
  const isThere = await stat(join(folder, 'files.json')).catch(() => undefined)
  if (isThere === undefined) {
    await mkdir(keptIn, { recursive: true, mode: 0o700 })
    // Complete before it has its name: after a crash there is no half version.
    const partial = join(keptIn, `.${process.pid}-${built.version}`)
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial)
    for (const { file } of built.files) await cp(join(built.folder, file), join(partial, file))
    await cp(join(built.folder, 'files.json'), join(partial, 'files.json'))
    await compress({ ...built, folder: partial })
    await rename(partial, folder).catch(async (error: unknown) => {
      // Another process was quicker: its files are the same.
      await rm(partial, { recursive: true, force: true })
      if ((await stat(folder).catch(() => undefined)) === undefined) throw error
    })
  }
  // The time of its folder is when a version was last current.
  const now = new Date()
  await utimes(folder, now, now)
  return await removeOldVersions(keptIn, built.version)
}

async function removeOldVersions(keptIn: string, current: string): Promise<WidgetVersion[]> {
  const names = (await readdir(keptIn)).filter((name) => Version.safeParse(name).success)
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(keptIn, name))).mtimeMs })),
  )
  const newestFirst = dated
    .toSorted((one, other) => other.at - one.at)
    .toSorted((one, other) => Number(other.name === current) - Number(one.name === current))
  for (const { name } of newestFirst.slice(KEPT_VERSIONS)) {
    await rm(join(keptIn, name), { recursive: true, force: true })
  }
  const kept: WidgetVersion[] = []
  for (const { name } of newestFirst.slice(0, KEPT_VERSIONS)) {
    const version = await readVersion(join(keptIn, name)).catch(() => undefined)
    if (version?.version === name) kept.push(version)
  }
  return kept
}
