import { describedHtml, DESCRIBED } from './rst-described.ts'
import { codeHtml, type ReadDirective, type RstReading, type Writer } from './rst-reading.ts'
import { csvTable, listTable } from './rst-table-directives.ts'
import { inlineHtml } from './rst-inline.ts'
import { dedent, isBlank } from './rst-lines.ts'
import { escapeHtml, rstId } from './rst-text.ts'

export interface Directive {
  /** e.g. `note` or `py:function` */
  name: string
  argument: string
  /** The lines below, with their indentation. */
  body: readonly string[]
}

/** Writes a directive as HTML. An unknown one is written as its content. */
export function directiveHtml(directive: Directive, reading: RstReading): string {
  const name = directive.name.toLowerCase()
  const bare = name.split(':').at(-1) ?? name
  const writer = WRITERS[name] ?? WRITERS[bare] ?? (DESCRIBED.has(bare) ? describedHtml : box)
  return writer(parseDirective(directive), reading)
}

/** The argument may continue on further lines; options follow it directly; content comes after a blank line. */
function parseDirective({ argument, body }: Directive): ReadDirective {
  const lines = dedent(body)
  const startsBlank = isBlank(body[0])
  const options = new Map<string, string>()
  const head: string[] = []
  let at = 0
  const end = startsBlank ? 0 : lines.length
  while (at < end && !isBlank(lines[at])) {
    const option = /^:([\w-]+):(?:\s([^]*))?$/.exec(lines[at] ?? '')
    if (option !== null) options.set(option[1] ?? '', option[2]?.trim() ?? '')
    else if (options.size > 0) break
    else head.push(lines[at] ?? '')
    at += 1
  }
  const isContinued = argument !== '' && head.length > 0
  const content = dedent(lines.slice(at))
  return {
    argument: isContinued ? [argument, ...head].join('\n') : argument,
    options,
    content: isContinued
      ? content
      : head.length > 0
        ? [...head, ...(content.length > 0 ? [''] : []), ...content]
        : content,
  }
}

/** Directives that say nothing to a reader, or only contain what a program generates. */
const nothing: Writer = () => ''

const label =
  (words: string): Writer =>
  ({ argument, content }, reading) =>
    `<p><strong>${words}</strong></p>${argument === '' ? '' : reading.blocksHtml(argument.split('\n'))}${reading.blocksHtml(content)}`

/** `.. versionadded:: 3.9` with its description. */
const since =
  (words: string): Writer =>
  ({ argument, content }, reading) => {
    const [, version = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(argument) ?? []
    const first = `${words.replace('%', version)}${text === '' && content.length === 0 ? '.' : `: ${text}`}`
    const [start = '', ...rest] = content
    const joins = text === '' && content.length > 0 && !/^(?:[-*+]\s|\.\.|\|)/.test(start)
    return reading.blocksHtml(joins ? [`${first}${start}`, ...rest] : [first, '', ...content])
  }

const code: Writer = ({ argument, options, content }, reading) => {
  const caption = options.get('caption')
  const title = caption === undefined ? '' : `<p><strong>${inlineHtml(caption, reading.names)}</strong></p>`
  return title + codeHtml(content, argument || reading.language)
}

const codeIn =
  (language: string): Writer =>
  ({ content }) =>
    codeHtml(content, language)

const math: Writer = ({ argument, content }) =>
  codeHtml([...argument.split('\n'), ...content].filter(Boolean), 'math')

const picture: Writer = ({ argument, options, content }, reading) =>
  `<p><img src="${escapeHtml(argument)}" alt="${escapeHtml(options.get('alt') ?? '')}"></p>${reading.blocksHtml(content)}`

/** Its title in bold, then its content. */
const titled: Writer = ({ argument, content }, reading) => {
  const title = argument === '' ? '' : `<p><strong>${inlineHtml(argument, reading.names)}</strong></p>`
  return title + reading.blocksHtml(content)
}

/** Its content only; its argument is meant for a program. */
const contentOnly: Writer = ({ content }, reading) => reading.blocksHtml(content)

const box: Writer = ({ argument, content }, reading) =>
  content.length === 0
    ? ''
    : titled(
        { argument: /^[\w\s.,'’!?-]{2,80}$/.test(argument) ? argument : '', options: new Map(), content },
        reading,
      )

const raw: Writer = ({ argument, content }) => (argument.toLowerCase() === 'html' ? content.join('\n') : '')

const highlight: Writer = ({ argument }, reading) => {
  reading.language = argument
  return ''
}

const moduleScope: Writer = ({ argument }, reading) => {
  reading.scope = argument === '' || argument === 'None' ? [] : [argument]
  return argument === '' ? '' : `<a id="module-${escapeHtml(argument)}"></a>`
}

const glossary: Writer = ({ content }, reading) =>
  reading
    .blocksHtml(content)
    .replaceAll(/<dt>([^<]+)/g, (_, term: string) => `<dt id="term-${rstId(term)}">${term}`)

const WRITERS: Record<string, Writer> = {
  ...Object.fromEntries(
    'note warning tip important caution danger attention hint error todo'
      .split(' ')
      .map((name) => [name, label(name.charAt(0).toUpperCase() + name.slice(1))]),
  ),
  seealso: label('See also'),
  versionadded: since('New in version %'),
  versionchanged: since('Changed in version %'),
  versionremoved: since('Removed in version %'),
  deprecated: since('Deprecated since version %'),
  'deprecated-removed': since('Deprecated since version %'),
  ...Object.fromEntries('code-block code sourcecode'.split(' ').map((name) => [name, code])),
  ...Object.fromEntries(
    'parsed-literal productionlist testoutput prompt'.split(' ').map((name) => [name, codeIn('')]),
  ),
  doctest: codeIn('pycon'),
  testcode: codeIn('python'),
  ipython: codeIn('ipython'),
  math,
  image: picture,
  figure: picture,
  raw,
  highlight,
  module: moduleScope,
  currentmodule: moduleScope,
  'csv-table': csvTable,
  'list-table': listTable,
  table: titled,
  glossary,
  ...Object.fromEntries(
    'admonition topic sidebar rubric centered tab tab-item group-tab dropdown collapse card grid-item-card details'
      .split(' ')
      .map((name) => [name, titled]),
  ),
  ...Object.fromEntries(
    'only container compound rst-class hlist epigraph highlights pull-quote tabs tab-set grid grid-item impl-detail'
      .split(' ')
      .map((name) => [name, contentOnly]),
  ),
  ...Object.fromEntries(
    (
      'toctree contents index meta include literalinclude sectionauthor moduleauthor codeauthor testsetup testcleanup ' +
      'automodule autosummary default-role role unicode replace sectnum header footer tabularcolumns target-notes ' +
      'highlightlang audit-event-table plot graphviz mermaid inheritance-diagram'
    )
      .split(' ')
      .map((name) => [name, nothing]),
  ),
}
