import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The one composition of the service. */
const COMPOSITION = 'service/src/app/compose.ts'

/**
 * Test files that cite a sentence and compose a part of the service themselves, with the reason why they cannot use the composed service.
 * The test of this list fails on an entry that is no longer needed.
 */
export const OWN_WIRING: Record<string, string> = {
  'service/src/answers/fair-runs/fair-runs.test.ts':
    'needs runs that last until the test ends them, in turns of a minute',
  'service/src/answers/answering/answering.test.ts':
    'tests hundreds of combinations of evidence, models and failures of each step; channels/public-api tests the wire',
  'service/src/app/pages.test.ts':
    'renders pages in states that the service does not reach; executes no statement',
  'service/src/channels/base-events/base-events.test.ts':
    'its tests that cite nothing share streams that last milliseconds; the one that cites a sentence uses the composed service',
  'service/src/channels/mcp/mcp-limits.test.ts': 'moves its clock through a whole day of calls',
  'service/src/channels/across-bases/narrow-bases.test.ts':
    'tests one function and its statement with thousands of generated questions',
  'service/src/channels/mcp/tool-timeout.test.ts':
    'needs tools that never finish, which the service does not have',
  'service/src/channels/simulations/run-simulation.test.ts':
    'needs two workers of one simulation, one of which dies',
  'service/src/channels/webhooks/webhook-sender.test.ts':
    'needs a timeout of 0.4 s instead of 10 s for receivers that do not answer',
  'service/src/content/addresses/addresses.test.ts':
    'tests pure functions of a door that also has a statement',
}

const ROOMS = /^service\/src\/(?:accounts|content|answers|channels)\//

const IMPORT = /^(?:import|export)(?<type> type)?[^;'"]*?from '(?<from>\.[^']+)'/gm
const LATER = /\bimport\('(?<from>\.[^']+)'\)/g

const readText = (root: string, file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''

/** What each file was found to import: nearly every test loads nearly every file of the service. */
const importsOf = new Map<string, readonly string[]>()

function readImports(root: string, file: string): readonly string[] {
  const path = join(root, file)
  const known = importsOf.get(path)
  if (known !== undefined) return known
  const text = readText(root, file)
  const found = [...text.matchAll(IMPORT), ...text.matchAll(LATER)].flatMap(({ groups }) =>
    groups?.['from'] !== undefined && groups['type'] === undefined
      ? [join(dirname(file), groups['from'])]
      : [],
  )
  importsOf.set(path, found)
  return found
}

/** The files that a file imports, directly and indirectly, including itself; imports of types do not count. */
export function filesLoadedBy(root: string, file: string): Set<string> {
  const loaded = new Set([file])
  // What is added while the set is gone through is reached too.
  for (const reached of loaded) for (const imported of readImports(root, reached)) loaded.add(imported)
  return loaded
}

const isStorage = (file: string) =>
  file.endsWith('-store.ts') || file === 'service/src/platform/storage/storage.ts'

/** A whole `test(…)`, as the formatter writes it: it cites nothing, and may make what it needs. */
const UNCITED_TEST = /^(?<indent> *)test\b(?:.*\)|[^]*?^\k<indent>\}?\))$/gm

const FROM_ROOM = /^import \{(?<names>[^}]*)\} from '(?<from>\.[^']+)'/gm

/** Whether the function of this name, which a door exports, is written in a file that reads or writes the database. */
const isOfStorage = (root: string, door: string, name: string) =>
  [door, ...readImports(root, door)].some(
    (file) =>
      readText(root, file).includes(`function ${name}(`) && [...filesLoadedBy(root, file)].some(isStorage),
  )

/** The rooms with storage that a file makes by hand, outside of tests that cite nothing: `createSessions`. */
export function roomsMadeIn(root: string, file: string): string[] {
  const text = readText(root, file)
  const citing = text.replaceAll(UNCITED_TEST, '')
  return [...text.matchAll(FROM_ROOM)].flatMap(({ groups }) => {
    const door = join(dirname(file), groups?.['from'] ?? '')
    const names = (groups?.['names'] ?? '').match(/\bcreate[A-Z]\w*/g) ?? []
    return names.filter(
      (name) => ROOMS.test(door) && citing.includes(`${name}(`) && isOfStorage(root, door, name),
    )
  })
}

/**
 * Whether a test file composes rooms of the service itself: it loads code that reads or writes the database, but not the composition, or
 * it makes a room beside the composed ones. The platform floor has no composition, and tests of `e2e/` start real processes.
 */
export function wiresItself(root: string, file: string): boolean {
  if (file.startsWith('e2e/') || file.startsWith('service/src/platform/')) return false
  const loaded = filesLoadedBy(root, file)
  if (!loaded.has(COMPOSITION)) return [...loaded].some(isStorage)
  return roomsMadeIn(root, file).length > 0
}
