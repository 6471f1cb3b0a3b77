import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import type { Connector, ConnectorInput, SourceItem, VisibilityAtSource, SourceItems } from '../connector.ts'
import {
  basicAuthorization,
  bearerAuthorization,
  oncePerReading,
  openApiClient,
  parseBody,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { ApiFailure, unlessClosed } from '../rest/api-failure.ts'
import type { AskedIds } from '../rest/attachments.ts'
import {
  goneWithFiles,
  listWithFiles,
  readItemsWithFiles,
  readOneWithFiles,
  readWithFiles,
} from '../rest/item-files.ts'
import { productConnector } from '../rest/product-connector.ts'
import { shortAddress } from '../rest/short-address.ts'
import { filesOf } from './article-files.ts'
import { MAX_PAGES, PAGE_SIZE, pages } from './zendesk-pages.ts'
import {
  type Article,
  ArticleExport,
  ArticlePage,
  CategoryPage,
  Me,
  OneArticle,
  SectionPage,
} from './zendesk-schemas.ts'

export type ZendeskHelpCenterConfig = SourceConfig<'zendesk_help_center'>
type Input = ConnectorInput<ZendeskHelpCenterConfig>

const NAME = 'Zendesk'
const CONNECT_AGAIN =
  'Make a new API token in the Admin Center (Apps and integrations › APIs › API tokens), and enter it here with the e-mail address of an agent.'

/** Sections may be nested this deep (Zendesk allows six). */
const MAX_DEPTH = 10

const Cursor = z.object({
  start_time: z.int().min(0),
  /** Whether strangers may read the help center: if that changes, everything is looked at again. */
  open: z.boolean().default(true),
})

/** Where each section is filed: categories, then sections, outermost first. */
type Paths = Map<number, string[]>

function headersFor({ credentials = {} }: Input): Record<string, string> {
  const { email, token } = credentials
  if (email !== undefined && token !== undefined)
    return { authorization: basicAuthorization(`${email}/token`, token) }
  return bearerAuthorization(credentials)
}

const urlOf = ({ id, locale, html_url: url }: Article): string =>
  shortAddress(url, `/hc/${encodeURIComponent(locale)}/articles/${id}`)

const isRestricted = (article: Article) =>
  (article.user_segment_id ?? null) !== null || (article.user_segment_ids ?? []).length > 0

/** A file may come or go by the API without a change of its article. */
const LOOK_AGAIN_MS = 24 * 60 * 60 * 1_000

const filesWanted = ({ config }: Input) => ({ isOn: config.attachments, lookAgainMs: LOOK_AGAIN_MS })

const isSignedIn = ({ credentials }: Input) => credentials?.token !== undefined

/** Reads the articles of a Zendesk help center. */
export function createZendeskHelpCenterConnector(deps: ApiDeps): Connector<ZendeskHelpCenterConfig> {
  const session = perReading((input: Input) => {
    const { locale, url } = input.config
    const open = (given: Input) =>
      openApiClient(deps, given, {
        name: NAME,
        origin: new URL(url).origin,
        headers: () => headersFor(given),
      })
    const inLocale = locale === null ? '' : `/${encodeURIComponent(locale.toLowerCase())}`
    return {
      client: open(input),
      stranger: open({ ...input, credentials: undefined }),
      folder: `/api/v2/help_center${inLocale}`,
    }
  })

  const pathsOf = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<Paths> => {
    const { client, folder } = session(input)
    const categories = new Map<number, string>()
    for await (const page of pages(client, `${folder}/categories`, CategoryPage))
      for (const { id, name } of page.categories) categories.set(id, name)
    const sections = new Map<number, z.infer<typeof SectionPage>['sections'][number]>()
    for await (const page of pages(client, `${folder}/sections`, SectionPage))
      for (const section of page.sections) sections.set(section.id, section)
    const pathOf = (id: number, depth = 0): string[] => {
      const section = sections.get(id)
      if (section === undefined || depth > MAX_DEPTH) return []
      const above =
        section.parent_section_id === null || section.parent_section_id === undefined
          ? [categories.get(section.category_id ?? -1) ?? '']
          : pathOf(section.parent_section_id, depth + 1)
      return [...above, section.name]
    }
    return new Map([...sections.keys()].map((id) => [id, pathOf(id)]))
  })

  const pathOf = async (input: Input, article: Article): Promise<string[]> =>
    (await pathsOf(input)).get(article.section_id ?? -1) ?? []

  /** Whether strangers are shown any article: a help center can need a sign-in as a whole, which its articles do not tell. */
  const isOpen = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<boolean> => {
    if (!isSignedIn(input)) return true
    const { stranger, folder } = session(input)
    const first = await unlessClosed(() => stranger.json(`${folder}/articles?page[size]=1`, ArticlePage))
    return first !== undefined && first.data.articles.length > 0
  })

  const visibilityOf = async (input: Input, article: Article): Promise<VisibilityAtSource> =>
    isRestricted(article) || !(await isOpen(input)) ? 'restricted' : 'as-source'

  /** `edited_at` changes with the text in this language, `updated_at` with everything else. */
  const markerOf = async (input: Input, article: Article) =>
    JSON.stringify([
      article.updated_at,
      article.edited_at ?? '',
      (await visibilityOf(input, article)) === 'restricted',
      article.title,
      await pathOf(input, article),
    ])

  async function* itemsOf(input: Input, article: Article, asked?: AskedIds): SourceItems {
    const externalId = String(article.id)
    if (article.draft) {
      const reason = 'it is a draft'
      yield* goneWithFiles(input, {
        kind: 'skipped',
        url: urlOf(article),
        reason,
        externalId,
        memory: undefined,
      })
      return
    }
    const visibility = await visibilityOf(input, article)
    const changed = await markerOf(input, article)
    const url = urlOf(article)
    const open = async () => ({
      // Its text may be read, and is. `check` tells that its files may not.
      files:
        (input.config.attachments ? await filesOf(session(input).client, article, visibility) : undefined) ??
        [],
      document: async () => ({
        document: await parseBody(deps, input, {
          title: article.title,
          url,
          body: { html: article.body },
          path: await pathOf(input, article),
          language: article.locale,
        }),
        modified: article.edited_at ?? article.updated_at,
      }),
    })
    const item = { externalId, url, changed, visibility, open } as const
    yield* readWithFiles(deps, input, item, filesWanted(input), asked)
  }

  function readItem(input: Input, externalId: string, asked: AskedIds | undefined) {
    const { client, folder } = session(input)
    const path = `${folder}/articles/${encodeURIComponent(externalId)}`
    const place = { externalId, url: new URL(path, input.config.url).href, asked }
    return readOneWithFiles(input, place, {
      fetch: async () => (await client.json(path, OneArticle)).data.article,
      itemsOf: (article) => itemsOf(input, article, asked),
    })
  }

  /** What changed since a time. Only agents may ask for it, and it has no deleted articles: `list` finds those. */
  async function* readChanges(input: Input): SourceItems {
    const { client } = session(input)
    const known = Cursor.safeParse(input.cursor)
    const open = await isOpen(input)
    let start = known.success && known.data.open === open ? known.data.start_time : 0
    let count = 0
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data } = await client.json(
        `/api/v2/help_center/incremental/articles?start_time=${start}`,
        ArticleExport,
      )
      count += data.articles.length
      yield { kind: 'discovered', count }
      for (const article of data.articles) yield* itemsOf(input, article)
      const end = data.end_time ?? start
      // Articles of the same second are sent again: they are unchanged then.
      const isLast = end <= start || typeof data.next_page !== 'string'
      start = Math.max(start, end)
      yield { kind: 'cursor', cursor: { start_time: start, open } satisfies z.infer<typeof Cursor> }
      if (isLast) return
    }
  }

  async function* readAll(input: Input): SourceItems {
    const { client, folder } = session(input)
    let count = 0
    for await (const page of pages(client, `${folder}/articles`, ArticlePage)) {
      count += page.articles.length
      yield { kind: 'discovered', count }
      for (const article of page.articles) yield* itemsOf(input, article)
    }
    const { locale } = input.config
    // Taken for a language without articles, a misspelt one would empty the source.
    if (count === 0 && locale !== null)
      throw new ApiFailure(
        'refused',
        `${NAME} shows no article in the language "${locale}". Enter one as in the addresses of the help center (/hc/de), or none for its default language.`,
      )
    yield { kind: 'complete' }
  }

  /** What changed, or everything if the token is not one of an agent. */
  async function* readAsAllowed(input: Input): SourceItems {
    const changes = readChanges(input)
    let first: IteratorResult<SourceItem, void>
    try {
      first = await changes.next()
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== 'forbidden') throw error
      yield* readAll(input)
      return
    }
    if (first.done !== true) yield first.value
    yield* changes
  }

  return productConnector('zendesk_help_center', CONNECT_AGAIN, {
    async *read(input) {
      // The export has the default language only.
      yield* isSignedIn(input) && input.config.locale === null ? readAsAllowed(input) : readAll(input)
    },
    async *list(input) {
      const { client, folder } = session(input)
      for await (const page of pages(client, `${folder}/articles`, ArticlePage)) {
        for (const article of page.articles) {
          if (article.draft) continue
          const item = { externalId: String(article.id), changed: await markerOf(input, article) }
          yield* listWithFiles(deps, input, item, filesWanted(input))
        }
      }
    },
    readItems: (input, externalIds) =>
      readItemsWithFiles(externalIds, (externalId, asked) => readItem(input, externalId, asked)),
    async check(input) {
      const { client, folder } = session(input)
      const { user } = (await client.json('/api/v2/users/me.json', Me)).data
      const first = (await client.json(`${folder}/articles?page[size]=${PAGE_SIZE}`, ArticlePage)).data
      const isAgent = user.role === 'agent' || user.role === 'admin'
      const more = first.meta.has_more ? 'or more ' : ''
      const [article] = first.articles
      const mayReadFiles =
        !input.config.attachments ||
        article === undefined ||
        (await filesOf(client, article, 'restricted')) !== undefined
      return {
        account: user.id === null ? 'not signed in' : `${user.name ?? ''} (${user.role ?? 'no role'})`,
        sees: [`${first.articles.length} ${more}articles of the help center`],
        missing: [
          ...(isAgent
            ? []
            : [
                'Only public articles are read, and each sync lists them all. With the API token of an agent, restricted articles and changes are read too.',
              ]),
          ...((await isOpen(input))
            ? []
            : [
                'Nobody is shown an article of this help center without signing in, so all of them are restricted, and public answers use none.',
              ]),
          ...(mayReadFiles
            ? []
            : [
                'The files at articles are not shown to this account. Enter the API token of an agent who may see them, or switch attachments off.',
              ]),
        ],
      }
    },
  })
}
