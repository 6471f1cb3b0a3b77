import { mediaTypeOfFile, ParseFailure } from '../../parsing/parsing.ts'
import {
  parseShareOf,
  type ConnectorInput,
  type ListedItem,
  type SourceItem,
  type VisibilityAtSource,
} from '../connector.ts'
import type { ApiDeps } from './api-connector.ts'
import { readUnlessKnown } from './product-item.ts'

/** Bytes of a file that is read; the others are left out, with a sentence. */
const MAX_ATTACHMENT_BYTES = 33_554_432

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

const markerOf = ({ version, name, url, visibility }: Attachment) =>
  JSON.stringify([version, name, url, visibility])

const isTooLarge = ({ bytes = 0 }: Attachment) => bytes > MAX_ATTACHMENT_BYTES

/** Those that are listed as documents: of a format that is read, and not too large. */
export const listedAttachments = (attachments: readonly Attachment[]): ListedItem[] =>
  attachments
    .filter((one) => mediaTypeOfFile(one.name) !== undefined && !isTooLarge(one))
    .map((one) => ({ externalId: externalIdOf(one), changed: markerOf(one) }))

/** Reads the files at an item, each as a document of its own, in the visibility of the item. */
export async function* readAttachments(
  deps: Pick<ApiDeps, 'parse'>,
  input: ConnectorInput<unknown>,
  attachments: readonly Attachment[],
): AsyncGenerator<SourceItem, void, void> {
  for (const attachment of attachments) {
    const { name, url, visibility } = attachment
    const externalId = externalIdOf(attachment)
    const mediaType = mediaTypeOfFile(name)
    if (mediaType === undefined) input.onLeftOut?.(url, 'not a document')
    else if (isTooLarge(attachment)) {
      const reason = `the attachment ${name} is larger than 32 MiB: attach it in parts, or without its images`
      yield { kind: 'skipped', url, reason, externalId, memory: undefined }
    } else
      yield await readUnlessKnown(
        input,
        { externalId, url, visibility, changed: markerOf(attachment) },
        async () => {
          const bytes = await attachment.fetch(MAX_ATTACHMENT_BYTES)
          if (bytes.length === 0) throw new ParseFailure('The file is empty.')
          const { document } = await deps.parse({ mediaType, bytes, url }, input.signal, parseShareOf(input))
          // The name that readers know: titles inside of office files are often those of a template.
          const title = name.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, MAX_NAME_CHARACTERS)
          return { document: { ...document, title }, modified: undefined }
        },
      )
  }
}

/**
 * Reads items and files by their ids. Files that their item no longer has are gone.
 *
 * @param readWhole reads items by their ids, each with its files
 */
export async function* readWithAttachments(
  externalIds: readonly string[],
  readWhole: (items: readonly string[]) => AsyncGenerator<SourceItem, void, void>,
): AsyncGenerator<SourceItem, void, void> {
  const missing = new Set(externalIds.filter((id) => itemOfFile(id) !== undefined))
  const items = new Set(externalIds.map((id) => itemOfFile(id) ?? id))
  for await (const item of readWhole([...items])) {
    const id = 'externalId' in item ? item.externalId : undefined
    if (id !== undefined) missing.delete(id)
    // Nothing is known of the files of an item that could not be read.
    if (item.kind === 'failed') for (const file of missing) if (itemOfFile(file) === id) missing.delete(file)
    yield item
  }
  for (const externalId of missing) yield { kind: 'removed', externalId }
}
