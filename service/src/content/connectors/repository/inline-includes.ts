import { mediaTypeOfFile } from '../../parsing/parsing.ts'
import { extensionOf } from '../document-types.ts'
import {
  asciidocAttributes,
  asciidocIncludeOf,
  asciidocPath,
  takenOf,
  withLevelOffset,
} from './asciidoc-includes.ts'
import { createIncludeBudget, MAX_CHARACTERS, MAX_INCLUDES } from './include-budget.ts'
import { isShownText, mayBeIncluded } from './may-be-included.ts'

/** A text with its includes of other files of the repository expanded. */
export interface Inlined {
  text: string
  /** Paths of the included files. */
  includes: string[]
  /** A limit left an include out. */
  isCut: boolean
}

/** Files of the repository, by their paths from its root. */
export interface IncludableFiles {
  /** Size of a file; undefined if it does not exist. */
  bytesOf(path: string): number | undefined
  read(path: string): Promise<string>
}

const MAX_DEPTH = 4

export const CUT_INCLUDES = `Of the files that one page includes, at most ${MAX_INCLUDES} are read, ${MAX_DEPTH} levels deep and ${MAX_CHARACTERS / 1_000_000} MB in all.`

/** Longer lines are not checked for includes. */
const MAX_LINE_CHARACTERS = 1_000

/** Maximum indentation added to an included text. */
const MAX_INDENT = 64

