import { createParsing, type Parsing } from '../src/content/parsing/parsing.ts'

/** Parsers that the tests of a process use one after the other, as the threads in `kept-threads.ts`. */
let parsing: Parsing | undefined

/** Those of a service. */
const LIMITS = { workers: 3, timeLimitMs: 60_000, memoryLimitMb: 400 }

/** Parses documents for one user. A process that was ended is replaced, as in a service. */
export function createKeptParsing(limits: Parameters<typeof createParsing>[0] = LIMITS): Parsing {
  parsing ??= createParsing(limits)
  const stay = () => Promise.resolve()
  return { ...parsing, close: stay, [Symbol.asyncDispose]: stay }
}
