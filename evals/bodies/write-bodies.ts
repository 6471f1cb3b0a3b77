import { escapeHtml } from '../../service/src/content/parsing/parsing.ts'
import type { BlockTree } from '../../service/src/content/connectors/notion/notion-markdown.ts'
import type { BodyBlock, ListItem, Span } from './make-body.ts'

const LINK = 'https://docs.example.com/page'

interface HtmlDialect {
  code: (language: string, text: string) => string
  note: (inner: string) => string
  unknown: (inner: string) => string
  mention: string
}

/** The same blocks in a dialect of HTML. */
function asMarkup(blocks: readonly BodyBlock[], dialect: HtmlDialect): string {
  const span = ({ kind, text }: Span): string => {
    const inner = escapeHtml(text)
    if (kind === 'bold') return `<strong>${inner}</strong>`
    if (kind === 'italic') return `<em>${inner}</em>`
    if (kind === 'code') return `<code>${inner}</code>`
    if (kind === 'link') return `<a href="${LINK}">${inner}</a>`
    return kind === 'mention' ? dialect.mention : inner
  }
  const line = (spans: readonly Span[]) => spans.map(span).join(' ')
  const item = ({ spans, inner }: ListItem) => {
    const below = inner.map((one) => `<li>${escapeHtml(one)}</li>`).join('')
    return `<li><p>${line(spans)}</p>${below === '' ? '' : `<ul>${below}</ul>`}</li>`
  }
  const row = (cells: readonly string[], name: string) =>
    `<tr>${cells.map((cell) => `<${name}><p>${escapeHtml(cell)}</p></${name}>`).join('')}</tr>`
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'heading':
          return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`
        case 'bullets':
          return `<ul>${block.items.map(item).join('')}</ul>`
        case 'numbers':
          return `<ol>${block.items.map(item).join('')}</ol>`
        case 'table':
          return `<table><tbody>${row(block.head, 'th')}${block.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`
        case 'code':
          return dialect.code(block.language, block.text)
        case 'note':
          return dialect.note(`<p>${line(block.spans)}</p>`)
        case 'unknown':
          return dialect.unknown(`<p>${line(block.spans)}</p>`)
        case 'paragraph':
          return `<p>${line(block.spans)}</p>`
      }
    })
    .join('\n')
}

const macro = (name: string, inner: string) =>
  `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${inner}</ac:structured-macro>`

/** https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html */
export const asStorage = (blocks: readonly BodyBlock[]): string =>
  asMarkup(blocks, {
    code: (language, text) =>
      macro(
        'code',
        `<ac:parameter ac:name="language">${language}</ac:parameter><ac:plain-text-body><![CDATA[${text}]]></ac:plain-text-body>`,
      ),
    note: (inner) => macro('info', `<ac:rich-text-body>${inner}</ac:rich-text-body>`),
    unknown: (inner) =>
      macro(
        'vendor-hologram',
        `<ac:parameter ac:name="beam">wide</ac:parameter><ac:rich-text-body>${inner}</ac:rich-text-body>`,
      ),
    mention: '<ac:link><ri:user ri:account-id="5b10"/></ac:link>',
  })

/** What the editor of a help center writes. */
export const asHelpCenterHtml = (blocks: readonly BodyBlock[]): string =>
  asMarkup(blocks, {
    code: (language, text) => `<pre class="language-${language}"><code>${escapeHtml(text)}</code></pre>`,
    note: (inner) => `<div class="callout callout--info">${inner}</div>`,
    unknown: (inner) => `<x-accordion data-open="no">${inner}</x-accordion>`,
    mention: '<span class="mention">@someone</span>',
  })

const MARKS: Partial<Record<Span['kind'], object>> = {
  bold: { type: 'strong' },
  italic: { type: 'em' },
  code: { type: 'code' },
  link: { type: 'link', attrs: { href: LINK } },
}

/** https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
export function asAdf(blocks: readonly BodyBlock[]): unknown {
  const text = (value: string, mark?: object) => ({
    type: 'text',
    text: value,
    ...(mark && { marks: [mark] }),
  })
  const line = (spans: readonly Span[]) =>
    spans.flatMap(({ kind, text: value }, at) => [
      ...(at > 0 ? [text(' ')] : []),
      kind === 'mention'
        ? { type: 'mention', attrs: { id: '5b10', text: '@Ada' } }
        : text(value, MARKS[kind]),
    ])
  const paragraph = (content: unknown[]) => ({ type: 'paragraph', content })
  const item = ({ spans, inner }: ListItem) => ({
    type: 'listItem',
    content: [
      paragraph(line(spans)),
      ...(inner.length === 0
        ? []
        : [
            {
              type: 'bulletList',
              content: inner.map((one) => ({ type: 'listItem', content: [paragraph([text(one)])] })),
            },
          ]),
    ],
  })
  const row = (cells: readonly string[], type: string) => ({
    type: 'tableRow',
    content: cells.map((cell) => ({ type, attrs: {}, content: [paragraph([text(cell)])] })),
  })
  const node = (block: BodyBlock): unknown => {
    switch (block.kind) {
      case 'heading':
        return { type: 'heading', attrs: { level: block.level }, content: [text(block.text)] }
      case 'bullets':
        return { type: 'bulletList', content: block.items.map(item) }
      case 'numbers':
        return { type: 'orderedList', content: block.items.map(item) }
      case 'table':
        return {
          type: 'table',
          content: [row(block.head, 'tableHeader'), ...block.rows.map((cells) => row(cells, 'tableCell'))],
        }
      case 'code':
        return { type: 'codeBlock', attrs: { language: block.language }, content: [text(block.text)] }
      case 'note':
        return { type: 'panel', attrs: { panelType: 'info' }, content: [paragraph(line(block.spans))] }
      case 'unknown':
        return { type: 'vendorHologram', attrs: { beam: 'wide' }, content: [paragraph(line(block.spans))] }
      case 'paragraph':
        return paragraph(line(block.spans))
    }
  }
  return { type: 'doc', version: 1, content: blocks.map(node) }
}

/** https://developers.notion.com/reference/block */
export function asNotion(blocks: readonly BodyBlock[]): BlockTree[] {
  const rich = (text: string, kind: Span['kind'] = 'text') => ({
    type: kind === 'mention' ? 'mention' : 'text',
    plain_text: kind === 'mention' ? '@someone' : text,
    href: kind === 'link' ? LINK : null,
    annotations: { bold: kind === 'bold', italic: kind === 'italic', code: kind === 'code' },
  })
  const line = (spans: readonly Span[]) =>
    spans.flatMap(({ kind, text }, at) => [...(at > 0 ? [rich(' ')] : []), rich(text, kind)])
  const tree = (type: string, fields: object, children: BlockTree[] = []): BlockTree => ({
    block: { id: 'b', type, has_children: children.length > 0, [type]: fields },
    children,
  })
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'heading':
        return [tree(`heading_${block.level}`, { rich_text: [rich(block.text)] })]
      case 'bullets':
      case 'numbers': {
        const type = block.kind === 'bullets' ? 'bulleted_list_item' : 'numbered_list_item'
        return block.items.map(({ spans, inner }) =>
          tree(
            type,
            { rich_text: line(spans) },
            inner.map((one) => tree('bulleted_list_item', { rich_text: [rich(one)] })),
          ),
        )
      }
      case 'table':
        return [
          tree(
            'table',
            { has_column_header: true, table_width: block.head.length },
            [block.head, ...block.rows].map((cells) =>
              tree('table_row', { cells: cells.map((cell) => [rich(cell)]) }),
            ),
          ),
        ]
      case 'code':
        return [tree('code', { language: block.language, rich_text: [rich(block.text)] })]
      case 'note':
        return [tree('callout', { rich_text: line(block.spans), icon: { emoji: 'i' } })]
      case 'unknown':
        return [tree('vendor_hologram', { rich_text: line(block.spans), beam: 'wide' })]
      case 'paragraph':
        return [tree('paragraph', { rich_text: line(block.spans) })]
    }
  })
}

/** https://www.mediawiki.org/wiki/Help:Formatting */
export function asWikitext(blocks: readonly BodyBlock[]): string {
  const plain = (text: string) => `<nowiki>${escapeHtml(text)}</nowiki>`
  const span = ({ kind, text }: Span): string => {
    if (kind === 'bold') return `'''${plain(text)}'''`
    if (kind === 'italic') return `''${plain(text)}''`
    if (kind === 'code') return `<code>${plain(text)}</code>`
    if (kind === 'link') return `[${LINK} ${plain(text)}]`
    return kind === 'mention' ? '[[User:Someone|@someone]]' : plain(text)
  }
  const line = (spans: readonly Span[]) => spans.map(span).join(' ')
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'heading': {
          const mark = '='.repeat(block.level)
          return `${mark} ${block.text} ${mark}`
        }
        case 'bullets':
        case 'numbers': {
          const mark = block.kind === 'bullets' ? '*' : '#'
          return block.items
            .flatMap(({ spans, inner }) => [
              `${mark} ${line(spans)}`,
              ...inner.map((one) => `${mark}* ${plain(one)}`),
            ])
            .join('\n')
        }
        case 'table': {
          const rows = block.rows.map((cells) => `|-\n| ${cells.map(plain).join(' || ')}`)
          return `{| class="wikitable"\n! ${block.head.map(plain).join(' !! ')}\n${rows.join('\n')}\n|}`
        }
        case 'code':
          return `<pre>${block.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`
        case 'note':
          return `<blockquote>${line(block.spans)}</blockquote>`
        case 'unknown':
          return `<div class="hologram" data-beam="wide">${line(block.spans)}</div>`
        case 'paragraph':
          return line(block.spans)
      }
    })
    .join('\n\n')
}
