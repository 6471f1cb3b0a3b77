import { RE2JS } from 're2js'
import { SourceFailure } from './connector.ts'

/**
 * Patterns over paths and addresses, used by `include` and `exclude`:
 * - `*` matches anything within one segment, `**` anything at all, `?` one character, `{a,b}` either.
 * - `/docs/**` is matched from the root of the path; `changelog*` and `blog/**` without a leading slash at any depth.
 * - A pattern that ends with a slash matches everything below it; one that begins with `https://` is matched against the whole
 * address, including its query.
 *
 * They are matched by RE2, in time proportional to text times pattern; how long all patterns of a source may take is limited, too.
 */
export interface Patterns<Text> {
  /**
   * The first pattern that matches; undefined if none does.
   *
   * @throws SourceFailure if the patterns take too long
   */
  find(text: Text): string | undefined
}

type Glob = (text: string) => boolean

/**
 * Time of the processor that the patterns of a source may take, and for each text besides. Two hundred ordinary ones take 1 ms. What other
 * programs take meanwhile is not theirs.
 */
const MAX_MS = 1_000
const MAX_MS_PER_TEXT = 5

/** Runs one match. @throws SourceFailure if all matches until then took too long */
type TakeTime = (match: () => boolean) => boolean

const MAX_ALTERNATIVES = 1_000

// `a/**/b` also matches `a/b`: the slash belongs to the stars.
const TOKEN = /(?<=^|\/)\*\*\/|\*\*|[^]/gu

/** Expands `a{b,c}` to `ab` and `ac`. Unbalanced braces are taken literally. @throws SourceFailure if they are too many */
function expandBraces(pattern: string): string[] {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open < 0 || close < 0) return [pattern]
  const before = pattern.slice(0, open)
  const choices = pattern.slice(open + 1, close).split(',')
  const rest = expandBraces(pattern.slice(close + 1))
  // Read in part, a pattern would leave out or let in what its owner did not mean.
  if (choices.length * rest.length > MAX_ALTERNATIVES)
    throw new SourceFailure(
      `The braces of one pattern stand for more than ${MAX_ALTERNATIVES.toLocaleString('en')} alternatives. Divide it into several patterns: ${pattern.slice(0, 100)}`,
    )
  return choices.flatMap((choice) => rest.map((after) => before + choice + after))
}

const expressionOf = (pattern: string): string =>
  pattern.replace(TOKEN, (token) => {
    if (token.startsWith('**')) return '.*'
    if (token === '*') return '[^/]*'
    return token === '?' ? '[^/]' : RE2JS.quote(token)
  })

/**
 * Each alternative is an expression of its own: in one, RE2 would make all of them at once, and slower for hostile patterns. It is made when
 * it is first needed, as that takes time, too.
 */
function compileAlternatives(pattern: string, takeTime: TakeTime): Glob {
  const alternatives = expandBraces(pattern)
  const expressions: RE2JS[] = []
  const expressionAt = (at: number, one: string) =>
    (expressions[at] ??= RE2JS.compile(expressionOf(one), RE2JS.DOTALL))
  return (text) => alternatives.some((one, at) => takeTime(() => expressionAt(at, one).matches(text)))
}

function compileGlob(pattern: string, takeTime: TakeTime): Glob {
  const written = pattern.trim()
  const whole = written.endsWith('/') ? `${written}**` : written
  const rooted = whole.startsWith('/') ? whole.slice(1) : `**/${whole}`
  const matches = compileAlternatives(rooted, takeTime)
  return (text) => matches(text.startsWith('/') ? text.slice(1) : text)
}

/** Matched against the path, or against the whole address if it begins with a scheme. */
function compileAddressGlob(pattern: string, takeTime: TakeTime): (url: URL) => boolean {
  if (!/^https?:\/\//.test(pattern.trim())) {
    const glob = compileGlob(pattern, takeTime)
    return (url) => glob(safeDecode(url.pathname)) || glob(url.pathname)
  }
  const matches = compileAlternatives(pattern.trim(), takeTime)
  return (url) => matches(url.href)
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function createPatterns<Text>(
  patterns: readonly string[],
  compile: (pattern: string, takeTime: TakeTime) => (text: Text) => boolean,
): Patterns<Text> {
  let spentMs = 0
  let texts = 0
  let begun = { at: 0, processorMs: 0 }
  const isOver = (ms: number) => spentMs + ms > MAX_MS + MAX_MS_PER_TEXT * texts
  const takeTime: TakeTime = (match) => {
    const isMatch = match()
    // To ask for the time of the processor costs a call of the system: it is asked where even the time of the clock is over.
    if (isOver(performance.now() - begun.at) && isOver(processorMs() - begun.processorMs))
      throw new SourceFailure(
        'Comparing addresses with the patterns of this source takes too long. Use fewer patterns, or fewer stars and braces in each.',
      )
    return isMatch
  }
  const compiled = patterns.map((pattern) => ({ pattern, matches: compile(pattern, takeTime) }))
  return {
    find: (text) => {
      texts += 1
      begun = { at: performance.now(), processorMs: processorMs() }
      const found = compiled.find(({ matches }) => matches(text))?.pattern
      spentMs += processorMs() - begun.processorMs
      return found
    },
  }
}

/** Milliseconds that this thread has computed. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Patterns over paths without a leading slash (`guide/a.md`). */
export const pathPatterns = (patterns: readonly string[]): Patterns<string> =>
  createPatterns(patterns, compileGlob)

/** Patterns over addresses. */
export const addressPatterns = (patterns: readonly string[]): Patterns<URL> =>
  createPatterns(patterns, compileAddressGlob)
