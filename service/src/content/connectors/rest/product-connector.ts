import type { Connector, ConnectorInput } from '../connector.ts'
import { asSourceFailure } from './api-failure.ts'

/** The steps of a connector as its product's folder writes them; they may throw `ApiFailure`. */
type ProductSteps<Config> = Required<
  Omit<Connector<Config>, 'type' | 'hidesAsGone' | 'readsAsStranger' | 'readAddresses'>
>

/** Their APIs answer 404 for what an account may not read, or was not given, as for what never was there. */
const HIDE_AS_GONE: ReadonlySet<string> = new Set([
  'confluence',
  'discourse',
  'github',
  'gitlab',
  'google_drive',
  'jira',
  'notion',
  'sharepoint',
  'slack_channels',
])

/**
 * The connector of a product. A step that ends with an `ApiFailure` ends with a `SourceFailure`, which says what to do about it.
 *
 * @param connectAgain what to do if the credentials are not accepted, or may not read the source: a sentence for its owner
 */
export function productConnector<Config>(
  type: string,
  connectAgain: string,
  { read, list, readItems, check }: ProductSteps<Config>,
): Connector<Config> {
  async function* explained<Item>(items: AsyncGenerator<Item, void, void>): AsyncGenerator<Item, void, void> {
    try {
      yield* items
    } catch (error) {
      throw asSourceFailure(error, connectAgain)
    }
  }
  return {
    type,
    hidesAsGone: HIDE_AS_GONE.has(type),
    read: (input) => explained(read(input)),
    list: (input) => explained(list(input)),
    readItems: (input, externalIds) => explained(readItems(input, externalIds)),
    check: async (input: ConnectorInput<Config>) => {
      try {
        return await check(input)
      } catch (error) {
        throw asSourceFailure(error, connectAgain)
      }
    },
  }
}
