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
import {
  ArticlePage,
  CollectionPage,
  OneArticle,
  SitePage,
  SiteRestriction,
  type ArticleRef,
} from './help-scout-schemas.ts'

export type HelpScoutDocsConfig = SourceConfig<'help_scout_docs'>
type Input = ConnectorInput<HelpScoutDocsConfig>

const NAME = 'Help Scout'
const ORIGIN = 'https://docsapi.helpscout.net'
const CONNECT_AGAIN =
  'In Help Scout click the person icon › Your profile › Authentication › API keys, make a Docs API key, and enter it here. Its user needs the permission "Docs: Create new, edit settings & Collections". Keys of the Mailbox API do not work.'

const PAGE_SIZE = 100
/** Pages of one list: a server that always has more would never end. */
const MAX_PAGES = 2_000

/** A collection, with what holds for its articles. */
interface Place {
  name: string
  visibility: VisibilityAtSource
}

interface Site {
  name: string
  /** Everyone may read it. Undefined: Help Scout does not say. */
  isOpen: boolean | undefined
}

interface Found {
  sites: Site[]
  /** By the ids of their collections. */
  places: ReadonlyMap<string, Place>
}

/** Reads the articles of Help Scout Docs. */
export function createHelpScoutDocsConnector(deps: ApiDeps): Connector<HelpScoutDocsConfig> {
  const clientOf = perReading((input: Input) =>
    openApiClient(deps, input, {
      name: NAME,
      origin: deps.apiOrigins['help_scout_docs'] ?? ORIGIN,
      // The key is the name; any password will do.
      headers: () => ({ authorization: basicAuthorization(input.credentials?.token ?? '', 'X') }),
    }),
  )

  async function* pages<Page extends { pages: number }>(
    input: Input,
    place: string,
    query: Record<string, string>,
    schema: z.ZodType<Page>,
  ): AsyncGenerator<Page, void, void> {
    const client = clientOf(input)
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const given = new URLSearchParams({ page: String(page), ...query })
      const { data } = await client.json(`/v1/${place}?${given.toString()}`, schema)
      yield data
      if (page >= data.pages) return
    }
    throw new ApiFailure('unexpected', `${NAME} lists more than is read of one account.`)
  }

  /** Whether everyone may read a site. Undefined: Help Scout does not say. */
  async function isOpenSite(input: Input, id: string): Promise<boolean | undefined> {
    try {
      return !(await clientOf(input).json(`/v1/sites/${id}/restricted`, SiteRestriction)).data.enabled
    } catch (error) {
      const isUntold = error instanceof ApiFailure && (error.kind === 'gone' || error.kind === 'forbidden')
      if (isUntold) return undefined
      throw error
    }
  }

  /** The sites that are read, by their ids. */
  async function findSites(input: Input): Promise<Map<string, Site>> {
    const wanted = input.config.site
    const sites = new Map<string, Site>()
    for await (const { items } of pages(input, 'sites', {}, SitePage)) {
      for (const { id, subDomain, title } of items)
        if (wanted === null || wanted === subDomain || wanted === id)
          sites.set(id, { name: title || subDomain || id, isOpen: await isOpenSite(input, id) })
    }
    // Taken for a site without articles, it would empty the source.
    if (wanted !== null && sites.size === 0)
      throw new ApiFailure(
        'refused',
        `${NAME} has no site "${wanted}", or does not show it to this key. Enter its name before .helpscoutdocs.com.`,
      )
    return sites
  }

  const findOnce = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<Found> => {
    const sites = await findSites(input)
    const places = new Map<string, Place>()
    for await (const { items } of pages(input, 'collections', {}, CollectionPage)) {
      for (const { id, siteId, visibility, name } of items) {
        const site = sites.get(siteId ?? '')
        if (site === undefined) continue
        const isOpen = (site.isOpen ?? input.config.publish_all) && visibility === 'public'
        places.set(id, { name, visibility: isOpen ? 'as-source' : 'restricted' })
      }
    }
    return { sites: [...sites.values()], places }
  })

  const readArticle = async (input: Input, externalId: string) => {
    const path = `/v1/articles/${encodeURIComponent(externalId)}`
    return (await clientOf(input).json(path, OneArticle)).data.article
  }

  const addressOf = (_input: Input, externalId: string) =>
    `${ORIGIN}/v1/articles/${encodeURIComponent(externalId)}`

  function itemOf(input: Input, article: ArticleRef, { name, visibility }: Place): ReadableItem {
    const url = article.publicUrl ?? addressOf(input, article.id)
    const { id: externalId, updatedAt, lastPublishedAt } = article
    return {
      externalId,
      url,
      changed: JSON.stringify([updatedAt, lastPublishedAt, article.name, name, url, visibility]),
      visibility,
      read: async () => ({
        document: await parseBody(deps, input, {
          title: article.name,
          url,
          body: { html: (await readArticle(input, externalId)).text },
          path: [name],
        }),
        modified: lastPublishedAt || updatedAt,
      }),
    }
  }

  return listingConnector('help_scout_docs', CONNECT_AGAIN, {
    async *parts(input) {
      // By number: an article that is changed while the list is read stays where it is.
      const query = { status: 'published', sort: 'number', order: 'asc', pageSize: String(PAGE_SIZE) }
      for (const [id, place] of (await findOnce(input)).places)
        for await (const { items } of pages(input, `collections/${id}/articles`, query, ArticlePage))
          yield items
            .filter(({ status }) => status === 'published')
            .map((article) => itemOf(input, article, place))
    },
    one: async (input, externalId) => {
      const article = await readArticle(input, externalId)
      const place = (await findOnce(input)).places.get(article.collectionId)
      return article.status !== 'published' || place === undefined ? undefined : itemOf(input, article, place)
    },
    addressOf,
    check: async (input) => {
      const { sites, places } = await findOnce(input)
      const closed = sites.filter(({ isOpen }) => isOpen !== true).map(({ name }) => name)
      const open = [...places.values()].filter(({ visibility }) => visibility === 'as-source').length
      const missing: string[] = []
      if (sites.length === 0)
        missing.push('No site of Docs is shown to this key. Check the rights of its user.')
      if (closed.length > 0 && !input.config.publish_all)
        missing.push(
          `These sites need a sign-in, or Help Scout does not say whether they do, so their articles are restricted: ${closed.join(', ')}. If Help Scout does not say it and everyone may read them, set publish_all.`,
        )
      return {
        account: 'the user of the Docs API key',
        sees: [
          `${places.size} collections of ${sites.map(({ name }) => name).join(', ') || 'no site'}, ${open} of which everyone may read`,
        ],
        missing,
      }
    },
  })
}
