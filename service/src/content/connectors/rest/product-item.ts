import type { ParsedDocument } from '../../parsing/parsing.ts'
import { markerMemory, type ConnectorInput, type SourceItem, type VisibilityAtSource } from '../connector.ts'
import { itemFailure } from './api-connector.ts'

/** An item as the list of its product tells it. */
export interface ListedFacts {
  externalId: string
  /** Its marker: see `ListedItem.changed`. */
  changed: string
  /** Undefined: the product does not say. */
  visibility: VisibilityAtSource | undefined
}

/** A time as a product writes it; undefined if it is none. */
export function dateAtSource(text: string | null | undefined): Date | undefined {
  const date = new Date(text ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** What to yield of an item that is as it was when it was last read; undefined if it has to be read. */
export async function unchangedItem(
  input: Pick<ConnectorInput<unknown>, 'recall'>,
  { externalId, changed, visibility }: ListedFacts,
): Promise<Extract<SourceItem, { kind: 'unchanged' }> | undefined> {
  if ((await input.recall(externalId))?.etag !== changed) return undefined
  return { kind: 'unchanged', externalId, memory: markerMemory(externalId, changed), visibility }
}

/**
 * An item, read only if it is not as it was.
 *
 * @param read may throw `ApiFailure` and `ParseFailure`: see `itemFailure`. `modified` is a time as the product writes it
 */
export async function readUnlessKnown(
  input: Pick<ConnectorInput<unknown>, 'recall'>,
  { url, ...facts }: ListedFacts & { url: string },
  read: () => Promise<{ document: ParsedDocument; modified: string | null | undefined }>,
): Promise<SourceItem> {
  const unchanged = await unchangedItem(input, facts)
  if (unchanged !== undefined) return unchanged
  const { externalId, changed, visibility } = facts
  try {
    const { document, modified } = await read()
    return {
      kind: 'document',
      externalId,
      url,
      document,
      modifiedAt: dateAtSource(modified),
      memory: markerMemory(externalId, changed),
      visibility,
    }
  } catch (error) {
    return itemFailure(error, { externalId, url, visibility })
  }
}
