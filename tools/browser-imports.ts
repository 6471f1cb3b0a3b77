import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const CONTRACT = join(ROOT, 'contract/src')

/** Packages whose files end up in pages. */
const BROWSER_PACKAGES = ['sdk/src/', 'widget/src/', 'dashboard/src/']

const IMPORT = /^(?:import|export) (?!type\b)[^;'"]*?from '(?<from>[^']+)'/gm

const heavy = new Map<string, boolean>()

/**
 * Whether a file of the contract loads zod, itself or through another one. One list of names then costs a bundle 15 kB and more.
 *
 * @param file - its name without `.ts`
 */
export function loadsZod(file: string): boolean {
  const known = heavy.get(file)
  if (known !== undefined) return known
  heavy.set(file, false)
  const path = join(CONTRACT, `${file}.ts`)
  const imports = existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(IMPORT)] : []
  const isHeavy = imports.some(({ groups }) => {
    const from = groups?.['from'] ?? ''
    const [, sibling] = /^\.\/(?<name>.+)\.ts$/.exec(from) ?? []
    return sibling === undefined ? from === 'zod' : loadsZod(sibling)
  })
  heavy.set(file, isHeavy)
  return isHeavy
}

/**
 * What is wrong with an import of a browser package; undefined: nothing. Types cost nothing in a bundle.
 *
 * @param isType - whether it is an `import type`
 */
export function judgeBrowserImport(from: string, specifier: string, isType: boolean): string | undefined {
  const path = relative(ROOT, from).replaceAll('\\', '/')
  const isBundled = BROWSER_PACKAGES.some((folder) => path.startsWith(folder)) && !/\.test\.tsx?$/.test(path)
  if (isType || !isBundled) return undefined
  if (specifier.startsWith('node:')) return `${path} runs in pages: no ${specifier}`
  if (specifier === 'zod') return `${path} runs in pages: zod weighs too much`
  const [, file] = /^@citewell\/contract\/(?<file>.+)$/.exec(specifier) ?? []
  if (file === undefined || !loadsZod(file)) return undefined
  return `${path} runs in pages: use "import type" for @citewell/contract/${file}, which loads zod, or move the value to a file that does not`
}
