import { codeSpan } from './inline-markdown.ts'
import { listIn, recordIn, textIn } from './json-reading.ts'
import { markdownHtml } from './markdown-html.ts'
import { readFragment } from './html.ts'
import type { Description } from './openapi-references.ts'
import type { Block } from './parsing-blocks.ts'

/** What a description says of the API as a whole: its introduction, servers, authorization, groups of operations. */
export function overviewBlocks(api: Description): Block[] {
  const info = recordIn(api.root['info'])
  return [
    ...markdownBlocks(textIn(info['description']), api.url),
    ...section(
      'Servers',
      serversOf(api).map((server) => codeSpan(server)),
    ),
    ...authorizationBlocks(api),
    ...section('Operations', tagLines(api)),
  ]
}

/** Descriptions within an API description are Markdown. */
export function markdownBlocks(markdown: string | undefined, url: string): Block[] {
  return markdown === undefined ? [] : readFragment(markdownHtml(markdown).html, url)
}

/** Base addresses, including the path that Swagger 2 keeps in a separate field. */
export function serversOf(api: Description): string[] {
  const servers = listIn(api.root['servers']).flatMap((server) => textIn(recordIn(server)['url']) ?? [])
  const host = textIn(api.root['host'])
  if (servers.length > 0 || host === undefined) return servers
  const [scheme] = listIn(api.root['schemes'])
  return [`${typeof scheme === 'string' ? scheme : 'https'}://${host}${textIn(api.root['basePath']) ?? ''}`]
}

function section(title: string, items: string[]): Block[] {
  if (items.length === 0) return []
  return [
    { kind: 'heading', depth: 2, text: title, anchor: undefined },
    { kind: 'list', items, isOrdered: false },
  ]
}

function tagLines(api: Description): string[] {
  return listIn(api.root['tags']).map((value) => {
    const tag = recordIn(value)
    const text = textIn(tag['description'])?.replaceAll(/\s+/g, ' ').trim()
    return `**${textIn(tag['name']) ?? ''}**${text === undefined ? '' : `: ${text}`}`
  })
}

function authorizationBlocks(api: Description): Block[] {
  const schemes = recordIn(
    recordIn(api.root['components'])['securitySchemes'] ?? api.root['securityDefinitions'],
  )
  const rows = Object.entries(schemes).map(([name, value]) => {
    const scheme = api.resolve(value)
    const where = [scheme['scheme'], scheme['in'], scheme['name']].map(textIn).filter(Boolean).join(' ')
    return [
      codeSpan(name),
      textIn(scheme['type']) ?? '',
      where,
      textIn(scheme['description'])?.replaceAll(/\s+/g, ' ').trim() ?? '',
    ]
  })
  if (rows.length === 0) return []
  return [
    { kind: 'heading', depth: 2, text: 'Authorization', anchor: undefined },
    { kind: 'table', header: ['Name', 'Type', 'Where', 'Description'], rows },
  ]
}
