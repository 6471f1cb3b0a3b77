import { z } from 'zod'
import { escapeMarkdown } from '../rest/api-connector.ts'
import { RichText, type NotionBlock, type Property } from './notion-schemas.ts'

/** A block with those inside it. */
export interface BlockTree {
  block: NotionBlock
  children: BlockTree[]
}

/** What the blocks that are read have. Whatever does not fit is left out, so that no block ends the reading of a page. */
const Fields = z.object({
  rich_text: z.array(RichText).catch([]).default([]),
  caption: z.array(RichText).catch([]).default([]),
  language: z.string().max(50).catch('').default(''),
  checked: z.boolean().catch(false).default(false),
  url: z.string().max(10_000).catch('').default(''),
  title: z.string().max(10_000).catch('').default(''),
  name: z.string().max(2_000).catch('').default(''),
  expression: z.string().catch('').default(''),
  has_column_header: z.boolean().catch(false).default(false),
  cells: z.array(z.array(RichText)).catch([]).default([]),
})
type Fields = z.infer<typeof Fields>

const fieldsOf = ({ block }: BlockTree): Fields => {
  const parsed = Fields.safeParse(block[block.type])
  return parsed.success ? parsed.data : Fields.parse({})
}

/** The delimiters stand outside of white space, or they would be text. */
const wrapped = (text: string, mark: string) => {
  const inner = text.trim()
  return inner === '' ? text : text.replace(inner, () => `${mark}${inner}${mark}`)
}

function codeSpan(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(0, ...runs) + 1)
  return runs.length === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

function inlineOf({ plain_text: text, annotations, href, type }: RichText): string {
  if (text === '') return ''
  if (type === 'equation') return codeSpan(text)
  let written = annotations?.code === true ? codeSpan(text) : escapeMarkdown(text)
  if (annotations?.bold === true) written = wrapped(written, '**')
  if (annotations?.italic === true) written = wrapped(written, '*')
  if (annotations?.strikethrough === true) written = wrapped(written, '~~')
  const link = URL.parse(href ?? '')
  if (link === null || !/^https?:$/.test(link.protocol)) return written
  return `[${written}](${link.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

const inline = (texts: readonly RichText[]) => texts.map(inlineOf).join('')

/** A paragraph: its lines stay lines, and none of them begins a list. */
const paragraph = (texts: readonly RichText[]) =>
  inline(texts)
    .split('\n')
    .map((line) =>
      line.replace(
        /^(\s{0,20})([-+]|\d{1,9}[.)])(?=\s|$)/,
        (_all, space: string, sign: string) => `${space.slice(0, 3)}${sign.slice(0, -1)}\\${sign.slice(-1)}`,
      ),
    )
    .join('  \n')

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

const indented = (text: string, by: string) => text.replaceAll(/^(?=.)/gm, by)

function fenced(code: string, language: string): string {
  const runs = [...code.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(2, ...runs) + 1)
  return `${fence}${/^[\w+#-]+$/.test(language) ? language : ''}\n${code}\n${fence}`
}

const plain = (texts: readonly RichText[]) => texts.map(({ plain_text: text }) => text).join('')

function table(tree: BlockTree): string {
  const rows = tree.children.map((row) => fieldsOf(row).cells.map((cell) => oneLine(inline(cell))))
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_none, at) => cells[at] ?? '').join(' | ')} |`
  const [first = [], ...others] = rows
  const [head, body] = fieldsOf(tree).has_column_header ? [first, others] : [[], rows]
  return [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n')
}

const HEADINGS = new Map(
  Object.entries({ heading_1: '#', heading_2: '##', heading_3: '###', heading_4: '####' }),
)

const LIST_MARKS = new Map<string, (fields: Fields) => string>([
  ['bulleted_list_item', () => '-'],
  ['numbered_list_item', () => '1.'],
  ['to_do', ({ checked }) => (checked ? '- [x]' : '- [ ]')],
])

/** Documents of their own, or nothing to read. */
const LEFT_OUT = new Set(['child_page', 'child_database', 'table_of_contents', 'breadcrumb', 'divider'])

function link(fields: Fields, words: string): string {
  const text = words === '' ? escapeMarkdown(fields.name || fields.title || fields.url) : words
  const url = URL.parse(fields.url)
  return url !== null && /^https?:$/.test(url.protocol) ? `<${url.href}> ${words}`.trim() : text
}

/** A block of any type: those that are not known give their text, and what is inside them. */
function blockMarkdown(tree: BlockTree): string {
  const { type } = tree.block
  const fields = fieldsOf(tree)
  const below = () => markdownOf(tree.children)
  const heading = HEADINGS.get(type)
  const mark = LIST_MARKS.get(type)
  if (LEFT_OUT.has(type)) return ''
  if (heading !== undefined) return joined(`${heading} ${oneLine(inline(fields.rich_text))}`, below())
  if (mark !== undefined) {
    const item = `${mark(fields)} ${indented(paragraph(fields.rich_text), '    ').trimStart()}`
    const inner = below()
    return inner === '' ? item : `${item}\n\n${indented(inner, '    ')}`
  }
  switch (type) {
    case 'code':
      return fenced(plain(fields.rich_text), fields.language === 'plain text' ? '' : fields.language)
    case 'equation':
      return fenced(fields.expression, 'latex')
    case 'table':
      return table(tree)
    case 'quote':
    case 'callout':
      return joined(paragraph(fields.rich_text), below()).replaceAll(/^/gm, '> ')
    case 'toggle':
      return joined(wrapped(oneLine(inline(fields.rich_text)), '**'), below())
    default:
      return joined(paragraph(fields.rich_text) || link(fields, inline(fields.caption)).trim(), below())
  }
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part.trim() !== '').join('\n\n')

/** Items of one list stand together: a blank line between two lists would be one between two items. */
const isList = ({ block }: BlockTree | { block: { type: string } }) => LIST_MARKS.has(block.type)

/** The blocks of a page as Markdown. */
export function markdownOf(trees: readonly BlockTree[]): string {
  let text = ''
  for (const [at, tree] of trees.entries()) {
    const written = blockMarkdown(tree)
    if (written.trim() === '') continue
    const before = trees[at - 1]
    const goesOn = before !== undefined && isList(before) && before.block.type === tree.block.type
    text += text === '' ? written : `${goesOn ? '\n' : '\n\n'}${written}`
  }
  return text
}

/** The values of a page in a database, as a list; its title is the title of the document. */
export function propertiesMarkdown(properties: Record<string, Property>): string {
  return Object.entries(properties)
    .flatMap(([name, property]) => {
      const value = oneLine(valueOf(property))
      return value === '' ? [] : [`- ${escapeMarkdown(oneLine(name))}: ${value}`]
    })
    .join('\n')
}

function valueOf(property: Property): string {
  const named = property.select ?? property.status
  const { date } = property
  const values = [
    inline(property.rich_text ?? []),
    property.number === null || property.number === undefined ? '' : String(property.number),
    escapeMarkdown(property.url ?? ''),
    escapeMarkdown(named?.name ?? ''),
    (property.multi_select ?? []).map(({ name }) => escapeMarkdown(name)).join(', '),
    date === null || date === undefined ? '' : [date.start, date.end ?? ''].filter(Boolean).join(' to '),
    property.checkbox === true ? 'yes' : '',
  ]
  return values.find((value) => value !== '') ?? ''
}

export const titleOf = (properties: Record<string, Property>): string =>
  oneLine(plain(Object.values(properties).find(({ type }) => type === 'title')?.title ?? []))
