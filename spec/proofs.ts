import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The one composition of the service. */
const COMPOSITION = 'service/src/app/compose.ts'

/**
 * Test files that cite a sentence and put a part of the service together themselves, with the reason why the composed service does not
 * do for them. An entry that is not needed any more fails the test of this list.
 */
export const OWN_WIRING: Record<string, string> = {
  'service/src/answers/answering/answering.test.ts':
    'evidence, models and failures of each step are given, in hundreds of combinations; the wire is proven in channels/public-api',
  'service/src/app/pages.test.ts': 'pages are rendered in shapes that no service is in; no statement is run',
  'service/src/channels/mcp/mcp-limits.test.ts': 'a whole day of calls passes on a clock that it moves',
  'service/src/channels/mcp/narrow-portal.test.ts':
    'one function and its statement, with thousands of generated questions',
  'service/src/channels/mcp/tool-timeout.test.ts': 'tools that hang, which the service does not have',
  'service/src/channels/simulations/run-simulation.test.ts':
    'two workers of one simulation, of which one dies in the middle',
  'service/src/channels/webhooks/webhook-sender.test.ts':
    'receivers that hang, against a timeout of 0.4 s instead of 10',
  'service/src/content/addresses/addresses.test.ts': 'pure functions of a door that also has a statement',
}

const IMPORT = /^(?:import|export)(?<type> type)?[^;'"]*?from '(?<from>\.[^']+)'/gm
const LATER = /\bimport\('(?<from>\.[^']+)'\)/g

/** Files of the repository that a file loads, itself and through others; imports of types do not load. */
export function filesLoadedBy(root: string, file: string): Set<string> {
  const loaded = new Set<string>()
  const waiting = [file]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loaded.has(next) || !existsSync(join(root, next))) continue
    loaded.add(next)
    const text = readFileSync(join(root, next), 'utf8')
    for (const { groups } of [...text.matchAll(IMPORT), ...text.matchAll(LATER)]) {
      if (groups?.['from'] !== undefined && groups['type'] === undefined) {
        waiting.push(join(dirname(next), groups['from']))
      }
    }
  }
  return loaded
}

const isStorage = (file: string) =>
  file.endsWith('-store.ts') || file === 'service/src/platform/storage/storage.ts'

/**
 * Whether a test file puts rooms of the service together by itself: it loads what reads or writes the database, and not the
 * composition. The technology of the platform floor has no composition, and tests of `e2e/` start real processes.
 */
export function wiresItself(root: string, file: string): boolean {
  if (file.startsWith('e2e/') || file.startsWith('service/src/platform/')) return false
  const loaded = filesLoadedBy(root, file)
  return !loaded.has(COMPOSITION) && [...loaded].some(isStorage)
}