/** `<<< @/snippets/a.ts#region{1,3} [title]` of VitePress: includes a file as a code block. */
const SNIPPET = /^[ \t]*<<<[ \t]+([^\s#{[]+)(?:#([\w-]+))?(?:\{[^}\n]*\})?(?:[ \t]*\[[^\]\n]*\])?[ \t]*$/

/** `<!--@include: ./part.md-->` of VitePress: includes a file in place. */
const INCLUDE = /^[ \t]*<!--[ \t]*@include:[ \t]*([^\s{#>]+?)(?:#[\w-]+)?(?:\{[^}\n]*\})?[ \t]*-->[ \t]*$/

/** `.. include:: part.rst` and `.. literalinclude:: a.py` of reStructuredText. */
const DIRECTIVE = /^([ \t]*)\.\. (include|literalinclude)::[ \t]+(\S+)[ \t]*$/

/** A quick test for lines that may contain an include. */
const MAY_CONTAIN_INCLUDE = /<<<|@include:|include::/

const isAsciidoc = (path: string) => mediaTypeOfFile(path) === 'text/asciidoc'

const isInclude = (line: string) =>
  SNIPPET.test(line) || INCLUDE.test(line) || DIRECTIVE.test(line) || asciidocIncludeOf(line) !== undefined

const hasInclude = (text: string) =>
  text.split('\n').some((line) => line.length <= MAX_LINE_CHARACTERS && isInclude(line))

/** Resolves a path within the repository; undefined if it leads out of it. */
function resolvePath(from: string, path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** What a path may resolve to: `@/x` is relative to the site's root, which is one of the folders above the page. */
function candidates(from: string, path: string): string[] {
  if (!path.startsWith('@/')) return [resolvePath(from, path)].filter((found) => found !== undefined)
  const folders = from.split('/').slice(0, -1)
  return folders
    .map((_, at) => [...folders.slice(0, folders.length - at), path.slice(2)].join('/'))
    .concat(path.slice(2))
}

/** The lines between `#region name` and `#endregion name`, in any kind of comment. */
function regionOf(text: string, name: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => new RegExp(`#?region[ \\t]+${name}\\b`).test(line))
  const end = lines.findIndex((line, at) => at > begin && /#?endregion\b/.test(line))
  return begin < 0 || end < 0 ? text : lines.slice(begin + 1, end).join('\n')
}

const fence = (path: string, code: string) => `\`\`\`\`${extensionOf(path)}\n${code.trimEnd()}\n\`\`\`\``

const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by)

/**
 * Expands includes, up to four levels deep; includes of missing files, of files that are not text, or beyond the budget of the page are
 * left unchanged (`isCut` tells of the last). Each file is read once, and only if it fits.
 */
export async function inlineIncludes(
  path: string,
  text: string,
  files: IncludableFiles,
  signal: AbortSignal,
): Promise<Inlined> {
  const includes = new Set<string>()
  const known = new Map<string, string | undefined>()
  const budget = createIncludeBudget(text.length)
  const attributes = isAsciidoc(path) ? asciidocAttributes(text) : new Map<string, string>()
  let isCut = false

  async function readOnce(candidate: string): Promise<string | undefined> {
    if (known.has(candidate)) return known.get(candidate)
    signal.throwIfAborted()
    const found = await files.read(candidate)
    const shown = isShownText(found) ? found : undefined
    // A file that was read but not shown also counts against the budget.
    if (shown === undefined) budget.take(found.length)
    known.set(candidate, shown)
    return shown
  }

  async function find(from: string, target: string): Promise<{ path: string; text: string } | undefined> {
    for (const candidate of candidates(from, target)) {
      const bytes = files.bytesOf(candidate)
      if (bytes === undefined || !mayBeIncluded(candidate)) continue
      const fits = budget.fits(bytes)
      const found = fits ? await readOnce(candidate) : undefined
      if (found !== undefined && budget.take(found.length)) {
        includes.add(candidate)
        return { path: candidate, text: found }
      }
      isCut ||= !fits || found !== undefined
      return undefined
    }
    return undefined
  }

  /** Indents a text, if the added spaces fit the budget. */
  function movedIn(moved: string, space: string): string | undefined {
    const lines = moved.split('\n').length
    if (space.length <= MAX_INDENT && budget.take(lines * space.length, 0)) return indent(moved, space)
    isCut = true
    return undefined
  }

  /** Includes of AsciiDoc are the same in text and in listings. */
  async function expandAsciidoc(line: string, from: string, depth: number): Promise<string> {
    const include = asciidocIncludeOf(line)
    if (include === undefined) return line
    const found = await find(from, asciidocPath(include.path, from, attributes))
    if (found === undefined) return line
    const taken = takenOf(found.text, include)
    if (!isAsciidoc(found.path)) return taken.trimEnd()
    return withLevelOffset(await expand(taken, found.path, depth + 1), include.levelOffset)
  }

  async function expandLine(line: string, from: string, depth: number): Promise<string> {
    if (isAsciidoc(from)) return await expandAsciidoc(line, from, depth)
    const snippet = SNIPPET.exec(line)
    if (snippet !== null) {
      const found = await find(from, snippet[1] ?? '')
      if (found === undefined) return line
      return fence(found.path, snippet[2] === undefined ? found.text : regionOf(found.text, snippet[2]))
    }
    const target = INCLUDE.exec(line)?.[1]
    if (target !== undefined) {
      const found = await find(from, target)
      return found === undefined ? line : await expand(found.text, found.path, depth + 1)
    }
    const [, space = '', name, file = ''] = DIRECTIVE.exec(line) ?? []
    if (name === undefined) return line
    const found = await find(from, file)
    if (found === undefined) return line
    if (name === 'include') return movedIn(await expand(found.text, found.path, depth + 1), space) ?? line
    const code = movedIn(found.text.trimEnd(), `${space}   `)
    return code === undefined ? line : `${space}.. code-block:: ${extensionOf(found.path)}\n\n${code}\n`
  }

  async function expand(given: string, from: string, depth: number): Promise<string> {
    if (!MAY_CONTAIN_INCLUDE.test(given)) return given
    if (depth > MAX_DEPTH || budget.isSpent()) {
      isCut ||= hasInclude(given)
      return given
    }
    const lines: string[] = []
    for (const line of given.split('\n')) {
      const isShort = line.length <= MAX_LINE_CHARACTERS
      if (budget.isSpent()) isCut ||= isShort && isInclude(line)
      const isPlain = budget.isSpent() || !isShort || !MAY_CONTAIN_INCLUDE.test(line)
      lines.push(isPlain ? line : await expandLine(line, from, depth))
    }
    return lines.join('\n')
  }

  return { text: await expand(text, path, 0), includes: [...includes], isCut }
}
