import type { ParsedDocument } from '../../parsing/parsing.ts'
import type { Connector, ConnectorInput, SourceItem, VisibilityAtSource } from '../connector.ts'
import { itemFailure } from './api-connector.ts'
import { ApiFailure } from './api-failure.ts'
import { productConnector } from './product-connector.ts'
import { readUnlessKnown } from './product-item.ts'

/** An item as the list of its product tells it, and how it is read. */
export interface ReadableItem {
  externalId: string
  url: string
  /** Differs whenever it has to be read again. */
  changed: string
  /** Undefined: the product does not say. */
  visibility: VisibilityAtSource | undefined
  /** `modified`: a time as the product writes it. May throw `ApiFailure` and `ParseFailure`. */
  read: () => Promise<{ document: ParsedDocument; modified: string | null | undefined }>
}

/** Removed items of one reading, and a fifth of what changed: see `removalOf` of syncs, which knows how many there are in all. */
const MANY = 20
const isMany = ({ items, removed }: Changes) =>
  removed.length >= MANY && removed.length > (items.length + removed.length) / 5

/** The parts of a connector whose product lists everything, with when it changed, in few requests. */
interface ListedProduct<Config> {
  /** Everything that is to be read, in parts. */
  parts(input: ConnectorInput<Config>): AsyncGenerator<ReadableItem[], void, void>
  /** One of it; undefined if it is gone, or is not to be read. */
  one(input: ConnectorInput<Config>, externalId: string): Promise<ReadableItem | undefined>
  /** Where a person finds an item that could not be read. */
  addressOf(input: ConnectorInput<Config>, externalId: string): string
  check: NonNullable<Connector<Config>['check']>
  /** For a product that tells what changed: each sync reads that, and lists everything only when the sync needs it. */
  changes?: {
    /** Where the changes begin that come after now. */
    start(input: ConnectorInput<Config>): Promise<Record<string, unknown>>
    /** Undefined: the product no longer knows this place, and everything is listed. */
    since(input: ConnectorInput<Config>, cursor: unknown): Promise<Changes | undefined>
  }
}

/** What changed since a place in a feed, and where it goes on. */
export interface Changes {
  /** What changed; with `isEverything`, all that there is. */
  items: ReadableItem[]
  isEverything?: true
  removed: string[]
  cursor: Record<string, unknown>
}

/**
 * The connector of a product that lists everything, each sync unless there is a feed of changes, and of which what has another marker than
 * before is read.
 *
 * @param connectAgain see `productConnector`
 */
export function listingConnector<Config>(
  type: string,
  connectAgain: string,
  product: ListedProduct<Config>,
): Connector<Config> {
  async function readOne(input: ConnectorInput<Config>, externalId: string): Promise<SourceItem> {
    try {
      const item = await product.one(input, externalId)
      return item === undefined
        ? { kind: 'removed', externalId }
        : await readUnlessKnown(input, item, item.read)
    } catch (error) {
      // A place that is gone itself says nothing about its items: then this throws.
      if (error instanceof ApiFailure && error.kind === 'gone') await product.parts(input).next()
      return itemFailure(error, { externalId, url: product.addressOf(input, externalId) })
    }
  }

  return productConnector(type, connectAgain, {
    async *read(input) {
      const changed =
        input.cursor === undefined ? undefined : await product.changes?.since(input, input.cursor)
      // Many at once may be a lost permission: then everything is read, and what is missing goes only if the owner accepts it.
      if (changed !== undefined && !isMany(changed)) {
        yield { kind: 'discovered', count: changed.items.length }
        for (const item of changed.items) yield await readUnlessKnown(input, item, item.read)
        for (const externalId of changed.removed) yield { kind: 'removed', externalId }
        if (changed.isEverything === true) yield { kind: 'complete', isEverything: true }
        yield { kind: 'cursor', cursor: changed.cursor }
        return
      }
      // Taken first: what changes while the list is read is read again.
      const start = changed?.cursor ?? (await product.changes?.start(input))
      let count = 0
      for await (const part of product.parts(input)) {
        count += part.length
        yield { kind: 'discovered', count }
        for (const item of part) yield await readUnlessKnown(input, item, item.read)
      }
      yield { kind: 'complete', isEverything: true }
      if (start !== undefined) yield { kind: 'cursor', cursor: start }
    },
    async *list(input) {
      for await (const part of product.parts(input))
        for (const { externalId, changed } of part) yield { externalId, changed }
    },
    async *readItems(input, externalIds) {
      for (const externalId of externalIds) yield await readOne(input, externalId)
    },
    check: product.check,
  })
}
