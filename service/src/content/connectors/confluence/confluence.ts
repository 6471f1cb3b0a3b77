import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import {
  minutesSince,
  openAtlassianSite,
  CONNECT_AGAIN,
  type AtlassianSite,
} from '../atlassian/atlassian-site.ts'
import type { Connector, ConnectorInput, SourceItem, VisibilityAtSource, SourceItems } from '../connector.ts'
import { parseBody, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import {
  listedAttachments,
  readAttachments,
  readWithAttachments,
  type AskedIds,
} from '../rest/attachments.ts'
import { productConnector } from '../rest/product-connector.ts'
import { readUnlessKnown, unchangedItem } from '../rest/product-item.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { ContentPage, CurrentUser, IdPage, type Content, type Restrictions } from './confluence-schemas.ts'
import { addressAt, attachmentsOf, partsOf } from './page-files.ts'

export type ConfluenceConfig = SourceConfig<'confluence'>
type Input = ConnectorInput<ConfluenceConfig>

const NAME = 'Confluence'

/** Pages without their bodies in one answer; Confluence sends fewer if that is too many for it. */
const LISTED_AT_ONCE = 100
/** Pages with their bodies. */
const READ_AT_ONCE = 25

const FACTS = [
  'version',
  'space',
  'ancestors',
  ...['', 'ancestors.'].flatMap((of) =>
    ['user', 'group'].map((holder) => `${of}restrictions.read.restrictions.${holder}`),
  ),
].join(',')

/** When the last reading began, by our clock, in milliseconds since 1970. */
const Cursor = z.object({ since: z.number() })

/** A page with the address of the site that it came with. */
interface Found {
  content: Content
  site: string
}

interface Opened extends AtlassianSite {
  /** Strangers may read nothing here: they are not asked about each page. */
  isClosed: boolean
}

const countOf = (holders: { results: unknown[]; size?: number | null | undefined }) =>
  Math.max(holders.results.length, holders.size ?? 0)

/** Unknown counts as restricted. */
function isRestrictedBy(restrictions: Restrictions): boolean {
  if (restrictions === null || restrictions === undefined) return true
  const { user, group } = restrictions.read.restrictions
  return countOf(user) + countOf(group) > 0
}

/** The restriction of a page holds for the pages below it: a page whose place is not told counts as restricted. */
export function isRestricted({ type, restrictions, ancestors }: Content): boolean {
  const above =
    ancestors?.map((ancestor) => ancestor.restrictions) ?? (type === 'blogpost' ? [] : [undefined])
  return [restrictions, ...above].some(isRestrictedBy)
}

const pathOf = ({ space, ancestors = [] }: Content): string[] => [
  space?.name ?? space?.key ?? '',
  ...ancestors.map(({ title }) => title ?? ''),
]

const markerOf = (content: Content, visibility: VisibilityAtSource) =>
  JSON.stringify([
    content.version.number,
    content.version.when ?? '',
    content.title,
    pathOf(content),
    visibility,
  ])

const addressOf = ({ content, site }: Found): string =>
  addressAt(site, content.links.webui ?? '', `/pages/viewpage.action?pageId=${content.id}`)

function queryFor({ config }: Input): string {
  const spaces = config.spaces.map((key) => `"${key}"`).join(', ')
  return `type in (page, blogpost)${spaces === '' ? '' : ` and space in (${spaces})`}`
}

/** Reads the pages and blog posts of a Confluence, in the cloud or on a server of one's own. */
export function createConfluenceConnector(deps: ApiDeps): Connector<ConfluenceConfig> {
  const session = perReading(async (input: Input): Promise<Opened> => ({
    ...(await openAtlassianSite(deps, input, NAME)),
    isClosed: false,
  }))

  /** The answers of a query, page by page. */
  async function* search<Page extends z.output<typeof IdPage>>(
    client: RestClient,
    folder: string,
    query: { cql: string; expand: string; limit: number },
    schema: z.ZodType<Page>,
  ): AsyncGenerator<Page, void, void> {
    const given = new URLSearchParams({ cql: query.cql, limit: String(query.limit) })
    if (query.expand !== '') given.set('expand', query.expand)
    yield* partsOf({ client, folder }, `${folder}/rest/api/content/search?${given.toString()}`, schema)
  }

  const filesOf = async (input: Input, found: Found & { visibility: VisibilityAtSource }) =>
    input.config.attachments ? await attachmentsOf(await session(input), found) : []

  /** Those of the pages that can be read without signing in. */
  async function openToStrangers(input: Input, found: readonly Found[]): Promise<Set<string>> {
    const opened = await session(input)
    const open = new Set<string>()
    if (opened.stranger === undefined || opened.isClosed || input.config.publish_all || found.length === 0)
      return open
    const cql = `id in (${found.map(({ content }) => content.id).join(', ')})`
    try {
      const query = { cql, expand: '', limit: LISTED_AT_ONCE }
      for await (const page of search(opened.stranger, opened.siteFolder, query, IdPage))
        for (const { id } of page.results) open.add(id)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind === 'unavailable') throw error
      opened.isClosed = true
    }
    return open
  }

  /** Pages with who may see them. */
  async function* findPages(
    input: Input,
    query: { cql: string; withBodies: boolean },
  ): AsyncGenerator<(Found & { visibility: VisibilityAtSource })[], void, void> {
    const { client, folder, siteFolder, stranger } = await session(input)
    const facts = input.config.attachments ? `${FACTS},children.attachment.version` : FACTS
    const asked = {
      cql: query.cql,
      expand: query.withBodies ? `body.storage,${facts}` : facts,
      limit: query.withBodies ? READ_AT_ONCE : LISTED_AT_ONCE,
    }
    const entered = `${new URL(input.config.url).origin}${siteFolder}`
    for await (const page of search(client, folder, asked, ContentPage)) {
      const base = URL.parse(page.links.base ?? '')
      const site = base !== null && /^https?:$/.test(base.protocol) ? (page.links.base ?? '') : entered
      const found = page.results
        .filter(({ status }) => status === 'current')
        .map((content) => ({ content, site: site.replace(/(?<!\/)\/+$/, '') }))
      const open = await openToStrangers(input, found)
      yield found.map((one) => {
        const isPublished =
          stranger === undefined ||
          open.has(one.content.id) ||
          (input.config.publish_all && !isRestricted(one.content))
        return { ...one, visibility: isPublished ? 'as-source' : 'restricted' }
      })
    }
  }

  async function itemOf(
    input: Input,
    found: Found & { visibility: VisibilityAtSource },
  ): Promise<SourceItem> {
    const { content, site, visibility } = found
    const externalId = content.id
    const changed = markerOf(content, visibility)
    const url = addressOf(found)
    return await readUnlessKnown(input, { externalId, url, changed, visibility }, async () => {
      const storage = content.body?.storage?.value
      if (storage === undefined)
        throw new ApiFailure('unexpected', `${NAME} did not send the text of ${url}.`)
      const document = await parseBody(deps, input, {
        title: content.title,
        url,
        body: { parts: [{ storage, site, space: content.space?.key ?? '' }] },
        path: pathOf(content),
      })
      return { document, modified: content.version.when }
    })
  }

  /**
   * Reads pages by their ids; those that are not found are gone, or are no longer shown to this account.
   *
   * @param asked what is read of them; undefined: each with all of its files
   */
  async function* readPages(input: Input, ids: readonly string[], asked?: AskedIds): SourceItems {
    const known = ids.filter((id) => /^\d{1,20}$/.test(id))
    for (let start = 0; start < known.length; start += READ_AT_ONCE) {
      const some = known.slice(start, start + READ_AT_ONCE)
      const missing = new Set(some)
      // The spaces of the config: a page that was moved out of them is gone too.
      const cql = `${queryFor(input)} and id in (${some.join(', ')})`
      for await (const found of findPages(input, { cql, withBodies: true })) {
        for (const one of found) {
          const { id } = one.content
          missing.delete(id)
          if (asked?.has(id) !== false) yield await itemOf(input, one)
          if (asked?.filesOf(id).length !== 0)
            yield* readAttachments(deps, input, await filesOf(input, one), asked)
        }
      }
      for (const externalId of missing) yield { kind: 'removed', externalId }
    }
  }

  async function* readChanges(input: Input): SourceItems {
    const began = deps.now()
    const known = Cursor.safeParse(input.cursor)
    const changed = known.success
      ? ` and lastmodified >= now("-${minutesSince(known.data.since, began)}m")`
      : ''
    // By creation: a page that is changed while the list is read stays where it is.
    const cql = `${queryFor(input)}${changed} order by created asc`
    let count = 0
    const seen = new Set<string>()
    for await (const found of findPages(input, { cql, withBodies: false })) {
      count += found.length
      yield { kind: 'discovered', count }
      for (const { content } of found) seen.add(content.space?.key.toLowerCase() ?? '')
      const stale: string[] = []
      for (const one of found) {
        const { content, visibility } = one
        const changed = markerOf(content, visibility)
        const unchanged = await unchangedItem(input, { externalId: content.id, changed, visibility })
        if (unchanged === undefined) stale.push(content.id)
        else {
          yield unchanged
          yield* readAttachments(deps, input, await filesOf(input, one))
        }
      }
      yield* readPages(input, stale)
    }
    if (!known.success) yield* emptySpaces(input, seen)
    yield { kind: 'cursor', cursor: { since: began } satisfies z.infer<typeof Cursor> }
    if (!known.success) yield { kind: 'complete' }
  }

  /** A misspelt space has no pages, as one that the account may not view: Confluence does not tell them apart. */
  async function* emptySpaces(input: Input, seen: ReadonlySet<string>): SourceItems {
    const { siteFolder } = await session(input)
    for (const key of input.config.spaces) {
      if (seen.has(key.toLowerCase())) continue
      yield {
        kind: 'failed',
        url: new URL(`${siteFolder}/spaces/${encodeURIComponent(key)}`, input.config.url).href,
        reason: `No page of the space ${key} is shown to this account. Check the key, which is in the addresses of its pages behind /spaces/ or /display/, and let the account view it: Space settings › Space permissions.`,
        externalId: undefined,
        memory: undefined,
      }
    }
  }

  return productConnector('confluence', CONNECT_AGAIN, {
    read: readChanges,
    async *list(input) {
      const cql = `${queryFor(input)} order by created asc`
      for await (const found of findPages(input, { cql, withBodies: false }))
        for (const one of found) {
          yield { externalId: one.content.id, changed: markerOf(one.content, one.visibility) }
          yield* listedAttachments(await filesOf(input, one))
        }
    },
    readItems: (input, externalIds) =>
      readWithAttachments(externalIds, (pages, asked) => readPages(input, pages, asked)),
    async check(input) {
      const { client, folder, stranger } = await session(input)
      const isSignedIn = stranger !== undefined
      const user = isSignedIn ? (await client.json(`${folder}/rest/api/user/current`, CurrentUser)).data : {}
      const cql = `${queryFor(input)} order by created asc`
      const first = await findPages(input, { cql, withBodies: false }).next()
      const found = first.done === true ? [] : first.value
      const restricted = found.filter(({ visibility }) => visibility === 'restricted').length
      const more = found.length >= LISTED_AT_ONCE ? ' or more' : ''
      return {
        account: isSignedIn ? (user.displayName ?? 'an account without a name') : 'not signed in',
        sees: [`${found.length}${more} pages, ${restricted} of them restricted`],
        missing: missingOf({ found: found.length, restricted, isPublished: input.config.publish_all }),
      }
    },
  })
}

function missingOf(seen: { found: number; restricted: number; isPublished: boolean }): string[] {
  if (seen.found === 0)
    return [
      'No page is shown to this account. In Confluence open Space settings › Space permissions, and let it view the spaces to be read.',
    ]
  if (seen.restricted < seen.found || seen.isPublished) return []
  return [
    'Nobody can read these pages without signing in, so public answers use none of them. If they are meant for everyone, set publish_all.',
  ]
}
