import type { SourceConfig } from '@citewell/contract/source-configs'
import type { z } from 'zod'
import type { Connector, ConnectorInput, VisibilityAtSource } from '../connector.ts'
import {
  basicAuthorization,
  oncePerReading,
  openApiClient,
  parseBody,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { listingConnector, type ReadableItem } from '../rest/listed-items.ts'
import { linkedPages } from '../rest/linked-pages.ts'
import { Agent, Article, Articles, Categories, Folders, type Folder } from './freshdesk-schemas.ts'

export type FreshdeskSolutionsConfig = SourceConfig<'freshdesk_solutions'>
type Input = ConnectorInput<FreshdeskSolutionsConfig>

const NAME = 'Freshdesk'
const CONNECT_AGAIN =
  'In Freshdesk click your picture › Profile settings › View API key, copy the key, and enter it here. Its agent needs the permission to view solutions.'

const PAGE_SIZE = 100
/** A server that always has more would never end. */
const MAX_FOLDERS = 10_000
/** Folders may be nested two deep. */
const MAX_DEPTH = 10

const EVERYONE = 1
const PUBLISHED = 2

/** A folder with what holds for its articles. */
interface Place {
  /** Its category, the folders that it is in, and itself. */
  path: string[]
  visibility: VisibilityAtSource
}

/** Reads the solution articles of a Freshdesk. */
export function createFreshdeskSolutionsConnector(deps: ApiDeps): Connector<FreshdeskSolutionsConfig> {
  const clientOf = perReading((input: Input) =>
    openApiClient(deps, input, {
      name: NAME,
      origin: new URL(input.config.url).origin,
      // The key is the name; any password will do.
      headers: () => ({ authorization: basicAuthorization(input.credentials?.token ?? '', 'X') }),
    }),
  )

  const pages = <Item>(input: Input, place: string, schema: z.ZodType<Item[]>) =>
    linkedPages(clientOf(input), `/api/v2/solutions/${place}?per_page=${PAGE_SIZE}`, schema, NAME)

  /** All folders; a folder within one that not everyone may see counts as restricted, too. */
  const placesOf = oncePerReading(CONNECT_AGAIN, async (input: Input) => {
    const places = new Map<number, Place>()
    async function take(folder: Folder, above: Place, depth: number): Promise<void> {
      if (depth > MAX_DEPTH || places.has(folder.id)) return
      if (places.size >= MAX_FOLDERS)
        throw new ApiFailure('unexpected', `${NAME} lists more folders than are read.`)
      const isOpen = folder.visibility === EVERYONE && above.visibility === 'as-source'
      const place: Place = {
        path: [...above.path, folder.name],
        visibility: isOpen ? 'as-source' : 'restricted',
      }
      places.set(folder.id, place)
      if ((folder.sub_folders_count ?? 0) === 0) return
      for await (const folders of pages(input, `folders/${folder.id}/subfolders`, Folders))
        for (const inner of folders) await take(inner, place, depth + 1)
    }
    for await (const categories of pages(input, 'categories', Categories)) {
      for (const { id, name } of categories) {
        const above: Place = { path: [name], visibility: 'as-source' }
        for await (const folders of pages(input, `categories/${id}/folders`, Folders))
          for (const folder of folders) await take(folder, above, 0)
      }
    }
    return places
  })

  const addressOf = (input: Input, externalId: string) =>
    new URL(`/support/solutions/articles/${encodeURIComponent(externalId)}`, input.config.url).href

  function itemOf(input: Input, article: Article, { path, visibility }: Place): ReadableItem {
    const externalId = String(article.id)
    const url = addressOf(input, externalId)
    return {
      externalId,
      url,
      changed: JSON.stringify([article.updated_at, article.title, path, visibility]),
      visibility,
      read: async () => ({
        document: await parseBody(deps, input, {
          title: article.title,
          url,
          body: { html: article.description },
          path,
        }),
        modified: article.updated_at,
      }),
    }
  }

  return listingConnector('freshdesk_solutions', CONNECT_AGAIN, {
    async *parts(input) {
      for (const [id, place] of await placesOf(input))
        for await (const articles of pages(input, `folders/${id}/articles`, Articles))
          yield articles
            .filter(({ status }) => status === PUBLISHED)
            .map((article) => itemOf(input, article, place))
    },
    one: async (input, externalId) => {
      const path = `/api/v2/solutions/articles/${encodeURIComponent(externalId)}`
      const article = (await clientOf(input).json(path, Article)).data
      const place = (await placesOf(input)).get(article.folder_id ?? 0)
      return article.status !== PUBLISHED || place === undefined ? undefined : itemOf(input, article, place)
    },
    addressOf,
    check: async (input) => {
      const me = (await clientOf(input).json('/api/v2/agents/me', Agent)).data
      const places = [...(await placesOf(input)).values()]
      const open = places.filter(({ visibility }) => visibility === 'as-source').length
      return {
        account: me.contact?.name || me.contact?.email || 'an agent without a name',
        sees: [`${places.length} folders, ${open} of which everyone may read`],
        missing:
          places.length === 0
            ? ['No folder of solutions is shown to this agent. Let its role view solutions, or write some.']
            : [],
      }
    },
  })
}
