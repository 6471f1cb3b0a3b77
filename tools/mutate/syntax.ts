/** The syntax tree of a source file, as what makes mutants and marks reads it. */
import { parseAst } from 'vitest/node'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [property: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Types are not executed. */
export const isType = ({ type }: Node): boolean =>
  type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)Expression$/.test(type)

export function syntaxTreeOf(text: string): Node {
  const tree: unknown = parseAst(text, { lang: 'ts' })
  if (!isNode(tree)) throw new Error('The parser gave no tree.')
  return tree
}
