import { parseJson } from '../../kernel/json.ts'
import { ADF_CUT, adfToHtml } from './adf-html.ts'
import { decodeText } from './charset.ts'
import { parseHtml } from './html.ts'
import { listIn, recordIn, textIn } from './json-reading.ts'
import { leftOutOf } from './left-out.ts'
import type { ParsedPage, ParseInput } from './parsing-blocks.ts'
import { storageToHtml } from './storage-format.ts'
import { escapeHtml, tag } from './write-html.ts'

function htmlOf(part: unknown, told: Set<string>): string {
  const fields = recordIn(part)
  const storage = textIn(fields['storage'])
  if (storage !== undefined)
    return storageToHtml(storage, {
      site: textIn(fields['site']) ?? '',
      space: textIn(fields['space']) ?? '',
    })
  return textIn(fields['html']) ?? adfToHtml(fields['adf'], () => told.add(ADF_CUT))
}

/** Reads what `itemInput` made: all of it is content, since an API sends no menus. */
export function parseItem(input: ParseInput): ParsedPage {
  const { title, parts } = recordIn(
    parseJson(decodeText(input.bytes, { charset: 'utf-8', mayDeclare: false })),
  )
  const head = tag('head', tag('title', escapeHtml(textIn(title) ?? '')))
  const told = new Set<string>()
  const inner = listIn(parts).map((part) => htmlOf(part, told))
  const body = tag('body', tag('main', inner.join('')))
  const parsed = parseHtml({
    mediaType: 'text/html',
    charset: 'utf-8',
    bytes: Buffer.from(`<!doctype html>${tag('html', head + body)}`),
    url: input.url,
    contentSelector: 'main',
  })
  return { ...parsed, document: { ...parsed.document, ...leftOutOf(told) } }
}
