/** Which files import a file: those of the service, of its tests, of the contract and of its sentences. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vitest/node'

/** Packages of this repository that are imported by name. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@citewell/contract/': 'contract/src/',
  '@citewell/spec/': 'spec/',
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const name = Object.keys(PACKAGES).find((prefix) => specifier.startsWith(prefix))
  return name === undefined
    ? undefined
    : `${PACKAGES[name]}${specifier.slice(name.length).replace(/\.ts$/, '')}.ts`
}

/** Import statements, `import()`, and the `new URL('./x-worker.ts', import.meta.url)` of a worker: all are strings of a syntax tree. */
function importsOf(root: string, file: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && value.type === 'Literal' && 'value' in value && typeof value.value === 'string') {
      const target = /^(?:\.|@citewell\/)/.test(value.value) ? resolveImport(file, value.value) : undefined
      if (target !== undefined) found.push(target)
    }
    for (const child of Object.values(value)) visit(child)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }))
  return found
}

export function readImporters(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  const files = globSync(['contract/src/**/*.ts', 'service/{src,test}/**/*.ts', 'spec/**/*.ts'], {
    cwd: root,
  })
  for (const file of files.toSorted()) {
    for (const target of importsOf(root, file))
      importers.set(target, [...(importers.get(target) ?? []), file])
  }
  return importers
}

/** All that import a file, through any number of others: the nearest first. */
export function findImporters(importers: Map<string, string[]>, file: string): string[] {
  const seen = new Set([file])
  for (const reached of seen) for (const importer of importers.get(reached) ?? []) seen.add(importer)
  return [...seen]
}
