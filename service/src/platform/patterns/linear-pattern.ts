import { RE2JS } from 're2js'

/** A span of a text: `start` to `end`, as in `slice`. */
export interface Span {
  start: number
  end: number
}

/** A regular expression with linear running time, whatever the pattern. */
export interface LinearPattern {
  readonly source: string
  /** Every non-empty match from left to right; `undefined` if that took longer than `budgetMs`. */
  findAll(text: string, budgetMs: number): Span[] | undefined
  /** Whether the whole text matches. */
  fits(text: string): boolean
}

/** A pattern that cannot be used; the message gives its author the reason. */
export class PatternError extends Error {
  constructor(because: string) {
    super(because)
    this.name = 'PatternError'
  }
}

/** Steps of the compiled pattern: a match costs at most this many times the length of the text. `a{1,500}` has a thousand. */
const MAX_STEPS = 500

/** Syntax that engines without backtracking refuse although others accept it. */
const REFUSED_SYNTAX: readonly [RegExp, string][] = [
  [/\(\?<?[=!]/, 'has a look-ahead or look-behind, which is not supported'],
  [/\\[1-9]|\(\?P=|\\k</, 'has a back reference, which is not supported'],
]

const refusalReason = (source: string, fault: unknown): string => {
  const known = REFUSED_SYNTAX.find(([syntax]) => syntax.test(source))?.[1]
  if (known !== undefined) return known
  const said =
    fault instanceof Error ? fault.message.replace(/^error parsing regexp: /, '') : 'not understood'
  return `is not a regular expression in RE2 syntax: ${said}`
}

/**
 * Compiles an untrusted pattern in RE2 syntax.
 *
 * @throws PatternError for one that does not parse, needs backtracking, or is too large
 */
export function compileLinearPattern(source: string): LinearPattern {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch (fault) {
    throw new PatternError(refusalReason(source, fault))
  }
  if (compiled.matcher('').programSize() > MAX_STEPS)
    throw new PatternError('is too large: use smaller numbers in its repetitions')
  return {
    source,
    findAll: (text, budgetMs) => {
      const until = performance.now() + budgetMs
      const matcher = compiled.matcher(text)
      const spans: Span[] = []
      while (matcher.find()) {
        const span = { start: matcher.start(), end: matcher.end() }
        if (span.end > span.start) spans.push(span)
        // One search is linear, but a number of searches proportional to the text is not.
        if (performance.now() > until) return undefined
      }
      return spans
    },
    fits: (text) => compiled.matcher(text).matches(),
  }
}
