import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import type { Connector, ConnectorInput, VisibilityAtSource, SourceItems } from '../connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import {
  bearerAuthorization,
  openApiClient,
  parseBody,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import type { AskedIds } from '../rest/attachments.ts'
import {
  goneWithFiles,
  listWithFiles,
  readItemsWithFiles,
  readOneWithFiles,
  readWithFiles,
} from '../rest/item-files.ts'
import { productConnector } from '../rest/product-connector.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { shortAddress } from '../rest/short-address.ts'
import { youngMark } from '../rest/young-mark.ts'
import { filesIn } from './notion-files.ts'
import { markdownOf, propertiesMarkdown, titleOf, type BlockTree } from './notion-markdown.ts'
import { isBlockPublished } from './block-origin.ts'
import { BlockList, Bot, Page, SearchResult, SyncedCopy, type NotionBlock } from './notion-schemas.ts'

export type NotionConfig = SourceConfig<'notion'>
type Input = ConnectorInput<NotionConfig>

const NAME = 'Notion'
const ORIGIN = 'https://api.notion.com'
/** The default of Notion's own client, 5.26. */
const VERSION = '2025-09-03'
const CONNECT_AGAIN =
  'With a connected account: connect it again. With a secret: open the integration at notion.so/profile/integrations, copy its secret, and check that it may read content.'

/** Three requests a second on average: https://developers.notion.com/reference/request-limits */
const MIN_INTERVAL_MS = 334

const PAGE_SIZE = 100
/** Of one search, and of the children of one block: a server that gives the same cursor again would never end. */
const MAX_SEARCH_PAGES = 5_000
const MAX_BLOCK_PAGES = 100
/** Blocks of one page, and how deep they are nested. */
const MAX_BLOCKS = 10_000
const MAX_DEPTH = 30
const LONG_PAGE = `Of one page the first ${MAX_BLOCKS.toLocaleString('en')} blocks are read.`
const DEEP_PAGE = `Blocks that are nested more than ${MAX_DEPTH} deep are left out.`

/** Times of changes are cut to the minute: an edit within the minute in which a page was read would not show. */
const YOUNG_MS = 120_000

/** What may be read of one page. */
interface Budget {
  /** Blocks. */
  left: number
  /** What limits left out. */
  told: Set<string>
  mayShow: (block: NotionBlock) => Promise<boolean>
}

const Cursor = z.object({ since: z.string().max(50) })

/**
 * Where the next part of a list begins.
 * @throws ApiFailure if there is more but the list does not say where: taken for whole, what is missing would be removed
 */
function nextCursor({ next_cursor }: { next_cursor: string | null }, current: string | undefined): string {
  if (next_cursor !== null && next_cursor !== '' && next_cursor !== current) return next_cursor
  throw new ApiFailure(
    'unexpected',
    `${NAME} cut off a list: it has more, but does not say where it goes on.`,
  )
}

