import { relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** Packages whose files end up in pages. */
const BROWSER_PACKAGES = ['sdk/src/', 'widget/src/']

/** Files of the contract that load no zod, which weighs 15 kB and more in a bundle. */
export const LIGHT_CONTRACT_FILES = ['closed-lists', 'limits', 'ranking-measures', 'rate-limited', 'refusals']

/**
 * What is wrong with an import of a browser package; undefined: nothing. Types cost nothing in a bundle.
 *
 * @param isType - whether it is an `import type`
 */
export function judgeBrowserImport(from: string, specifier: string, isType: boolean): string | undefined {
  const path = relative(ROOT, from).replaceAll('\\', '/')
  if (isType || !BROWSER_PACKAGES.some((folder) => path.startsWith(folder))) return undefined
  if (specifier.startsWith('node:')) return `${path} runs in pages: no ${specifier}`
  if (specifier === 'zod') return `${path} runs in pages: zod weighs too much`
  const [, file] = /^@citewell\/contract\/(?<file>.+)$/.exec(specifier) ?? []
  if (file === undefined || LIGHT_CONTRACT_FILES.includes(file)) return undefined
  return `${path} runs in pages: use "import type" for @citewell/contract/${file}, which loads zod`
}
