import { mediaTypeOfKeptFile, ParseFailure } from '../../parsing/parsing.ts'
import {
  parseShareOf,
  type ConnectorInput,
  type ListedItem,
  type VisibilityAtSource,
  type SourceItems,
} from '../connector.ts'
import type { ApiDeps } from './api-connector.ts'
import { ApiFailure } from './api-failure.ts'
import { MAX_FILE_BYTES, TOO_LARGE } from './file-limit.ts'
import { readUnlessKnown } from './product-item.ts'

/** Characters of a name that are shown. */
const MAX_NAME_CHARACTERS = 500

/** A file at an item, as its product lists it. */
export interface Attachment {
  /** Of the item that it is attached to. */
  of: string
  id: string
  /** Its file name: it tells the format. */
  name: string
  /** Undefined: the product does not say. */
  bytes: number | undefined
  /** Differs whenever its content does. */
  version: string
  /** Where a person opens it. */
  url: string
  /** That of the item. */
  visibility: VisibilityAtSource
  /** Its content, of at most so many bytes. */
  fetch: (maxBytes: number) => Promise<Uint8Array>
}

const BETWEEN = '/attachments/'

const externalIdOf = ({ of, id }: Attachment): string => `${of}${BETWEEN}${id}`

/** The id of the item that a file is attached to; undefined if it is the id of an item. */
const itemOfFile = (externalId: string): string | undefined => {
  const at = externalId.indexOf(BETWEEN)
  return at === -1 ? undefined : externalId.slice(0, at)
}

/** What a reading by ids was asked for. */
export interface AskedIds {
  has: (externalId: string) => boolean
  /** The ids of files at this item. */
  filesOf: (item: string) => readonly string[]
}

const markerOf = ({ version, name, url, visibility }: Attachment) =>
  JSON.stringify([version, name, url, visibility])

/** The name that readers know, on one line. */
const shownName = ({ name }: Attachment): string =>
  name.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, MAX_NAME_CHARACTERS)

const isTooLarge = ({ bytes = 0 }: Attachment) => bytes > MAX_FILE_BYTES

/** Those that are listed as documents: of a format that is read, and not too large. */
export const listedAttachments = (attachments: readonly Attachment[]): ListedItem[] =>
  attachments
    .filter((one) => mediaTypeOfKeptFile(one.name) !== undefined && !isTooLarge(one))
    .map((one) => ({ externalId: externalIdOf(one), changed: markerOf(one) }))

/** A refusal of one file is about this file: the same credentials read its item just before. */
async function contentOf(attachment: Attachment): Promise<Uint8Array> {
  try {
    return await attachment.fetch(MAX_FILE_BYTES)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.kind !== 'unauthorized') throw error
    const because = `The attachment ${shownName(attachment)} is not given to the account of this source, which may read its item (401).`
    throw new ApiFailure('forbidden', because, { status: error.status, cause: error })
  }
}

/**
 * Reads the files at an item, each as a document of its own, in the visibility of the item.
 *
 * @param asked the files that are read; undefined: all
 */
export async function* readAttachments(
  deps: Pick<ApiDeps, 'parse'>,
  input: ConnectorInput<unknown>,
  attachments: readonly Attachment[],
  asked?: AskedIds,
): SourceItems {
  for (const attachment of attachments) {
    const { name, url, visibility } = attachment
    const externalId = externalIdOf(attachment)
    if (asked?.has(externalId) === false) continue
    const mediaType = mediaTypeOfKeptFile(name)
    if (mediaType === undefined) input.onLeftOut?.(url, 'not a document')
    else if (isTooLarge(attachment)) {
      const reason = `the attachment ${shownName(attachment)} ${TOO_LARGE}`
      yield { kind: 'skipped', url, reason, externalId, memory: undefined }
    } else
      yield await readUnlessKnown(
        input,
        { externalId, url, visibility, changed: markerOf(attachment) },
        async () => {
          const bytes = await contentOf(attachment)
          if (bytes.length === 0) throw new ParseFailure('The file is empty.')
          const { document } = await deps.parse({ mediaType, bytes, url }, input.signal, parseShareOf(input))
          // Titles inside of office files are often those of a template.
          return { document: { ...document, title: shownName(attachment) }, modified: undefined }
        },
      )
  }
}

/** What is asked for, by item: however many of its files are, it is opened once. */
export function asksByItem(externalIds: readonly string[]): {
  asked: AskedIds
  files: ReadonlyMap<string, readonly string[]>
} {
  const asked = new Set(externalIds)
  const files = new Map<string, string[]>()
  for (const externalId of asked) {
    const item = itemOfFile(externalId) ?? externalId
    const known = files.get(item) ?? []
    if (item !== externalId) known.push(externalId)
    files.set(item, known)
  }
  return {
    asked: { has: (externalId) => asked.has(externalId), filesOf: (item) => files.get(item) ?? [] },
    files,
  }
}

/**
 * Reads items and files by their ids: one for each. Files that their item no longer has are gone.
 *
 * @param readParts reads items by their ids, and of each what was asked for: the item itself, some of its files, or both
 */
export async function* readWithAttachments(
  externalIds: readonly string[],
  readParts: (items: readonly string[], asked: AskedIds) => SourceItems,
): SourceItems {
  const left = new Set(externalIds)
  const { asked, files } = asksByItem(externalIds)
  const parts = readParts([...files.keys()], asked)
  for await (const part of parts)
    if (!('externalId' in part) || part.externalId === undefined || left.delete(part.externalId)) yield part
  for (const externalId of left) yield { kind: 'removed', externalId }
}
