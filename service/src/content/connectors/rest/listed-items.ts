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

/** The parts of a connector whose product lists everything, with when it changed, in few requests. */
interface ListedProduct<Config> {
  /** Everything that is to be read, in parts. */
  parts(input: ConnectorInput<Config>): AsyncGenerator<ReadableItem[], void, void>
  /** One of it; undefined if it is gone, or is not to be read. */
  one(input: ConnectorInput<Config>, externalId: string): Promise<ReadableItem | undefined>
  /** Where a person finds an item that could not be read. */
  addressOf(input: ConnectorInput<Config>, externalId: string): string
  check: NonNullable<Connector<Config>['check']>
}

/**
 * The connector of a product without a feed of changes: each sync lists everything, and reads what has another marker than before.
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
      let count = 0
      for await (const part of product.parts(input)) {
        count += part.length
        yield { kind: 'discovered', count }
        for (const item of part) yield await readUnlessKnown(input, item, item.read)
      }
      yield { kind: 'complete' }
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
