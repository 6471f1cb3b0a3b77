import type { TableGrid } from './html-tables.ts'
import {
  attribute,
  classesOf,
  findElement,
  hasClass,
  isElement,
  lineOf,
  type HtmlElement,
} from './html-tree.ts'

/** A note that is laid out as a table: an icon, or the word for its kind, beside its text. */
export interface Admonition {
  label: string
  content: HtmlElement
}

const KIND =
  /^\[?(?:note|tip|hint|warning|important|caution|danger|attention|info|hinweis|anmerkung|tipp|warnung|achtung|wichtig|vorsicht|remarque|astuce|avertissement|attention|nota|consejo|advertencia|aviso|dica|suggerimento|attenzione|opmerking|waarschuwing)\]?[:.!]?$/i
const CLASS = /^(?:admonition(?:block)?|note|tip|hint|warning|important|caution|danger|attention|callout)$/i
/** How many elements around a table may have the class of a note: one is the note's own. */
const AROUND = 2

const pictureOf = (cell: HtmlElement) =>
  findElement(cell, ({ tagName }) => ['img', 'i', 'svg'].includes(tagName))

/** The kind that an icon stands for: its words, or those of its picture. */
function kindOf(cell: HtmlElement): string {
  const picture = pictureOf(cell)
  const words =
    lineOf(cell) ||
    (picture === undefined ? '' : (attribute(picture, 'alt') ?? attribute(picture, 'title') ?? ''))
  return words
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/[:.]$/, '')
    .trim()
}

function isWithinNote(table: HtmlElement): boolean {
  let element = table.parentNode
  for (let depth = 0; depth < AROUND && element !== null && isElement(element); depth += 1) {
    if (classesOf(element).some((name) => CLASS.test(name))) return true
    element = element.parentNode
  }
  return false
}

/** The cells of a table in which one cell is beside all others: the icon, what may be its name, and the text. */
function cellsBeside({ header, rows, caption }: TableGrid): HtmlElement[] {
  const cells = [...new Set(rows.flat())].filter((cell) => cell !== undefined)
  const areBeside = rows.length <= 2 && rows.every((row) => row.length === 2 && row[0] === cells[0])
  return areBeside && header.length === 0 && caption === undefined && cells.length <= 3 ? cells : []
}

/** Reads a table as DocBook and AsciiDoc write notes; undefined if it is another one. */
export function admonitionOf(table: HtmlElement, grid: TableGrid): Admonition | undefined {
  const [icon, ...others] = cellsBeside(grid)
  const content = others.at(-1)
  if (icon === undefined || content === undefined) return undefined
  const kind = kindOf(icon)
  const isIcon = hasClass(icon, 'icon') || (lineOf(icon) === '' && pictureOf(icon) !== undefined)
  if (!KIND.test(kind) && !(isIcon && isWithinNote(table))) return undefined
  // In DocBook the name stands beside the icon, in the language of the page.
  const [title] = others.length === 2 ? others : []
  if (title !== undefined && title.tagName !== 'th') return undefined
  const label = (title === undefined ? '' : lineOf(title)) || kind || nameOfClass(table)
  return { label, content }
}

/** `admonitionblock tip` and `tip` are called "Tip". */
function nameOfClass({ parentNode }: HtmlElement): string {
  const names = parentNode !== null && isElement(parentNode) ? classesOf(parentNode) : []
  const name = names.find((each) => KIND.test(each)) ?? 'note'
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}