/** Reads the pages that a Notion integration was given. */
export function createNotionConnector(deps: ApiDeps): Connector<NotionConfig> {
  const originOf = () => deps.apiOrigins['notion'] ?? ORIGIN
  const filesWanted = ({ config }: Input) => ({ isOn: config.attachments })

  const clientOf = perReading((input: Input) =>
    openApiClient(deps, input, {
      name: NAME,
      origin: originOf(),
      minIntervalMs: originOf() === ORIGIN ? MIN_INTERVAL_MS : 0,
      headers: () => ({ 'notion-version': VERSION, ...bearerAuthorization(input.credentials ?? {}) }),
    }),
  )

  /** All pages, last changed first. */
  async function* search(client: RestClient): AsyncGenerator<Page, void, void> {
    let start: string | undefined
    for (let page = 0; page < MAX_SEARCH_PAGES; page += 1) {
      const { data } = await client.json('/v1/search', SearchResult, {
        method: 'POST',
        body: {
          filter: { property: 'object', value: 'page' },
          sort: { timestamp: 'last_edited_time', direction: 'descending' },
          page_size: PAGE_SIZE,
          ...(start !== undefined && { start_cursor: start }),
        },
      })
      yield* data.results.filter((found) => !found.in_trash)
      if (!data.has_more) return
      start = nextCursor(data, start)
    }
    throw new ApiFailure('unexpected', `${NAME} lists more pages than are read of one workspace.`)
  }

  /** Whether what is inside a block is read. Pages and databases within a page are documents of their own. */
  function isEntered({ has_children: hasInner, type }: NotionBlock, budget: Budget, depth: number): boolean {
    if (!hasInner || type === 'child_page' || type === 'child_database') return false
    if (depth >= MAX_DEPTH) budget.told.add(DEEP_PAGE)
    if (budget.left <= 0) budget.told.add(LONG_PAGE)
    return depth < MAX_DEPTH && budget.left > 0
  }

  async function readBlocks(client: RestClient, id: string, budget: Budget, depth = 0): Promise<BlockTree[]> {
    const trees: BlockTree[] = []
    let start: string | undefined
    for (let page = 0; page < MAX_BLOCK_PAGES; page += 1) {
      const after = start === undefined ? '' : `&start_cursor=${encodeURIComponent(start)}`
      const { data } = await client.json(
        `/v1/blocks/${encodeURIComponent(id)}/children?page_size=${PAGE_SIZE}${after}`,
        BlockList,
      )
      for (const block of data.results) {
        budget.left -= 1
        const hasChildren = isEntered(block, budget, depth) && (await budget.mayShow(block))
        const children = hasChildren ? await readInner(client, block.id, budget, depth + 1) : []
        trees.push({ block, children })
      }
      if (data.has_more && budget.left <= 0) budget.told.add(LONG_PAGE)
      if (!data.has_more || budget.left <= 0) return trees
      start = nextCursor(data, start)
    }
    throw new ApiFailure('unexpected', `${NAME} sends the blocks of a page in more parts than are read.`)
  }

  /** What is inside a block; nothing for a block that may not be read, such as one synced from a page that is not shared. */
  async function readInner(
    client: RestClient,
    id: string,
    budget: Budget,
    depth: number,
  ): Promise<BlockTree[]> {
    try {
      return await readBlocks(client, id, budget, depth)
    } catch (error) {
      if (
        error instanceof ApiFailure &&
        (error.kind === 'gone' || error.kind === 'forbidden' || error.status === 400)
      )
        return []
      throw error
    }
  }

  /** By the ids of blocks: whether they are on a page that is published to the web. */
  const publishedBlocks = perReading((_input: Input) => new Map<string, Promise<boolean>>())

  /** Whether what is inside a block is shown to those who see the page: a copy is shown to those who see its original. */
  const showsOn =
    (input: Input, page: Page) =>
    async (block: NotionBlock): Promise<boolean> => {
      const copy = block.type === 'synced_block' ? SyncedCopy.safeParse(block[block.type]) : undefined
      const isForAll = visibilityOf(input, page) === 'as-source' && !input.config.publish_all
      if (copy?.success !== true || !isForAll) return true
      const { block_id: id } = copy.data.synced_from
      const known = publishedBlocks(input).get(id) ?? isBlockPublished(clientOf(input), id)
      publishedBlocks(input).set(id, known)
      return await known
    }

  const visibilityOf = (input: Input, page: Page): VisibilityAtSource =>
    typeof page.public_url === 'string' || input.config.publish_all ? 'as-source' : 'restricted'

  const markerOf = (input: Input, page: Page) => {
    // Which copies a published page shows: see `showsOn`.
    const copies = typeof page.public_url === 'string' ? [input.config.publish_all] : []
    return JSON.stringify([
      page.last_edited_time,
      visibilityOf(input, page),
      page.public_url ?? '',
      youngMark(page.last_edited_time, YOUNG_MS, deps.now()),
      ...copies,
    ])
  }

  async function* itemsOf(input: Input, page: Page, asked?: AskedIds): SourceItems {
    const { id: externalId } = page
    if (page.in_trash) {
      yield* goneWithFiles(input, { kind: 'removed', externalId })
      return
    }
    const url = shortAddress(page.public_url ?? page.url, `/${externalId.replaceAll('-', '')}`)
    const visibility = visibilityOf(input, page)
    const changed = markerOf(input, page)
    const open = async () => {
      const budget: Budget = { left: MAX_BLOCKS, told: new Set(), mayShow: showsOn(input, page) }
      const blocks = await readBlocks(clientOf(input), externalId, budget)
      const document = async () => {
        const values = propertiesMarkdown(page.properties)
        const markdown = [values, markdownOf(blocks)].filter((part) => part !== '').join('\n\n')
        const title = titleOf(page.properties) || 'Untitled'
        const leftOut = [...budget.told]
        const parsed = await parseBody(deps, input, { title, url, body: { markdown }, leftOut })
        return { document: parsed, modified: page.last_edited_time }
      }
      const place = { page: externalId, url, visibility, protocol: new URL(originOf()).protocol }
      return { document, files: filesIn(deps, input, blocks, place) }
    }
    const item = { externalId, url, changed, visibility, open } as const
    yield* readWithFiles(deps, input, item, filesWanted(input), asked)
  }

  function readItem(input: Input, externalId: string, asked: AskedIds | undefined) {
    const path = `/v1/pages/${encodeURIComponent(externalId)}`
    const place = { externalId, url: new URL(path, ORIGIN).href, asked }
    return readOneWithFiles(input, place, {
      fetch: async () => (await clientOf(input).json(path, Page)).data,
      itemsOf: (page) => itemsOf(input, page, asked),
    })
  }

  async function* readPages(input: Input): SourceItems {
    const known = Cursor.safeParse(input.cursor)
    const since = known.success ? known.data.since : undefined
    let newest: string | undefined
    let count = 0
    for await (const page of search(clientOf(input))) {
      newest ??= page.last_edited_time
      // The minute itself is read again: pages may have changed in it since.
      if (since !== undefined && page.last_edited_time < since) break
      count += 1
      yield { kind: 'discovered', count }
      yield* itemsOf(input, page)
    }
    if (newest !== undefined)
      yield { kind: 'cursor', cursor: { since: newest } satisfies z.infer<typeof Cursor> }
    if (since === undefined) yield { kind: 'complete' }
  }

  return productConnector('notion', CONNECT_AGAIN, {
    read: readPages,
    async *list(input) {
      for await (const page of search(clientOf(input)))
        yield* listWithFiles(
          deps,
          input,
          { externalId: page.id, changed: markerOf(input, page) },
          filesWanted(input),
        )
    },
    readItems: (input, externalIds) =>
      readItemsWithFiles(externalIds, (externalId, asked) => readItem(input, externalId, asked)),
    async check(input) {
      const client = clientOf(input)
      const me = (await client.json('/v1/users/me', Bot)).data
      let pages = 0
      let published = 0
      for await (const page of search(client)) {
        pages += 1
        if (typeof page.public_url === 'string') published += 1
        if (pages >= PAGE_SIZE) break
      }
      const more = pages >= PAGE_SIZE ? ' or more' : ''
      const workspace = me.bot?.workspace_name ?? ''
      return {
        account: `${me.name ?? 'an integration'}${workspace === '' ? '' : ` in ${workspace}`}`,
        sees: [`${pages}${more} pages, ${published} of them published to the web`],
        missing:
          pages > 0
            ? []
            : [
                'No page is shared with the integration. In Notion open a top page › ••• › Connections, and add it; the pages below come along.',
              ],
      }
    },
  })
}
