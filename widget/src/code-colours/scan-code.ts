/** What a piece of code is, as far as a reader wants to see it. */
export type CodeKind = 'comment' | 'string' | 'number' | 'keyword' | 'name'

export interface CodePiece {
  kind: CodeKind
  /** Characters from the start of the code, the end excluded. */
  start: number
  end: number
}

/** Longer code stays in one colour, in characters. */
const LONGEST = 20_000

/** Most pieces of a block: each is a range that the browser paints. */
const MOST = 2_000

const HASH =
  'sh bash shell zsh console python py yaml yml toml ini ruby rb r perl dockerfile make env conf nginx'
const SLASH =
  'js javascript mjs jsx ts typescript tsx json json5 jsonc java kotlin kt go rust rs c h cpp c++ cs csharp php swift scala dart css scss less graphql proto'
const DASH = 'sql lua haskell hs'
const TAGS = 'html xml svg vue'

const familyOf = (lang: string): 'hash' | 'slash' | 'dash' | 'tags' | undefined => {
  const isOf = (list: string) => list.split(' ').includes(lang)
  if (isOf(HASH)) return 'hash'
  if (isOf(SLASH)) return 'slash'
  if (isOf(DASH)) return 'dash'
  return isOf(TAGS) ? 'tags' : undefined
}

/** Each alternative matches from its first character on, closed or not: so the time grows with the length only. */
const COMMENTS = {
  hash: '(?<comment>(?<![^\\s])#[^\\n]*)',
  slash: '(?<comment>//[^\\n]*|/\\*[^]*?(?:\\*/|$))',
  dash: '(?<comment>--[^\\n]*)',
  tags: '(?<comment><!--[^]*?(?:-->|$))',
}
const STRING = `(?<string>"(?:[^"\\\\\\n]|\\\\.)*"?|'(?:[^'\\\\\\n]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?)`
const NUMBER = '(?<number>\\b\\d[\\w.]*)'
const WORD = '(?<word>(?<![\\w$-])[A-Za-z_$][\\w$]*)'
const NAME = { hash: '(?<name>(?<=\\s)--?[a-z][\\w-]*|\\$\\w+)', tags: '(?<name></?[\\w:-]+|/?>)' }

const KEYWORDS = new Set(
  (
    'abstract and as assert async await begin break case catch class const continue create def default delete do done elif else ' +
    'elsif end enum esac except export extends false fi final finally fn for foreach from func function go group if impl implements ' +
    'import in insert instanceof interface into is join lambda let limit loop match mod module mut namespace new nil none not null ' +
    'on operator or order package pass private protected pub public raise readonly require return select self set static struct super ' +
    'switch table then this throw throws trait true try type typedef typeof undefined unless until update use using val values var void ' +
    'when where while with yield'
  ).split(' '),
)

/** Kinds that a pattern finds by itself. A word may be a keyword. */
const FOUND = ['comment', 'string', 'name', 'number'] as const

const patterns = new Map<string, RegExp>()

function patternOf(family: keyof typeof COMMENTS): RegExp {
  const known = patterns.get(family)
  if (known) return known
  const names = family === 'hash' || family === 'tags' ? [NAME[family]] : []
  const pattern = new RegExp([COMMENTS[family], STRING, ...names, NUMBER, WORD].join('|'), 'g')
  patterns.set(family, pattern)
  return pattern
}

/** The pieces of code that have a colour. Of a language that is not known, none. It need not be exact: it only helps to read. */
export function scanCode(code: string, lang: string): CodePiece[] {
  const family = familyOf(lang.toLowerCase())
  if (family === undefined || code.length > LONGEST) return []
  const isSql = family === 'dash'
  const pieces: CodePiece[] = []
  for (const match of code.matchAll(patternOf(family))) {
    const groups = match.groups ?? {}
    const { word = '' } = groups
    const kind =
      FOUND.find((name) => groups[name]) ??
      (KEYWORDS.has(isSql ? word.toLowerCase() : word) ? 'keyword' : undefined)
    if (kind) pieces.push({ kind, start: match.index, end: match.index + match[0].length })
    if (pieces.length >= MOST) break
  }
  return pieces
}
