/**
 * Packs the service as one file that `npm install` takes in an empty folder: its programs without types, which Node does not strip from
 * installed packages, with the built widget and dashboard, the model and the documentation.
 *
 *   npm run pack -- FOLDER
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openDashboardFolder } from '../service/src/channels/dashboard/dashboard-folder.ts'
import { openWidgetFolder } from '../service/src/channels/widget-files/widget-folder.ts'
import type { BuiltFolderDeps } from '../service/src/platform/files/built-folder.ts'

const ROOT = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  [field: string]: unknown
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest

const writeManifest = async (folder: string, manifest: Manifest) =>
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

/** A program without its types. What it names beside it, also for threads and processes, ends in `.js`. */
const toJavaScript = (source: string): string =>
  stripTypeScriptTypes(source).replaceAll(/(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g, '$1$2.js$1')

/** Copies a folder without tests, and its programs as JavaScript. */
async function copyPrograms(from: string, to: string): Promise<void> {
  const entries = await readdir(join(ROOT, from), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile() && !/\.test\.tsx?$/.test(one.name))) {
    const path = join(entry.parentPath, entry.name)
    const place = join(to, relative(join(ROOT, from), path))
    await mkdir(dirname(place), { recursive: true })
    if (!path.endsWith('.ts') && !path.endsWith('bin/citewell.js')) await cp(path, place)
    else await writeFile(place.replace(/\.ts$/, '.js'), toJavaScript(await readFile(path, 'utf8')))
  }
}

/** What is built for browsers, as the service takes it: built again only if its sources have changed. */
const BUILT = { 'widget/dist': openWidgetFolder, 'dashboard/dist': openDashboardFolder }

/** An older build is not packed. */
const OF_THESE_SOURCES: BuiltFolderDeps = {
  signal: new AbortController().signal,
  report: (fault) => {
    throw fault
  },
}

/** Puts a package of this repository, which no registry has, into the packed one. */
async function bundle(folder: string, place: string): Promise<void> {
  const manifest = await readManifest(folder)
  if (folder === 'contract') {
    await copyPrograms('contract/src', join(place, 'src'))
    await writeManifest(place, { ...manifest, exports: { './*': './src/*.js' } })
  } else await cp(join(ROOT, folder), place, { recursive: true })
}

/**
 * @param to - folder of the packed file
 * @returns the path of the packed file
 */
async function packService(to: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'citewell-pack-'))
  try {
    const [service, whole] = [await readManifest('service'), await readManifest('.')]
    await copyPrograms('service/src', join(folder, 'service/src'))
    await copyPrograms('service/bin', join(folder, 'service/bin'))
    for (const [name, open] of Object.entries(BUILT)) {
      const built = await open(OF_THESE_SOURCES)
      const isPart = (path: string) => basename(path) !== 'built-from'
      await cp(built, join(folder, name), { recursive: true, filter: isPart })
    }
    for (const name of ['docs', 'README.md', 'LICENSE'])
      await cp(join(ROOT, name), join(folder, name), { recursive: true })
    const bundled = ['contract', 'model']
    for (const name of bundled) await bundle(name, join(folder, 'node_modules/@citewell', name))
    const { private: _private, devDependencies: _devDependencies, ...fields } = service
    await writeManifest(folder, {
      ...fields,
      name: service.name,
      version: service.version,
      bin: { citewell: 'service/bin/citewell.js' },
      optionalDependencies: whole.optionalDependencies ?? {},
      bundleDependencies: bundled.map((name) => `@citewell/${name}`),
      files: ['service', 'widget', 'dashboard', 'docs'],
    })
    await mkdir(to, { recursive: true })
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', to], { cwd: folder })
    return join(to, basename(stdout.trim()))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

console.log(await packService(resolve(process.argv[2] ?? '.')))
