import { codeHtml, escapeHtml, linkHtml, tag } from './write-html.ts'

/** A node of the Atlassian Document Format. Whatever does not fit is left out, so that no node ends the reading. */
interface AdfNode extends AdfMark {
  text: string
  marks: AdfMark[]
  content: unknown[]
}

interface AdfMark {
  type: string
  attributes: Record<string, unknown>
}

/** Nodes of one document, and how deep they are nested; what is beyond is left out. */
const MAX_NODES = 100_000
const MAX_DEPTH = 100
export const ADF_CUT = `Of one text the first ${MAX_NODES.toLocaleString('en')} parts are read, nested ${MAX_DEPTH} deep at most.`

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** A whole number; `NaN` for what is neither a number nor the digits of one. */
const numberOf = (value: unknown): number => Math.trunc(Number(textOf(value) || Number.NaN))

function markOf(value: unknown): AdfMark {
  const fields = recordOf(value)
  return { type: textOf(fields['type']), attributes: recordOf(fields['attrs']) }
}

function nodeOf(value: unknown): AdfNode {
  const fields = recordOf(value)
  return {
    ...markOf(value),
    text: textOf(fields['text']),
    marks: listOf(fields['marks']).slice(0, 20).map(markOf),
    content: listOf(fields['content']),
  }
}

const ELEMENTS = new Map(
  Object.entries({
    paragraph: 'p',
    bulletList: 'ul',
    listItem: 'li',
    decisionList: 'ul',
    decisionItem: 'li',
    taskList: 'ul',
    blockquote: 'blockquote',
    panel: 'blockquote',
    table: 'table',
    tableRow: 'tr',
    caption: 'p',
  }),
)

const MARKS = new Map(Object.entries({ strong: 'strong', em: 'em', strike: 's', code: 'code' }))

/** Nodes with their own way of writing. */
const NODE_WRITERS: Record<string, (node: AdfNode, inside: () => string) => string> = {
  text: (node) => marked(node),
  heading: (node, inside) => {
    const level = Math.min(6, Math.max(1, numberOf(node.attributes['level']) || 2))
    return tag(`h${level}`, inside())
  },
  orderedList: (node, inside) => {
    const first = numberOf(node.attributes['order']) || 1
    return tag('ol', inside(), first > 1 ? { start: String(first) } : {})
  },
  taskItem: (node, inside) => tag('li', `${node.attributes['state'] === 'DONE' ? '☑' : '☐'} ${inside()}`),
  codeBlock: (node) =>
    codeHtml(node.content.map((part) => nodeOf(part).text).join(''), textOf(node.attributes['language'])),
  tableHeader: (node, inside) => tag('th', inside(), spansOf(node)),
  tableCell: (node, inside) => tag('td', inside(), spansOf(node)),
  hardBreak: () => '<br>',
  rule: () => '<hr>',
  expand: (node, inside) => titled(node) + inside(),
  nestedExpand: (node, inside) => titled(node) + inside(),
  status: (node) => escapeHtml(textOf(node.attributes['text'])),
  date: (node) => {
    const time = new Date(numberOf(node.attributes['timestamp']))
    return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 10)
  },
  emoji: (node) => escapeHtml(textOf(node.attributes['text']) || textOf(node.attributes['shortName'])),
  // Who it is stays in Jira.
  mention: () => '@someone',
  inlineCard: card,
  blockCard: (node) => tag('p', card(node)),
  embedCard: (node) => tag('p', card(node)),
  media: (node) => escapeHtml(textOf(node.attributes['alt'])),
  mediaInline: (node) => escapeHtml(textOf(node.attributes['alt'])),
}
/** By type: a map has nothing that was not put into it. */
const WRITERS = new Map(Object.entries(NODE_WRITERS))

function card({ attributes }: AdfNode): string {
  const url = textOf(attributes['url'])
  return linkHtml(url, escapeHtml(url))
}

const titled = ({ attributes }: AdfNode) => {
  const title = textOf(attributes['title'])
  return title === '' ? '' : tag('p', tag('strong', escapeHtml(title)))
}

function spansOf({ attributes }: AdfNode): Record<string, string> {
  const spans: Record<string, string> = {}
  for (const name of ['colspan', 'rowspan']) {
    const count = numberOf(attributes[name])
    if (count > 1 && count <= 1_000) spans[name] = String(count)
  }
  return spans
}

function marked({ text, marks }: AdfNode): string {
  let written = escapeHtml(text)
  // Code stands inside of everything else.
  for (const { type } of marks.toSorted(
    (one, other) => Number(other.type === 'code') - Number(one.type === 'code'),
  )) {
    const name = MARKS.get(type)
    if (name !== undefined) written = tag(name, written)
  }
  const link = marks.find(({ type }) => type === 'link')
  return link === undefined ? written : linkHtml(textOf(link.attributes['href']), written)
}

/**
 * A document of the Atlassian Document Format as HTML. Nodes of a kind that is not known give what is inside them.
 *
 * @param onCut called for what is beyond the limits
 */
export function adfToHtml(document: unknown, onCut: () => void = () => undefined): string {
  let nodes = 0
  function write(value: unknown, depth: number): string {
    nodes += 1
    if (nodes > MAX_NODES || depth > MAX_DEPTH) {
      onCut()
      return ''
    }
    const node = nodeOf(value)
    const inside = () => node.content.map((part) => write(part, depth + 1)).join('')
    const writer = WRITERS.get(node.type)
    if (writer !== undefined) return writer(node, inside)
    const element = ELEMENTS.get(node.type)
    return element === undefined ? marked(node) + inside() : tag(element, inside())
  }
  return write(document, 0)
}
