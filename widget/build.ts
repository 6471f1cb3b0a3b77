import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import type { ChunkMap } from './src/chunks/chunk-map.ts'
import { onlyTheLexer } from './only-the-lexer.ts'
import { sharedWithPanel, TAKING } from './shared-with-panel.ts'
import { words as english, type Dictionary } from './src/languages/en.ts'
import { LANGUAGES } from './src/languages/say.ts'

const ROOT = import.meta.dirname

/** Stands in for the version while building: the version depends on the bytes that are built. */
const VERSION_MARK = '0.0.0-not-yet-known'

/** One built file, as `files.json` lists it. */
export interface BuiltFile {
  file: string
  /** Bytes, plain and with gzip at its highest level. */
  bytes: number
  gz: number
  /** For `integrity`: `sha384-` and Base64. */
  sha384: string
}

/** What `files.json` in the output folder says. */
export interface BuiltWidget {
  /** Version of the package and a hash of all bytes: files below `/widget/<version>/` never change. */
  version: string
  files: BuiltFile[]
}

export interface BuildOptions {
  /** Folder of the output. What it had before is deleted. */
  outDir: string
}

const integrityOf = (hash: 'sha256' | 'sha384', bytes: Buffer) =>
  `${hash}-${createHash(hash).update(bytes).digest('base64')}`

/** Entries whose source does not exist are left out: the form and the shims come from other folders. */
function existing(entries: Record<string, string>): Record<string, string> {
  const found = Object.entries(entries).map(([name, path]) => [name, join(ROOT, 'src', path)] as const)
  return Object.fromEntries(found.filter(([, path]) => existsSync(path)))
}

interface Bundle {
  entries: Record<string, string>
  outDir: string
  chunks: ChunkMap
  format: 'es' | 'iife'
  /** Hashed names for what a loader finds by its map; plain names for what a page names itself. */
  names: string
  /** Stands before the script, and behind it. */
  banner?: string
  footer?: string
  /** For a script whose exports are read: the variable that has them, and the modules that stand elsewhere. */
  name?: string
  plugins?: Plugin[]
}

