/** Which code each test file executes, how long it takes, and whether it passes: found once, without a mutant, and kept. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DrawnMutant } from './draw-mutants.ts'
import { type Probe, probeAt, probesOf } from './probes.ts'

export interface Reach {
  /** Of the test file, when this was found. */
  readonly hash: string
  readonly seconds: number
  readonly failure?: string | undefined
  /** By file: its hash at that time, and the marks that were passed. */
  readonly reached: Readonly<Record<string, { readonly hash: string; readonly marks: readonly number[] }>>
}

export interface Found {
  seconds: number
  failure: string | undefined
  /** As the test tells them: the file, a colon and the number of the mark. */
  reached: readonly string[]
  /** A file that was not as it is: its marks may have other numbers. */
  mutated?: string
}

export interface ReachRecord {
  of: (test: string) => Reach | undefined
  add: (test: string, found: Found) => void
  /** Test files that fail without a mutant, which therefore prove nothing, each with what failed. */
  broken: () => Record<string, string>
  /** Whether a test executes what the mutant changes. */
  isReached: (reach: Reach, mutant: DrawnMutant) => boolean
}

export function openReach(root: string, file: string): ReachRecord {
  const hashes = new Map<string, string>()
  const hashOf = (path: string): string => {
    const known = hashes.get(path)
    if (known !== undefined) return known
    const hash = createHash('sha256')
      .update(readFileSync(join(root, path)))
      .digest('hex')
      .slice(0, 12)
    hashes.set(path, hash)
    return hash
  }
  const read = (): Record<string, Reach> => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
  let all = read()
  // Not kept: the reason may be in this machine, now.
  const failed = new Map<string, Reach>()

  /** A constant of the file is used where its name is. Its own mark was passed by the test that imported it first. */
  function marksUsing({ within }: DrawnMutant, text: string, probes: readonly Probe[]): number[] {
    const name = new RegExp(String.raw`\b${within}\b`)
    const using = probes.flatMap(({ start, end }, nth) => (name.test(text.slice(start, end)) ? [nth] : []))
    return within === '' || using.length === 0 ? [...probes.keys()] : using
  }

  return {
    of: (test) => failed.get(test) ?? (all[test]?.hash === hashOf(test) ? all[test] : undefined),
    add: (test, { seconds, failure, reached, mutated }) => {
      const files: Record<string, { hash: string; marks: number[] }> = {}
      for (const mark of reached) {
        const [path = '', nth] = mark.split(':')
        ;(files[path] ??= { hash: path === mutated ? '' : hashOf(path), marks: [] }).marks.push(Number(nth))
      }
      const found = { hash: hashOf(test), seconds, failure, reached: files }
      if (failure !== undefined) {
        failed.set(test, found)
        return
      }
      // With what another run has added meanwhile.
      all = { ...read(), [test]: found }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(all))
      renameSync(`${file}.${process.pid}`, file)
    },
    broken: () => Object.fromEntries([...failed].map(([test, { failure = '' }]) => [test, failure])),
    isReached: ({ reached }, mutant) => {
      const found = reached[mutant.file]
      if (found === undefined) return false
      // Its marks are others since.
      if (found.hash !== hashOf(mutant.file)) return true
      const text = readFileSync(join(root, mutant.file), 'utf8')
      const probes = probesOf(text)
      const mark = probeAt(probes, mutant.start)
      const wanted = mark === undefined ? marksUsing(mutant, text, probes) : [mark]
      return wanted.some((nth) => found.marks.includes(nth))
    },
  }
}
