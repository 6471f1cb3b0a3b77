import type { SourceConfig } from '@citewell/contract/source-configs'
import type { z } from 'zod'
import type { Connector, ConnectorInput } from '../connector.ts'
import {
  bearerAuthorization,
  openApiClient,
  oncePerReading,
  parseBody,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { listingConnector, type ReadableItem } from '../rest/listed-items.ts'
import { Article, ArticlePage, CollectionPage, contentIn, Me } from './intercom-schemas.ts'

export type IntercomConfig = SourceConfig<'intercom'>
type Input = ConnectorInput<IntercomConfig>

const NAME = 'Intercom'
/** Of the data of a workspace, as its hosts are named. */
const HOSTS = { us: 'intercom', eu: 'eu.intercom', au: 'au.intercom' } as const
/** Of its API, whose answers `intercom-schemas.ts` describes. */
const VERSION = '2.16'
const CONNECT_AGAIN =
  'In Intercom open Settings › Integrations › Developer Hub › your app › Configure › Authentication, check that it may "Read and list articles", copy the access token, and enter it here. Check the region, too.'

const PAGE_SIZE = 50
/** Pages of one list: a server that always has more would never end. */
const MAX_PAGES = 2_000
/** Collections may be nested three deep. */
const MAX_DEPTH = 10

const LOCALE_HINT =
  'Enter the language as in the addresses of the help center, such as de or pt-BR, or none for the default one of each article.'

type Paths = ReadonlyMap<string, string[]>

/** Reads the articles of an Intercom help center. */
export function createIntercomConnector(deps: ApiDeps): Connector<IntercomConfig> {
  const clientOf = perReading((input: Input) =>
    openApiClient(deps, input, {
      name: NAME,
      origin: deps.apiOrigins['intercom'] ?? `https://api.${HOSTS[input.config.region]}.io`,
      headers: () => ({ 'intercom-version': VERSION, ...bearerAuthorization(input.credentials ?? {}) }),
    }),
  )

  /** Sorted by their last change, newest first: a list that moves shows an article twice rather than never. */
  async function* pages<Page extends z.output<typeof ArticlePage> | z.output<typeof CollectionPage>>(
    input: Input,
    place: string,
    schema: z.ZodType<Page>,
  ): AsyncGenerator<Page, void, void> {
    const client = clientOf(input)
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { data } = await client.json(`${place}?page=${page}&per_page=${PAGE_SIZE}`, schema)
      const isLast = page >= (data.pages?.total_pages ?? page)
      // Taken for whole, what is missing in the list would be removed.
      if (data.data.length === 0 && !isLast) break
      yield data
      if (isLast) return
    }
    throw new ApiFailure('unexpected', `${NAME} cut off a list, or lists more than is read.`)
  }

  const pathsOf = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<Paths> => {
    const collections = new Map<string, { name: string; parent: string | undefined }>()
    for await (const { data } of pages(input, '/help_center/collections', CollectionPage))
      for (const { id, name, parent_id: parent } of data)
        collections.set(id, { name, parent: parent === null ? undefined : String(parent) })
    const pathOf = (id: string, depth = 0): string[] => {
      const found = depth > MAX_DEPTH ? undefined : collections.get(id)
      if (found === undefined) return []
      return [...(found.parent === undefined ? [] : pathOf(found.parent, depth + 1)), found.name]
    }
    return new Map([...collections.keys()].map((id) => [id, pathOf(id)]))
  })

  async function itemOf(input: Input, article: Article): Promise<ReadableItem | undefined> {
    const { locale, publish_all: isPublished } = input.config
    const content = contentIn(article, locale)
    if (content === undefined || content.state !== 'published') return undefined
    const path = (await pathsOf(input)).get(String(article.parent_id ?? ''))
    // Outside of all collections it is unlisted. Who else may see an article is not told.
    const visibility = isPublished && path !== undefined ? 'as-source' : 'restricted'
    const url = content.url ?? addressOf(input, article.id)
    const at = content.updated_at ?? 0
    return {
      externalId: article.id,
      url,
      changed: JSON.stringify([at, article.updated_at, content.title, path, url, locale, visibility]),
      visibility,
      read: async () => ({
        document: await parseBody(deps, input, {
          title: content.title,
          url,
          body: { html: content.body },
          path: path ?? [],
          language: locale ?? article.default_locale ?? undefined,
        }),
        modified: at === 0 ? undefined : new Date(at * 1_000).toISOString(),
      }),
    }
  }

  const addressOf = ({ config }: Input, externalId: string) =>
    `https://app.${HOSTS[config.region]}.com/a/apps/_/articles/articles/${encodeURIComponent(externalId)}/show`

  return listingConnector('intercom', CONNECT_AGAIN, {
    async *parts(input) {
      const { locale } = input.config
      let listed = 0
      let written = 0
      for await (const { data } of pages(input, '/articles', ArticlePage)) {
        listed += data.length
        written += data.filter((article) => contentIn(article, locale) !== undefined).length
        const items = await Promise.all(data.map((article) => itemOf(input, article)))
        yield items.filter((item) => item !== undefined)
      }
      // Taken for a language without articles, a misspelt one would empty the source.
      if (locale !== null && written === 0 && listed > 0)
        throw new ApiFailure('refused', `${NAME} has no article in the language "${locale}". ${LOCALE_HINT}`)
    },
    one: async (input, externalId) => {
      const path = `/articles/${encodeURIComponent(externalId)}`
      return await itemOf(input, (await clientOf(input).json(path, Article)).data)
    },
    addressOf,
    check: async (input) => {
      const me = (await clientOf(input).json('/me', Me)).data
      const first = await pages(input, '/articles', ArticlePage).next()
      const { data, pages: counted } = first.done === true ? { data: [], pages: undefined } : first.value
      const items = (await Promise.all(data.map((article) => itemOf(input, article)))).filter(
        (item) => item !== undefined,
      )
      const more = (counted?.total_pages ?? 1) > 1 ? ' or more' : ''
      const restricted = items.filter(({ visibility }) => visibility === 'restricted').length
      return {
        account: `${me.name || 'a teammate'}${me.app?.name ? ` at ${me.app.name}` : ''}`,
        sees: [`${items.length}${more} published articles, ${restricted} of them restricted`],
        missing: missingOf(input, items.length, restricted),
      }
    },
  })
}

function missingOf({ config }: Input, found: number, restricted: number): string[] {
  if (found === 0)
    return [
      config.locale === null
        ? 'No article is published.'
        : `No article is published in "${config.locale}". ${LOCALE_HINT}`,
    ]
  if (restricted < found || config.publish_all) return []
  return [
    'Intercom does not tell which audience an article has, so all are restricted, and public answers use none of them. If the articles of your collections are meant for everyone, set publish_all.',
  ]
}
