/**
 * Marks in the code of the service, for what a test executes: one at the begin of each block, of each branch, and of each function without a
 * block. A mutant can be seen by the tests that pass the mark before it.
 */
import { isNode, isType, type Node, syntaxTreeOf } from './syntax.ts'

/** The part of a file that is executed whenever its mark is passed. */
export interface Probe {
  readonly start: number
  readonly end: number
}

/** The parts of a statement or an expression that are not always executed with it. */
const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ForStatement: ['body'],
  ForInStatement: ['body'],
  ForOfStatement: ['body'],
  WhileStatement: ['body'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
  ArrowFunctionExpression: ['body'],
}

/** Each with the text that goes before it and after it. */
function placesIn(text: string, mark: (nth: number) => string) {
  const probes: Probe[] = []
  const inserted: { at: number; text: string }[] = []
  const insert = (at: number, added: string): void => void inserted.push({ at, text: added })

  function visit(node: Node, branch?: 'expression' | 'statement'): void {
    if (isType(node)) return
    const isMarked = node.type === 'BlockStatement' || branch !== undefined
    if (isMarked) {
      const call = mark(probes.push({ start: node.start, end: node.end }) - 1)
      if (node.type === 'BlockStatement') insert(node.start + 1, `${call};`)
      else insert(node.start, branch === 'statement' ? `{${call};` : `(${call},`)
    }
    const branches = BRANCHES[node.type] ?? []
    for (const [property, value] of Object.entries(node)) {
      for (const child of [value].flat().filter(isNode)) {
        const isBranch = branches.includes(property) && child.type !== 'BlockStatement'
        const kind = /^(?:If|For|While)/.test(node.type) ? 'statement' : 'expression'
        visit(child, isBranch ? kind : undefined)
      }
    }
    // After those of what is in it, which may end at the same place.
    if (isMarked && node.type !== 'BlockStatement') insert(node.end, branch === 'statement' ? '}' : ')')
  }

  visit(syntaxTreeOf(text))
  return { probes, inserted }
}

export const probesOf = (text: string): Probe[] => placesIn(text, () => '').probes

/** The text with its marks, on the same lines. */
export function withProbes(text: string, file: string): string {
  const { inserted } = placesIn(
    text,
    (nth) => `globalThis.reachedByTest?.add(${JSON.stringify(`${file}:${nth}`)})`,
  )
  let from = 0
  let result = ''
  for (const { at, text: added } of inserted.toSorted((one, other) => one.at - other.at)) {
    result += text.slice(from, at) + added
    from = at
  }
  return result + text.slice(from)
}

/** The smallest part that a place is in; undefined outside of functions. */
export function probeAt(probes: readonly Probe[], place: number): number | undefined {
  const around = probes
    .map(({ start, end }, nth) => ({ nth, start, end }))
    .filter(({ start, end }) => start <= place && place < end)
  return around.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0]?.nth
}
