import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['contract', 'sdk', 'widget', 'service', 'spec', 'e2e', 'evals', 'tools']

/** `verifies('an.id', …` or `verifies(['an.id', 'another.id'], …`, on one line or several. */
const CITATION = /\bverifies\(\s*(?<ids>'[^']+'|\[[^\]]*\])/g

/** The test files that cite each id, relative to the root of the repository. They are read as text and not run. */
export function readCitations(root: string): Map<string, string[]> {
  const citations = new Map<string, string[]>()
  const files = FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
  )
  for (const file of files.sort()) {
    for (const { groups } of readFileSync(join(root, file), 'utf8').matchAll(CITATION)) {
      for (const [, id] of (groups?.['ids'] ?? '').matchAll(/'([^']+)'/g)) {
        if (id === undefined) continue
        const citing = citations.get(id) ?? []
        if (!citing.includes(file)) citations.set(id, [...citing, file])
      }
    }
  }
  return citations
}
