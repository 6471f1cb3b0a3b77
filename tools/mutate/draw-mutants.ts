/** Draws mutants from folders: evenly over the folders, and within a folder evenly over the kinds. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf } from './mutants-of.ts'

export interface DrawnMutant extends Mutant {
  /** Stays the same while the line and those like it in the file do. */
  readonly id: string
  readonly folder: string
  readonly file: string
  readonly line: number
  /** The line it is on, without its indentation. */
  readonly text: string
  /** The function or constant of the file that it is in; empty outside of them. */
  readonly within: string
}

const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|class) (?<name>\w+)/

const hash = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex')

function mutantsIn(root: string, folder: string): DrawnMutant[] {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .toSorted()
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const lines = source.split('\n')
    const seen = new Map<string, number>()
    return mutantsOf(source).map((mutant) => {
      const line = source.slice(0, mutant.start).split('\n').length
      const text = (lines[line - 1] ?? '').trim()
      const declared = lines.slice(0, line).findLast((before) => DECLARATION.test(before)) ?? ''
      const within = DECLARATION.exec(declared)?.groups?.['name'] ?? ''
      const key = hash(file, text, mutant.before, mutant.after)
      const nth = seen.get(key) ?? 0
      seen.set(key, nth + 1)
      return { ...mutant, id: hash(key, nth).slice(0, 12), folder, file, line, text, within }
    })
  })
}

/** One of each list in turn, until all are empty. */
function takeTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat()
}

/**
 * The order depends on the seed and on each mutant itself, so a change elsewhere in the code leaves it as it is, and a larger count
 * continues a smaller one.
 */
export function drawMutants(
  root: string,
  { folders, seed, count }: { folders: readonly string[]; seed: number; count: number },
): DrawnMutant[] {
  const byFolder = folders.map((folder) => {
    const kinds = Map.groupBy(mutantsIn(root, folder), ({ kind }) => kind)
    const shuffled = [...kinds.entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, mutants]) =>
        mutants
          .map((mutant) => ({ mutant, place: hash(seed, mutant.id) }))
          .toSorted((one, other) => (one.place < other.place ? -1 : 1))
          .map(({ mutant }) => mutant),
      )
    return takeTurns(shuffled)
  })
  return takeTurns(byFolder).slice(0, count)
}
