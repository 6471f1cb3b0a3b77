import { RE2JS } from 're2js'

/** A stretch of a text: `start` to `end`, as `slice` counts. */
export interface Span {
  start: number
  end: number
}

/** A regular expression whose time grows with the text alone, whatever its writer put into it. */
export interface LinearPattern {
  readonly source: string
  /** Every match that is not empty, from the left; `undefined` when that took longer than `budgetMs`. */
  findAll(text: string, budgetMs: number): Span[] | undefined
  /** Whether all of a text fits. */
  fits(text: string): boolean
}

/** A pattern that cannot be used; the message says why, in words for its writer. */
export class PatternFault extends Error {
  constructor(because: string) {
    super(because)
    this.name = 'PatternFault'
  }
}

/** Steps of the compiled pattern: one match costs at most this many times the length of the text. `a{1,500}` has a thousand. */
const MOST_STEPS = 500

/** Why engines without backtracking refuse what others take. */
const REFUSED_SYNTAX: readonly [RegExp, string][] = [
  [/\(\?<?[=!]/, 'has a look-ahead or look-behind, which is not supported'],
  [/\\[1-9]|\(\?P=|\\k</, 'has a back reference, which is not supported'],
]

const whyRefused = (source: string, fault: unknown): string => {
  const known = REFUSED_SYNTAX.find(([syntax]) => syntax.test(source))?.[1]
  if (known !== undefined) return known
  const said =
    fault instanceof Error ? fault.message.replace(/^error parsing regexp: /, '') : 'not understood'
  return `is no regular expression in RE2 syntax: ${said}`
}

/**
 * Compiles a pattern of somebody else's, in RE2 syntax.
 *
 * @throws PatternFault for one that does not parse, needs backtracking, or is too large
 */
export function compileLinearPattern(source: string): LinearPattern {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch (fault) {
    throw new PatternFault(whyRefused(source, fault))
  }
  if (compiled.matcher('').programSize() > MOST_STEPS) {
    throw new PatternFault('is too large: use smaller numbers in its repetitions')
  }
  return {
    source,
    findAll: (text, budgetMs) => {
      const until = performance.now() + budgetMs
      const matcher = compiled.matcher(text)
      const spans: Span[] = []
      while (matcher.find()) {
        const span = { start: matcher.start(), end: matcher.end() }
        if (span.end > span.start) spans.push(span)
        // A search is linear; as many of them as the text is long are not.
        if (performance.now() > until) return undefined
      }
      return spans
    },
    fits: (text) => compiled.matcher(text).matches(),
  }
}
