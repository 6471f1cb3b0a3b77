import { antoraPath } from './antora.ts'

/** `include::part.adoc[leveloffset=+1,tag=usage]` of AsciiDoc. */
export interface AsciidocInclude {
  path: string
  /** How much deeper the headings of the part become: `+1`, `-1`. */
  levelOffset: string | undefined
  /** Names of the parts of the file to be taken; none: all of it. */
  tags: readonly string[]
  /** Lines to be taken, as `1..4;7`. */
  lines: string | undefined
}

const DIRECTIVE = /^include::([^\s[][^[\n]*)\[([^\]\n]*)\][ \t]*$/

const ATTRIBUTE = /^:([\w-]{1,60}):[ \t]+(\S{1,300})[ \t]*$/gm
const REFERENCE = /\{([\w-]{1,60})\}/g

// bounded: at most 1,000 characters, see below
const TAG = /\b(tag|end)::([^\s[\]]{1,100})\[\]/

/** Longer lines of an included file mark no part of it. */
const MAX_TAG_LINE = 1_000

export function asciidocIncludeOf(line: string): AsciidocInclude | undefined {
  const [, path, given = ''] = DIRECTIVE.exec(line) ?? []
  if (path === undefined) return undefined
  const options = optionsOf(given)
  return {
    path,
    levelOffset: /^[+-]?\d$/.exec(options.get('leveloffset') ?? '')?.[0],
    tags: (options.get('tags') ?? options.get('tag') ?? '').split(/[,;]/).filter((tag) => tag !== ''),
    lines: options.get('lines'),
  }
}

/** `tag=a,lines="1..4,7"` */
function optionsOf(given: string): Map<string, string> {
  // bounded: a line with an include has at most 1,000 characters
  const options = given.matchAll(/(\w+)[ \t]*=[ \t]*(?:"([^"]*)"|([^,"]*))/g)
  return new Map([...options].map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain.trim()]))
}

/** The attributes that a page defines for itself (`:name: value`). */
export function asciidocAttributes(text: string): Map<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]))
}

/**
 * The path of an include with its attributes, and a name of Antora, replaced by what they stand for. A path with an attribute that the
 * page does not define is not changed: there is no such file.
 *
 * @param from - path of the including file
 */
export function asciidocPath(path: string, from: string, attributes: Map<string, string>): string {
  const named = path.replaceAll(REFERENCE, (whole, name: string) =>
    name === 'docdir' ? '.' : (attributes.get(name) ?? whole),
  )
  return antoraPath(named, from) ?? named
}

/** What an include takes of a file. A tag that the file lacks takes nothing of it. */
export function takenOf(text: string, { tags, lines }: AsciidocInclude): string {
  if (tags.length > 0) return taggedLines(text, new Set(tags))
  const ranges = (lines ?? '').split(/[,;]/).filter((range) => /^\d+(?:\.\.(?:\d+|-1)?)?$/.test(range))
  if (ranges.length === 0) return text
  const bounds = ranges.map((range) => {
    const [first = '1', last = first] = range.split('..')
    return { first: Number(first), last: last === '' || last === '-1' ? Infinity : Number(last) }
  })
  const isTaken = (line: number) => bounds.some(({ first, last }) => first <= line && line <= last)
  return text
    .split('\n')
    .filter((_, at) => isTaken(at + 1))
    .join('\n')
}

function taggedLines(text: string, tags: ReadonlySet<string>): string {
  const open = new Set<string>()
  const taken = text.split('\n').filter((line) => {
    const [, directive, name = ''] = (line.length <= MAX_TAG_LINE ? TAG.exec(line) : undefined) ?? []
    if (directive === 'tag') open.add(name)
    if (directive === 'end') open.delete(name)
    return directive === undefined && [...open].some((each) => tags.has(each) || tags.has('*'))
  })
  return taken.join('\n')
}

/** A part whose headings are so much deeper. */
export function withLevelOffset(text: string, offset: string | undefined): string {
  if (offset === undefined) return text
  const back = offset.startsWith('-') ? `+${offset.slice(1)}` : `-${offset.replace('+', '')}`
  const isRelative = /^[+-]/.test(offset)
  return `:leveloffset: ${offset}\n\n${text}\n\n:leveloffset: ${isRelative ? back : '0'}\n`
}
