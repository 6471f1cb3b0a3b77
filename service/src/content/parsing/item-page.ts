import { parseJson } from '../../kernel/json.ts'
import { adfToHtml } from './adf-html.ts'
import { decodeText } from './charset.ts'
import { parseHtml } from './html.ts'
import { listIn, recordIn, textIn } from './json-reading.ts'
import type { ParsedPage, ParseInput } from './parsing-blocks.ts'
import { storageToHtml } from './storage-format.ts'
import { escapeHtml, tag } from './write-html.ts'

function htmlOf(part: unknown): string {
  const fields = recordIn(part)
  const storage = textIn(fields['storage'])
  if (storage !== undefined)
    return storageToHtml(storage, {
      site: textIn(fields['site']) ?? '',
      space: textIn(fields['space']) ?? '',
    })
  return textIn(fields['html']) ?? adfToHtml(fields['adf'])
}

/** Reads what `itemInput` made: all of it is content, since an API sends no menus. */
export function parseItem(input: ParseInput): ParsedPage {
  const { title, parts } = recordIn(
    parseJson(decodeText(input.bytes, { charset: 'utf-8', mayDeclare: false })),
  )
  const head = tag('head', tag('title', escapeHtml(textIn(title) ?? '')))
  const body = tag('body', tag('main', listIn(parts).map(htmlOf).join('')))
  return parseHtml({
    mediaType: 'text/html',
    charset: 'utf-8',
    bytes: Buffer.from(`<!doctype html>${tag('html', head + body)}`),
    url: input.url,
    contentSelector: 'main',
  })
}
