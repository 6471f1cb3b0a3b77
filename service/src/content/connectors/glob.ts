import { RE2JS } from 're2js'

/**
 * Patterns over paths and addresses, used by `include` and `exclude`:
 * - `*` matches anything within one segment, `**` anything at all, `?` one character, `{a,b}` either.
 * - `/docs/**` is matched from the root of the path; `changelog*` and `blog/**` without a leading slash at any depth.
 * - A pattern that ends with a slash matches everything below it; one that begins with `https://` is matched against the whole
 * address, including its query.
 *
 * They are matched by RE2, in time proportional to text times pattern: no pattern can hang it.
 */
export type Glob = (text: string) => boolean

const MAX_PATTERN_CHARACTERS = 500
const MAX_ALTERNATIVES = 64

// `a/**/b` also matches `a/b`: the slash belongs to the stars.
const TOKEN = /(?<=^|\/)\*\*\/|\*\*|[^]/gu

/** Expands `a{b,c}` to `ab` and `ac`. Unbalanced braces are taken literally. */
function expandBraces(pattern: string): string[] {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open < 0 || close < 0) return [pattern]
  const before = pattern.slice(0, open)
  const choices = pattern.slice(open + 1, close).split(',')
  const rest = expandBraces(pattern.slice(close + 1))
  return choices.flatMap((choice) => rest.map((after) => before + choice + after)).slice(0, MAX_ALTERNATIVES)
}

const expressionOf = (pattern: string): string =>
  pattern.replace(TOKEN, (token) => {
    if (token.startsWith('**')) return '.*'
    if (token === '*') return '[^/]*'
    return token === '?' ? '[^/]' : RE2JS.quote(token)
  })

/** Each alternative is an expression of its own: in one, RE2 would make all of them at once, and slower for hostile patterns. */
function compileAlternatives(pattern: string): Glob {
  const expressions = expandBraces(pattern).map((one) => RE2JS.compile(expressionOf(one), RE2JS.DOTALL))
  return (text) => expressions.some((expression) => expression.matches(text))
}

/** Compiles a pattern over paths without a leading slash (`guide/a.md`). */
export function compileGlob(pattern: string): Glob {
  const cut = pattern.trim().slice(0, MAX_PATTERN_CHARACTERS)
  const whole = cut.endsWith('/') ? `${cut}**` : cut
  const rooted = whole.startsWith('/') ? whole.slice(1) : `**/${whole}`
  const matches = compileAlternatives(rooted)
  return (text) => matches(text.startsWith('/') ? text.slice(1) : text)
}

/** Compiles a pattern over addresses: matched against the path, or against the whole address if it begins with a scheme. */
export function compileAddressGlob(pattern: string): (url: URL) => boolean {
  if (!/^https?:\/\//.test(pattern.trim())) {
    const glob = compileGlob(pattern)
    return (url) => glob(safeDecode(url.pathname)) || glob(url.pathname)
  }
  const matches = compileAlternatives(pattern.trim().slice(0, MAX_PATTERN_CHARACTERS))
  return (url) => matches(url.href)
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
