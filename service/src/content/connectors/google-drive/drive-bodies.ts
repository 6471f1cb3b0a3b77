import { canParse, mediaTypeOfKeptFile, type ParsedDocument } from '../../parsing/parsing.ts'
import { parseShareOf, type ConnectorInput } from '../connector.ts'
import { filedUnder, parseBody, titleOfItem, type ApiDeps } from '../rest/api-connector.ts'
import { MAX_FILE_BYTES, requireReadableSize } from '../rest/file-limit.ts'
import type { RestClient } from '../rest/rest-client.ts'
import type { DriveFile } from './drive-schemas.ts'

/** Google exports at most 10 MB. */
const MAX_EXPORT_BYTES = 12_582_912

export const FOLDER = 'application/vnd.google-apps.folder'
export const SHORTCUT = 'application/vnd.google-apps.shortcut'

/** What Google's own formats are exported as: https://developers.google.com/workspace/drive/api/guides/ref-export-formats */
const EXPORTS: Record<string, 'text/markdown' | 'text/csv' | 'text/plain'> = {
  'application/vnd.google-apps.document': 'text/markdown',
  // The first sheet only: other formats of all sheets are not read.
  'application/vnd.google-apps.spreadsheet': 'text/csv',
  'application/vnd.google-apps.presentation': 'text/plain',
}

/** The media type that a stored file is parsed as; undefined if it is no document. */
function typeOfStored({ mimeType, name }: DriveFile): string | undefined {
  const named = mediaTypeOfKeptFile(name)
  // What people upload as text/plain may be Markdown.
  return named ?? (canParse(mimeType) ? mimeType : undefined)
}

/** Whether it can become a document. */
export const isReadable = (file: DriveFile): boolean =>
  EXPORTS[file.mimeType] !== undefined || typeOfStored(file) !== undefined

/** The name without what says its format. */
const titleOf = ({ name }: DriveFile): string =>
  mediaTypeOfKeptFile(name) === undefined ? name : name.replace(/\.[A-Za-z]+$/, '')

/**
 * Reads the text of a file.
 * @throws ApiFailure, ParseFailure
 */
export async function readBody(
  deps: Pick<ApiDeps, 'parse'>,
  input: ConnectorInput<unknown>,
  client: RestClient,
  { file, url, path }: { file: DriveFile; url: string; path: readonly string[] },
): Promise<ParsedDocument> {
  const place = `/drive/v3/files/${encodeURIComponent(file.id)}`
  const title = titleOfItem(titleOf(file)) || 'Untitled'
  const exported = EXPORTS[file.mimeType]
  if (exported !== undefined) {
    const bytes = await client.bytes(`${place}/export?mimeType=${encodeURIComponent(exported)}`, {
      maxBytes: MAX_EXPORT_BYTES,
      headers: { accept: '*/*' },
    })
    if (exported === 'text/csv') {
      const { document } = await deps.parse(
        { mediaType: exported, bytes, url },
        input.signal,
        parseShareOf(input),
      )
      return filedUnder(path, { ...document, title })
    }
    const markdown = new TextDecoder().decode(bytes)
    return await parseBody(deps, input, { title, url, path, body: { markdown } })
  }
  requireReadableSize(Number(file.size ?? 0))
  const bytes = await client.bytes(`${place}?alt=media&supportsAllDrives=true`, {
    maxBytes: MAX_FILE_BYTES,
    headers: { accept: '*/*' },
  })
  const given = { mediaType: typeOfStored(file) ?? 'text/plain', bytes, url }
  const { document } = await deps.parse(given, input.signal, parseShareOf(input))
  // The name that readers know: titles inside of office files are often those of a template.
  return { ...document, title }
}