/** Builds the entries, each as one file, and returns the files. */
async function bundle(wanted: Bundle): Promise<ChunkMap> {
  const { entries, outDir, chunks, format, names, name, banner = '', footer = '', plugins = [] } = wanted
  if (Object.keys(entries).length === 0) return {}
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    publicDir: false,
    plugins: [onlyTheLexer, ...plugins],
    resolve: { conditions: ['citewell-source', 'module', 'browser', 'production'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    define: {
      CITEWELL_VERSION: JSON.stringify(VERSION_MARK),
      CITEWELL_CHUNKS: JSON.stringify(chunks),
      CITEWELL_PANEL: JSON.stringify(chunks['panel'] ?? null),
      'process.env.NODE_ENV': '"production"',
    },
    build: {
      outDir,
      emptyOutDir: false,
      target: ['es2022'],
      // Without it, logical properties and new colours get fallbacks for browsers that could not run the panel either.
      cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entries,
        optimization: { inlineConst: { mode: 'all', pass: 3 } },
        preserveEntrySignatures: format === 'es' || name !== undefined ? 'strict' : false,
        output: {
          postBanner: banner,
          postFooter: footer,
          format,
          ...(name !== undefined && { name }),
          entryFileNames: names,
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  })
  const [first] = [built].flat()
  if (first === undefined || !('output' in first)) throw new Error('The build of the widget wrote nothing.')
  const { output } = first
  const files = await Promise.all(
    output.map(async (chunk) => {
      // A second file would come unchecked, and one journey later.
      if (chunk.type !== 'chunk' || chunk.imports.length > 0 || chunk.dynamicImports.length > 0)
        throw new Error(`${chunk.fileName} must be one script without imports.`)
      const integrity = integrityOf('sha256', await readFile(join(outDir, chunk.fileName)))
      return [chunk.name, { file: chunk.fileName, integrity }] as const
    }),
  )
  return Object.fromEntries(files)
}

/**
 * Writes the dictionaries: the texts alone, in the order of the English keys, which the panel knows. English is in the panel: it is also
 * what is shown when a language cannot be fetched.
 */
async function writeLanguages(outDir: string): Promise<ChunkMap> {
  const written: ChunkMap = {}
  for (const language of LANGUAGES.filter((name) => name !== 'en')) {
    const { words } = (await import(`./src/languages/${language}.ts`)) as { words: Dictionary }
    const texts = Object.keys(english).map((key) => words[key as keyof Dictionary])
    const bytes = Buffer.from(`export const texts=${JSON.stringify(texts)}`)
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
    const file = `language-${language}-${hash}.js`
    await writeFile(join(outDir, file), bytes)
    written[`language-${language}`] = { file, integrity: integrityOf('sha256', bytes) }
  }
  return written
}

/** Gives the files their version, which depends on all their bytes, and lists them. */
async function finish(outDir: string): Promise<BuiltWidget> {
  const names = (await readdir(outDir)).sort()
  const sources = await Promise.all(names.map(async (name) => await readFile(join(outDir, name), 'utf8')))
  const digest = createHash('sha256').update(names.join('\n')).update(sources.join('\n')).digest('hex')
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const version = `${manifest.version}-${digest.slice(0, 12)}`
  const files: BuiltFile[] = []
  for (const [at, file] of names.entries()) {
    const source = sources[at] ?? ''
    // Its hash is already written in the files that fetch it.
    if (/-[\w-]{8}\.js$/.test(file) && source.includes(VERSION_MARK))
      throw new Error(`${file} may not know the version: only scripts that pages name themselves may.`)
    const bytes = Buffer.from(source.replaceAll(VERSION_MARK, version))
    await writeFile(join(outDir, file), bytes)
    const gz = gzipSync(bytes, { level: 9 }).length
    files.push({ file, bytes: bytes.length, gz, sha384: integrityOf('sha384', bytes) })
  }
  const built = { version, files }
  await writeFile(join(outDir, 'files.json'), `${JSON.stringify(built, null, 2)}\n`)
  return built
}

/**
 * Builds the files that pages load: the loader `widget.js`, the panel and what it fetches when needed, and, where their
 * sources exist, `form.js` and the shims. Takes a few seconds. Writes `files.json` beside them and returns the same.
 */
export async function buildWidget({ outDir }: BuildOptions): Promise<BuiltWidget> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const hashed = { outDir, format: 'es', names: '[name]-[hash].js' } as const
  // Three steps, because each file carries the hashes of what it fetches: a page that pins the loader pins everything.
  const lazy = await bundle({
    ...hashed,
    entries: existing({
      captcha: 'captcha/captcha.ts',
      'provider-check': 'captcha/provider-check.ts',
      selection: 'selection/selection.ts',
      accent: 'accent/accent.ts',
      tools: 'tools/tools.ts',
      // The panel and the form share it.
      markdown: 'markdown/markdown.ts',
      'code-colours': 'code-colours/code-colours.ts',
      'form-words': 'form/other-form-words.ts',
    }),
    chunks: {},
  })
  const languages = await writeLanguages(outDir)
  const answers = await bundle({
    ...hashed,
    ...TAKING,
    format: 'iife',
    plugins: [sharedWithPanel],
    entries: existing({ answers: 'panel/answers.ts' }),
    chunks: {},
  })
  const panel = await bundle({
    ...hashed,
    entries: existing({ panel: 'panel/panel.tsx' }),
    chunks: { ...lazy, ...answers, ...languages },
    // Compiled whole while it comes in, beside the page, and not function by function when it runs: a fifth of the time to open.
    banner: '//# allFunctionsCalledOnLoad',
  })
  const chunks = { ...lazy, ...panel }
  const modules = existing({ form: 'form/form.ts', mount: 'loader/mount.ts' })
  // One by one: together they would share a file, which pages would fetch unchecked.
  for (const [name, path] of Object.entries(modules))
    await bundle({ outDir, format: 'es', names: '[name].js', entries: { [name]: path }, chunks })
  const scripts = existing({
    widget: 'loader/loader.ts',
    kapa: 'shims/kapa.ts',
    docsearch: 'shims/docsearch.ts',
  })
  for (const [name, path] of Object.entries(scripts))
    await bundle({
      outDir,
      format: 'iife',
      names: '[name].js',
      entries: { [name]: path },
      chunks,
    })
  return await finish(outDir)
}
