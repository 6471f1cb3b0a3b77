/**
 * Patterns over paths and addresses, used by `include` and `exclude`:
 * - `*` matches anything within one segment, `**` anything at all, `?` one character, `{a,b}` either.
 * - `/docs/**` is matched from the root of the path; `changelog*` and `blog/**` without a leading slash at any depth.
 * - A pattern that ends with a slash matches everything below it; one that begins with `https://` is matched against the whole
 * address, including its query.
 *
 * Matching tracks all possible positions in parallel, in time proportional to text times pattern: no pattern can hang it.
 */
export type Glob = (text: string) => boolean

const MAX_PATTERN_CHARACTERS = 500
const MAX_ALTERNATIVES = 64

const ANY = Symbol('**')
const ANY_IN_SEGMENT = Symbol('*')
const ONE_IN_SEGMENT = Symbol('?')
type Token = string | typeof ANY | typeof ANY_IN_SEGMENT | typeof ONE_IN_SEGMENT

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

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? ''
    if (pattern.startsWith('**/', at) && (at === 0 || pattern[at - 1] === '/')) {
      // `a/**/b` also matches `a/b`: the slash belongs to the stars.
      tokens.push(ANY)
      at += 2
    } else if (pattern.startsWith('**', at)) {
      tokens.push(ANY)
      at += 1
    } else if (character === '*') tokens.push(ANY_IN_SEGMENT)
    else if (character === '?') tokens.push(ONE_IN_SEGMENT)
    else tokens.push(character)
  }
  return tokens
}

/** All positions in the pattern that can be reached without consuming a character. */
function spread(tokens: readonly Token[], positions: Iterable<number>): Set<number> {
  const reached = new Set<number>()
  for (let position of positions) {
    reached.add(position)
    while (tokens[position] === ANY || tokens[position] === ANY_IN_SEGMENT) {
      position += 1
      reached.add(position)
    }
  }
  return reached
}

function matches(tokens: readonly Token[], text: string): boolean {
  let positions = spread(tokens, [0])
  for (const character of text) {
    const next: number[] = []
    for (const position of positions) {
      const token = tokens[position]
      if (token === ANY || (token === ANY_IN_SEGMENT && character !== '/')) next.push(position)
      else if (token === character || (token === ONE_IN_SEGMENT && character !== '/')) next.push(position + 1)
    }
    if (next.length === 0) return false
    positions = spread(tokens, next)
  }
  return positions.has(tokens.length)
}

/** Compiles a pattern over paths without a leading slash (`guide/a.md`). */
export function compileGlob(pattern: string): Glob {
  const cut = pattern.trim().slice(0, MAX_PATTERN_CHARACTERS)
  const whole = cut.endsWith('/') ? `${cut}**` : cut
  const rooted = whole.startsWith('/') ? whole.slice(1) : `**/${whole}`
  const alternatives = expandBraces(rooted).map(tokensOf)
  return (text) => alternatives.some((tokens) => matches(tokens, text.startsWith('/') ? text.slice(1) : text))
}

/** Compiles a pattern over addresses: matched against the path, or against the whole address if it begins with a scheme. */
export function compileAddressGlob(pattern: string): (url: URL) => boolean {
  if (!/^https?:\/\//.test(pattern.trim())) {
    const glob = compileGlob(pattern)
    return (url) => glob(safeDecode(url.pathname)) || glob(url.pathname)
  }
  const alternatives = expandBraces(pattern.trim().slice(0, MAX_PATTERN_CHARACTERS)).map(tokensOf)
  return (url) => alternatives.some((tokens) => matches(tokens, url.href))
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
