import { directiveHtml } from './rst-directives.ts'
import { inlineHtml } from './rst-inline.ts'
import { dedent, indentedLength, indentOf, isBlank, joined, nextLine } from './rst-lines.ts'
import { codeHtml, tableHtml, type RstReading } from './rst-reading.ts'
import { gridTable, isSimpleBorder, simpleTable } from './rst-tables.ts'
import { escapeHtml, rstId } from './rst-text.ts'

/** The result of one construct: its HTML and its number of lines. */
interface Taken {
  html: string
  length: number
}

type Construct = (lines: readonly string[], at: number, reading: RstReading) => Taken | undefined

/** Converts lines of reStructuredText to HTML. */
export function blocksHtml(lines: readonly string[], reading: RstReading): string {
  let html = ''
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const taken = readAt(lines, at, reading)
    html += taken.html
    at += Math.max(1, taken.length)
  }
  return html
}

function readAt(lines: readonly string[], at: number, reading: RstReading): Taken {
  for (const construct of CONSTRUCTS) {
    const taken = construct(lines, at, reading)
    if (taken !== undefined) return taken
  }
  return paragraph(lines, at, reading)
}

const PUNCTUATION = /^([!-/:-@[-`{-~])\1{2,}\s*$/

const sectionTitle: Construct = (lines, at, reading) => {
  const [line = '', next = '', third = ''] = lines.slice(at, at + 3)
  const isOverlined = PUNCTUATION.test(line) && !isBlank(next) && third.trim() === line.trim()
  const isUnderlined =
    PUNCTUATION.test(next) &&
    !PUNCTUATION.test(line) &&
    indentOf(line) === 0 &&
    next.trim().length >= Math.min(line.length, 4)
  if (!isOverlined && !isUnderlined) {
    const isTransition = PUNCTUATION.test(line) && line.trim().length >= 4 && isBlank(next)
    return isTransition ? { html: '', length: 1 } : undefined
  }
  const title = (isOverlined ? next : line).trim()
  const style = `${line[0] && isOverlined ? line[0] : ''}${(isOverlined ? line : next)[0]}`
  if (!reading.titleStyles.includes(style)) reading.titleStyles.push(style)
  const depth = Math.min(reading.titleStyles.indexOf(style) + 1, 6)
  const text = inlineHtml(title, reading.names)
  const id = rstId(text.replaceAll(/<[^<>]*>/g, ''))
  return { html: `<h${depth} id="${id}">${text}</h${depth}>`, length: isOverlined ? 3 : 2 }
}

const explicitMarkup: Construct = (lines, at, reading) => {
  const line = lines[at] ?? ''
  if (/^__\s+\S/.test(line)) return { html: '', length: 1 }
  if (!/^\.\.(?:\s|$)/.test(line)) return undefined
  const length = 1 + indentedLength(lines, at + 1, 1)
  const body = lines.slice(at + 1, at + length)
  const label = /^\.\. _(`[^`]+`|[^:]+):\s*$/.exec(line)?.[1]
  if (label !== undefined && dedent(body).length === 0)
    return { html: `<a id="${rstId(label)}"></a>`, length: 1 }
  const directive = directiveOf(line.slice(2))
  if (directive !== undefined) {
    if (line.startsWith('.. |')) return { html: '', length }
    return { html: directiveHtml({ ...directive, body }, reading), length }
  }
  const note = /^\.\. \[([^\]]+)\]\s([^]*)$/.exec(line)
  if (note === null) return { html: '', length }
  const text = reading.blocksHtml(joined(note[2]?.trim() ?? '', body))
  return { html: `<p>[${escapeHtml((note[1] ?? '').replace('#', ''))}]</p>${text}`, length }
}

/** Maximum length of a directive name. */
const MAX_NAME_LENGTH = 100

/** `.. name:: argument`, optionally with a substitution before it. */
function directiveOf(line: string): { name: string; argument: string } | undefined {
  const trimmed = line.replace(/^\s+(?:\|[^|]+\|\s+)?/, '')
  const start = trimmed.slice(0, MAX_NAME_LENGTH)
  const end = /::(?:\s|$)/.exec(start)?.index ?? -1
  const name = start.slice(0, Math.max(0, end)).replace(/\s$/, '')
  return /^[\w:.+-]+$/.test(name) ? { name, argument: trimmed.slice(end + 2).trim() } : undefined
}

const table: Construct = (lines, at, reading) => {
  const line = lines[at] ?? ''
  if (/^\+[-=+]+\+\s*$/.test(line)) {
    const length = nextLine(lines, at, (each) => !/^\s*[+|]/.test(each)) - at
    return { html: tableHtml(gridTable(lines.slice(at, at + length)), reading), length }
  }
  if (!isSimpleBorder(line)) return undefined
  const second = nextLine(lines, at, isSimpleBorder)
  if (second === lines.length) return undefined
  const third = nextLine(lines, second, isSimpleBorder)
  // A border directly before a blank line is the last one.
  const end = isBlank(lines[second + 1]) || third === lines.length ? second : third
  return { html: tableHtml(simpleTable(lines.slice(at, end + 1)), reading), length: end + 1 - at }
}

const doctest: Construct = (lines, at) => {
  if (!(lines[at] ?? '').startsWith('>>> ')) return undefined
  const code = lines.slice(at, nextLine(lines, at, isBlank))
  return { html: codeHtml(code, 'pycon'), length: code.length }
}

const BULLET = /^([-*+•‣⁃])(\s+|$)/
const ENUMERATOR = /^(?:\(?(?:\d+|#|[a-zA-Z]|[ivxlcIVXLC]+)[.)])(\s+)(?=\S)/

const numberOf = (line: string) => /^\(?(\d{1,8})[.)]/.exec(line)?.[1] ?? '1'

const list: Construct = (lines, at, reading) => {
  const first = lines[at] ?? ''
  const bullet = BULLET.exec(first)
  const isOrdered = bullet === null && ENUMERATOR.test(first)
  if (bullet === null && !isOrdered) return undefined
  const next = lines[at + 1] ?? ''
  // "A. Einstein said …" begins a paragraph, not a list.
  if (isOrdered && !isBlank(next) && indentOf(next) === 0 && !ENUMERATOR.test(next)) return undefined
  const mark = isOrdered ? ENUMERATOR : BULLET
  let html = ''
  let end = at
  for (let start = at; start < lines.length;) {
    const line = lines[start] ?? ''
    const found = mark.exec(line)
    if (found === null || (bullet !== null && line[0] !== bullet[1])) break
    const length = 1 + indentedLength(lines, start + 1, 1)
    const item = joined(line.slice(found[0].length), lines.slice(start + 1, start + length))
    html += `<li>${reading.blocksHtml(item)}</li>`
    end = start + length
    start = end
    while (start < lines.length && isBlank(lines[start])) start += 1
  }
  return {
    html: isOrdered ? `<ol start="${numberOf(first)}">${html}</ol>` : `<ul>${html}</ul>`,
    length: end - at,
  }
}

const FIELD = /^:((?:[^:\\]|\\.|:(?!\s|$|`))+):(?:\s+(.*))?$/
/** Fields for programs, not for readers. */
const SILENT_FIELDS = /^(?:orphan|tocdepth|nocomments|nosearch|mod|no-index|noindex|no-typesetting|term)$/

const fieldList: Construct = (lines, at, reading) => {
  const field = FIELD.exec(lines[at] ?? '')
  if (field === null) return undefined
  const length = 1 + indentedLength(lines, at + 1, 1)
  const [, name = '', start = ''] = field
  if (SILENT_FIELDS.test(name)) return { html: '', length }
  const body = joined(start, lines.slice(at + 1, at + length))
  const label = inlineHtml(fieldName(name), reading.names)
  return { html: `<dl class="field-list"><dt>${label}</dt><dd>${reading.blocksHtml(body)}</dd></dl>`, length }
}

/** @example fieldName('param str path') // '``path`` (str)' */
function fieldName(name: string): string {
  const [kind = '', ...words] = name.split(/\s+/)
  if (words.length === 0) return kind.charAt(0).toUpperCase() + kind.slice(1)
  if (
    !/^(?:param|parameter|arg|argument|key|keyword|raises?|except|exception|type|var|ivar|cvar|vartype)$/.test(
      kind,
    )
  )
    return name
  const last = words.pop() ?? ''
  return `${/^(?:raises?|except|exception)$/.test(kind) ? 'Raises ' : ''}\`\`${last}\`\`${words.length > 0 ? ` (${words.join(' ')})` : ''}`
}

const OPTION =
  /^((?:[-/]\w(?:[ =]?<?[\w-]+>?)?|--[\w-]+(?:(?:[ =]<?|<)[\w-]+>?)?)(?:, (?:-\w(?:[ =]?<?[\w-]+>?)?|--[\w-]+(?:(?:[ =]<?|<)[\w-]+>?)?))*)(?: {2}([^]*))?$/

const optionList: Construct = (lines, at, reading) => {
  const option = OPTION.exec(lines[at] ?? '')
  const next = lines[at + 1]
  if (option === null || (option[2] === undefined && (isBlank(next) || indentOf(next ?? '') === 0)))
    return undefined
  const length = 1 + indentedLength(lines, at + 1, 1)
  const body = joined(option[2]?.trim() ?? '', lines.slice(at + 1, at + length))
  return {
    html: `<dl><dt><code>${escapeHtml(option[1] ?? '')}</code></dt><dd>${reading.blocksHtml(body)}</dd></dl>`,
    length,
  }
}

const lineBlock: Construct = (lines, at, reading) => {
  if (!/^\|(?:\s|$)/.test(lines[at] ?? '')) return undefined
  const block = lines.slice(
    at,
    nextLine(lines, at, (line) => !/^(?:\||\s+\S)/.test(line)),
  )
  const html = block.map((line) => inlineHtml(line.replace(/^\|?\s*/, ''), reading.names)).join('<br>')
  return { html: `<p>${html}</p>`, length: block.length }
}

const definition: Construct = (lines, at, reading) => {
  const [term = '', next] = [lines[at], lines[at + 1]]
  if (isBlank(next) || indentOf(term) > 0 || indentOf(next ?? '') === 0) return undefined
  const length = 1 + indentedLength(lines, at + 1, 1)
  const body = reading.blocksHtml(dedent(lines.slice(at + 1, at + length)))
  return { html: `<dl><dt>${inlineHtml(term, reading.names)}</dt><dd>${body}</dd></dl>`, length }
}

const quote: Construct = (lines, at, reading) => {
  const depth = indentOf(lines[at] ?? '')
  if (depth === 0) return undefined
  const length = indentedLength(lines, at, 1)
  return {
    html: `<blockquote>${reading.blocksHtml(dedent(lines.slice(at, at + length)))}</blockquote>`,
    length,
  }
}

function paragraph(lines: readonly string[], at: number, reading: RstReading): Taken {
  let end = at + 1
  while (end < lines.length && !isBlank(lines[end])) end += 1
  const text = lines
    .slice(at, end)
    .map((line) => line.trim())
    .join('\n')
  const isLiteral = text.endsWith('::')
  const shown = isLiteral ? text.slice(0, -2).trimEnd() + (/\s::$|^::$/.test(text) ? '' : ':') : text
  const html = shown === '' ? '' : `<p>${inlineHtml(shown, reading.names)}</p>`
  if (!isLiteral) return { html, length: end - at }
  const literal = indentedLength(lines, end, 1)
  return {
    html: html + codeHtml(dedent(lines.slice(end, end + literal)), reading.language),
    length: end - at + literal,
  }
}

const CONSTRUCTS: Construct[] = [
  explicitMarkup,
  table,
  sectionTitle,
  doctest,
  list,
  fieldList,
  optionList,
  lineBlock,
  quote,
  definition,
]
