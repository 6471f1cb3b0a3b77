/**
 * Finds all regular expressions of the service, the contract and the SDK in the syntax tree: literals, and `RegExp` created from a plain string.
 * Patterns that are composed at run time are not included.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'

export interface FoundPattern {
  readonly file: string
  readonly line: number
  readonly pattern: string
  readonly flags: string
  /** The text after `// bounded: ` on this line or the one above. */
  readonly bounded: string | undefined
}

const SOURCES = ['contract/src/**/*.ts', 'sdk/src/**/*.ts', 'service/src/**/*.ts']
const BOUNDED = '// bounded: '

/** The properties that are read from any node of the syntax tree. */
interface Node {
  readonly arguments?: unknown
  readonly callee?: unknown
  readonly flags?: unknown
  readonly name?: unknown
  readonly pattern?: unknown
  readonly quasi?: unknown
  readonly quasis?: unknown
  readonly regex?: unknown
  readonly start?: unknown
  readonly type?: unknown
  readonly value?: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return
  if (typeof value.type === 'string') yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

/** The text of a plain string, of a template without expressions, or of `String.raw`. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  const isRaw = node.type === 'TaggedTemplateExpression'
  const quasis = isRaw && isNode(node.quasi) ? node.quasi.quasis : node.quasis
  if (!Array.isArray(quasis) || quasis.length !== 1) return undefined
  const [only]: { value: { raw: string; cooked: string } }[] = quasis
  return isRaw ? only?.value.raw : only?.value.cooked
}

function patternOf(node: Node): Pick<FoundPattern, 'pattern' | 'flags'> | undefined {
  if (node.type === 'Literal' && isNode(node.regex))
    return { pattern: String(node.regex.pattern), flags: String(node.regex.flags) }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined
  if (!isNode(node.callee) || node.callee.name !== 'RegExp' || !Array.isArray(node.arguments))
    return undefined
  const [pattern, flags]: unknown[] = node.arguments
  const text = textOf(pattern)
  return text === undefined ? undefined : { pattern: text, flags: textOf(flags) ?? '' }
}

function boundOf(lines: readonly string[], line: number): string | undefined {
  for (const text of [lines[line - 1], lines[line - 2]]) {
    const at = text?.indexOf(BOUNDED) ?? -1
    if (text !== undefined && at >= 0) return text.slice(at + BOUNDED.length)
  }
  return undefined
}

export function patternsOf(file: string, text: string): FoundPattern[] {
  const lines = text.split('\n')
  const found: FoundPattern[] = []
  for (const node of nodesOf(parseAst(text, { lang: 'ts' }))) {
    const pattern = patternOf(node)
    if (pattern === undefined) continue
    const line = text.slice(0, Number(node.start)).split('\n').length
    found.push({ file, line, ...pattern, bounded: boundOf(lines, line) })
  }
  return found
}

export function readPatterns(root: string): FoundPattern[] {
  return globSync(SOURCES, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .flatMap((file) => patternsOf(file, readFileSync(join(root, file), 'utf8')))
}
