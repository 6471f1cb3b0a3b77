import { extensionOf } from '../document-types.ts'

/** A text with what it includes from other files of the repository put in place. */
export interface Inlined {
  text: string
  /** Paths that were put in. */
  includes: string[]
}

/** Finds a file by its path from the root; undefined where there is none. */
export type ReadIncluded = (path: string) => Promise<string | undefined>

const MAX_DEPTH = 4
const MAX_CHARACTERS = 2_000_000

/** `<<< @/snippets/a.ts#region{1,3} [title]` of VitePress: a file as a code block. */
const SNIPPET = /^[ \t]*<<<[ \t]+([^\s#{[]+)(?:#([\w-]+))?(?:\{[^}\n]*\})?(?:[ \t]*\[[^\]\n]*\])?[ \t]*$/

/** `<!--@include: ./part.md-->` of VitePress: a file in place. */
const INCLUDE = /^[ \t]*<!--[ \t]*@include:[ \t]*([^\s{#>]+?)(?:#[\w-]+)?(?:\{[^}\n]*\})?[ \t]*-->[ \t]*$/

/** `.. include:: part.rst` and `.. literalinclude:: a.py` of reStructuredText. */
const DIRECTIVE = /^([ \t]*)\.\. (include|literalinclude)::[ \t]+(\S+)[ \t]*$/

/** Resolves a path within the repository; undefined when it leads out of it. */
function resolvePath(from: string, path: string): string | undefined {
  const parts = path.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Where a path may lead: `@/x` counts from the site's root, which is one of the folders above the page. */
function candidates(from: string, path: string): string[] {
  if (!path.startsWith('@/')) return [resolvePath(from, path)].filter((found) => found !== undefined)
  const folders = from.split('/').slice(0, -1)
  return folders
    .map((_, at) => [...folders.slice(0, folders.length - at), path.slice(2)].join('/'))
    .concat(path.slice(2))
}

/** The lines between `#region name` and `#endregion name`, in whatever kind of comment. */
function regionOf(text: string, name: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => new RegExp(`#?region[ \\t]+${name}\\b`).test(line))
  const end = lines.findIndex((line, at) => at > begin && /#?endregion\b/.test(line))
  return begin < 0 || end < 0 ? text : lines.slice(begin + 1, end).join('\n')
}

const fence = (path: string, code: string) => `\`\`\`\`${extensionOf(path)}\n${code.trimEnd()}\n\`\`\`\``

const indent = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by)

/** Puts the included files in place, up to four deep; includes that lead nowhere stay as they are. */
export async function inlineIncludes(
  path: string,
  text: string,
  readIncluded: ReadIncluded,
): Promise<Inlined> {
  const includes = new Set<string>()
  let characters = text.length

  async function find(from: string, target: string): Promise<{ path: string; text: string } | undefined> {
    for (const candidate of candidates(from, target)) {
      const found = await readIncluded(candidate)
      if (found === undefined) continue
      characters += found.length
      if (characters > MAX_CHARACTERS) return undefined
      includes.add(candidate)
      return { path: candidate, text: found }
    }
    return undefined
  }

  async function expandLine(line: string, from: string, depth: number): Promise<string> {
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
    if (name === 'include') return indent(await expand(found.text, found.path, depth + 1), space)
    return `${space}.. code-block:: ${extensionOf(found.path)}\n\n${indent(found.text.trimEnd(), `${space}   `)}\n`
  }

  async function expand(given: string, from: string, depth: number): Promise<string> {
    if (depth > MAX_DEPTH || !/<<<|@include:|include::/.test(given)) return given
    const lines: string[] = []
    for (const line of given.split('\n')) lines.push(await expandLine(line, from, depth))
    return lines.join('\n')
  }

  return { text: await expand(text, path, 0), includes: [...includes] }
}
