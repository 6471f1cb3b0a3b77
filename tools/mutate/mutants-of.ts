/** Finds the small changes that can be made to a source file, in its syntax tree. Types, comments, imports and log calls have none. */
import { isNode, isType, type Node, syntaxTreeOf } from './syntax.ts'

export type Kind = 'comparison' | 'logic' | 'condition' | 'call' | 'return' | 'where' | 'number' | 'throw'

/** A place in a file, and what is written there instead. */
export interface Mutant {
  readonly kind: Kind
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const LOGIC: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }

/** Calls that change what is logged, or when the process may end. */
const UNSEEN_CALLS = /^(?:log|logger|console|unref)$/

/** Names of durations: a millisecond more or less cannot be seen from outside. */
const DURATION = /(?:Ms|_MS|Millis|milliseconds)$/i
const TIMERS = /^(?:setTimeout|setInterval|timeout|sleep|delay)$/

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const nodeAt = (node: Node, property: string): Node | undefined => {
  const value = node[property]
  return isNode(value) ? value : undefined
}

/** The names of `a.b().c`: c, b, a. */
function namesOf(node: Node | undefined): string[] {
  if (node === undefined) return []
  if (node.type === 'Identifier') return [String(node['name'])]
  if (node.type === 'MemberExpression')
    return [...namesOf(nodeAt(node, 'property')), ...namesOf(nodeAt(node, 'object'))]
  const inner = node.type === 'CallExpression' ? 'callee' : 'expression'
  return namesOf(nodeAt(node, inner))
}

const callOf = (statement: Node): Node | undefined => {
  let node = nodeAt(statement, 'expression')
  while (node?.type === 'AwaitExpression' || node?.type === 'UnaryExpression') node = nodeAt(node, 'argument')
  while (node?.type === 'ChainExpression') node = nodeAt(node, 'expression')
  return node?.type === 'CallExpression' ? node : undefined
}

const isUnseenCall = (call: Node): boolean =>
  namesOf(nodeAt(call, 'callee')).some((name) => UNSEEN_CALLS.test(name))

/** Whether the numbers below a node are durations in milliseconds. */
function isDuration(node: Node): boolean {
  if (node.type === 'VariableDeclarator')
    return namesOf(nodeAt(node, 'id')).some((name) => DURATION.test(name))
  if (node.type === 'Property') return namesOf(nodeAt(node, 'key')).some((name) => DURATION.test(name))
  if (node.type !== 'CallExpression') return false
  return TIMERS.test(namesOf(nodeAt(node, 'callee'))[0] ?? '')
}

export function mutantsOf(text: string): Mutant[] {
  const mutants: Mutant[] = []
  const add = (kind: Kind, start: number, end: number, after: string): void => {
    mutants.push({ kind, start, end, before: text.slice(start, end), after })
  }
  const replace = (kind: Kind, node: Node, after: string): void => add(kind, node.start, node.end, after)

  /** An operator stands between its operands, which may have comments and parentheses around them. */
  const replaceOperator = (kind: Kind, node: Node, replacements: Readonly<Record<string, string>>): void => {
    const operator = String(node['operator'])
    const after = replacements[operator]
    const left = nodeAt(node, 'left')
    const right = nodeAt(node, 'right')
    if (after === undefined || left === undefined || right === undefined) return
    const at = text.slice(left.end, right.start).search(/(?<=[\s)])[<>=!&|]/)
    const start = left.end + at
    if (at >= 0 && text.startsWith(operator, start)) add(kind, start, start + operator.length, after)
  }

  const negate = (node: Node): void => {
    const condition = nodeAt(node, 'test')
    if (condition === undefined) return
    // The negation of a comparison with === is its mutant already.
    const isEquality = condition.type === 'BinaryExpression' && /^[!=]==$/.test(String(condition['operator']))
    if (!isEquality) replace('condition', condition, `!(${text.slice(condition.start, condition.end)})`)
  }

  const replaceResult = (node: Node | undefined): void => {
    if (node?.type === 'Literal' && typeof node['value'] === 'boolean')
      replace('return', node, String(!node['value']))
  }

  const visitors: Readonly<Record<string, (node: Node) => void>> = {
    BinaryExpression: (node) => replaceOperator('comparison', node, COMPARISONS),
    LogicalExpression: (node) => replaceOperator('logic', node, LOGIC),
    IfStatement: negate,
    ConditionalExpression: negate,
    ThrowStatement: (node) => replace('throw', node, ';'),
    ArrowFunctionExpression: (node) => replaceResult(nodeAt(node, 'body')),
    ExpressionStatement: (node) => {
      if (callOf(node) !== undefined) replace('call', node, ';')
    },
    ReturnStatement: (node) => {
      const result = nodeAt(node, 'argument')
      replaceResult(result)
      if (result === undefined || namesOf(result)[0] === 'undefined') return
      if (result.type !== 'Literal' || typeof result['value'] !== 'boolean')
        replace('return', result, 'undefined')
    },
    CallExpression: (node) => {
      const callee = nodeAt(node, 'callee')
      const query = callee?.type === 'MemberExpression' ? nodeAt(callee, 'object') : undefined
      if (query === undefined || !/^(?:where|whereRef|having)$/.test(namesOf(callee)[0] ?? '')) return
      // From the point on, which is on the line of its own that the report tells.
      add('where', query.end + text.slice(query.end).search(/\S/), node.end, '')
    },
    Literal: (node) => {
      const value = node['value']
      if (typeof value !== 'number' || !Number.isInteger(value)) return
      replace('number', node, String(value + 1))
      replace('number', node, value === 0 ? '(-1)' : String(value - 1))
    },
  }

  const visit = (node: Node, isInDuration: boolean): void => {
    if (isType(node)) return
    if (/^(?:Import|ExportAll)/.test(node.type) && node.type !== 'ImportExpression') return
    if (node.type === 'ExpressionStatement') {
      const call = callOf(node)
      if (call !== undefined && isUnseenCall(call)) return
    }
    const isDurationHere = isInDuration || isDuration(node)
    if (node.type !== 'Literal' || !isDurationHere) visitors[node.type]?.(node)
    for (const child of childrenOf(node)) visit(child, isDurationHere)
  }

  visit(syntaxTreeOf(text), false)
  return mutants
}

export const applyMutant = (text: string, { start, end, after }: Mutant): string =>
  `${text.slice(0, start)}${after}${text.slice(end)}`
