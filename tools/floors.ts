import { dirname, relative, resolve } from 'node:path'

export const FLOORS = ['kernel', 'platform', 'accounts', 'content', 'answers', 'channels', 'app']
const SERVICE = resolve(import.meta.dirname, '../service/src')

/** An import of a room's inside that is allowed. Paths are relative to `service/src`. */
export interface Exemption {
  readonly from: RegExp
  readonly to: RegExp
  readonly because: string
}

/** `tools/floors.test.ts` fails on one that no import needs. */
export const EXEMPTIONS: readonly Exemption[] = [
  {
    from: /^app\/compose[^/]*\.ts$/,
    to: /-routes\.ts$/,
    because: 'the composition mounts routes; a door that exported them would make every room above load HTTP',
  },
  {
    from: /^app\/compose[^/]*\.ts$/,
    to: /-gate\.ts$/,
    because: 'a gate stands before the routes of other rooms, and only the composition mounts it',
  },
  {
    from: /^app\/(?:compose[^/]*|surroundings)\.ts$/,
    to: /-socket\.ts$/,
    because: 'a socket is mounted like routes; tests shorten its times',
  },
  {
    from: /^app\/pages\.test\.ts$/,
    to: /^channels\//,
    because:
      'renders every page in states that the composed service does not reach, to look for accessibility faults',
  },
]

interface Place {
  /** Relative to `service/src`. */
  readonly path: string
  readonly floor: string
  /** -1 outside of `service/src`. */
  readonly rank: number
  readonly room: string | undefined
  /** Relative to the room. */
  readonly file: string
}

export function placeOf(file: string): Place {
  const path = relative(SERVICE, file).replaceAll('\\', '/')
  const [floor = '', ...rest] = path.split('/')
  const room = rest.length > 1 ? rest[0] : undefined // kernel and app keep their files flat
  return {
    path,
    floor,
    rank: FLOORS.indexOf(floor),
    room,
    file: rest.slice(room === undefined ? 0 : 1).join('/'),
  }
}

/** What is wrong with the file `from` importing the file `to` (absolute paths); undefined: nothing. */
export function judge(from: string, to: string): string | undefined {
  const here = placeOf(from)
  const there = placeOf(to)
  if (here.rank < 0) return undefined
  if (there.rank < 0) {
    const isOfTests = here.path.endsWith('.test.ts')
    return isOfTests ? undefined : `${here.path} may not import from outside of service/src`
  }
  if (there.rank > here.rank) return `${here.floor} may not import ${there.floor}: imports only go down`
  if (here.floor === there.floor && here.room === there.room) return undefined
  const hasDoor = there.room !== undefined && there.rank > FLOORS.indexOf('platform') // below are tools, imported by file
  if (!hasDoor || there.file === `${there.room}.ts`) return undefined
  if (EXEMPTIONS.some(({ from: who, to: what }) => who.test(here.path) && what.test(there.path)))
    return undefined
  return `enter ${there.floor}/${there.room} by its door ${there.room}.ts`
}

/** The same of an import as it is written: a package is not judged here. */
export function judgeImport(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? judge(from, resolve(dirname(from), specifier)) : undefined
}
