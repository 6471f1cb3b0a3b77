import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import type { Connector, ConnectorInput, SourceItem, VisibilityAtSource, SourceItems } from '../connector.ts'
import { itemFailure, oncePerReading, parseBody, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, unlessClosed } from '../rest/api-failure.ts'
import { productConnector } from '../rest/product-connector.ts'
import { readUnlessKnown } from '../rest/product-item.ts'
import {
  ChangesAnswer,
  PageAnswer,
  ParsedAnswer,
  SiteAnswer,
  type Answer,
  type WikiPage,
} from './mediawiki-schemas.ts'
import { openWikiClient, type WikiClient } from './wiki-client.ts'

export type MediawikiConfig = SourceConfig<'mediawiki'>
type Input = ConnectorInput<MediawikiConfig>

const CONNECT_AGAIN =
  'Make a bot password on the page Special:BotPasswords of the wiki (basic rights are enough), and enter its name (such as Reader@citewell) and its password. A wiki that everyone may read needs none.'

/** Pages in one answer if they are named by id: what every account may ask for. */
const NAMED_AT_ONCE = 50
/** Answers of one list: a server that goes on for ever ends nowhere. */
const MAX_ANSWERS = 10_000

/** Changes before the last reading that are asked for again, in milliseconds: an edit that was being saved shows later. */
const OVERLAP_MS = 60_000

/** By the clock of the wiki. */
const Cursor = z.object({ since: z.iso.datetime() })

const PAGE_FACTS = { action: 'query', prop: 'info', inprop: 'url', intestactions: 'read' }

interface Opened {
  wiki: WikiClient
  stranger: WikiClient | undefined
}

/** Reads the pages of a MediaWiki. */
export function createMediawikiConnector(deps: ApiDeps): Connector<MediawikiConfig> {
  const session = perReading((input: Input): Opened => {
    const { user, password } = input.credentials ?? {}
    const account = user === undefined || password === undefined ? undefined : { user, password }
    return {
      wiki: openWikiClient(deps, input, account),
      stranger: account === undefined ? undefined : openWikiClient(deps, input, undefined),
    }
  })

  /** The parts of a list. */
  async function* parts<Part extends z.output<typeof Answer>>(
    wiki: WikiClient,
    parameters: Record<string, string>,
    schema: z.ZodType<Part>,
  ): AsyncGenerator<Part, void, void> {
    let next: Record<string, string> = {}
    for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
      const part: Part = await wiki.ask({ ...parameters, ...next }, schema)
      yield part
      const after: Record<string, string> | null | undefined = part.continue
      if (after === null || after === undefined) return
      // Taken for whole, what is missing in the list would be removed.
      if (JSON.stringify(after) === JSON.stringify(next))
        throw new ApiFailure('unexpected', 'The wiki cut off a list: it names the same part again.')
      next = after
    }
    throw new ApiFailure('unexpected', 'The wiki lists more pages than are read of one source.')
  }

  /**
   * All pages of the namespaces that whoever asks may read; without redirects. A part of the list names more pages than it tells about, since
   * few may be tested at once: those that it tells nothing of are in a later part again.
   */
  async function* listPages(input: Input, wiki: WikiClient): AsyncGenerator<WikiPage[], void, void> {
    for (const namespace of input.config.namespaces) {
      const list = {
        ...PAGE_FACTS,
        generator: 'allpages',
        gapnamespace: String(namespace),
        gapfilterredir: 'nonredirects',
        gaplimit: 'max',
      }
      for await (const part of parts(wiki, list, PageAnswer))
        yield (part.query?.pages ?? []).filter(({ actions }) => actions?.read === true)
    }
  }

  /** Whether strangers may read a page. Undefined: they may read nothing. */
  const openPagesOf = oncePerReading(CONNECT_AGAIN, async (input: Input) => {
    const { stranger } = session(input)
    if (stranger === undefined) return { has: () => true }
    return await unlessClosed(async () => {
      const open = new Set<number>()
      for await (const pages of listPages(input, stranger)) for (const { pageid } of pages) open.add(pageid)
      return open
    })
  })

  async function visibilityOf(input: Input, page: WikiPage): Promise<VisibilityAtSource> {
    const open = await openPagesOf(input)
    const isPublished = open === undefined ? input.config.publish_all : open.has(page.pageid)
    return isPublished ? 'as-source' : 'restricted'
  }

  const markerOf = async (input: Input, page: WikiPage) =>
    JSON.stringify([page.lastrevid, page.touched, page.title, await visibilityOf(input, page)])

  const curidUrl = ({ config }: Input, pageid: string) =>
    new URL(`index.php?curid=${pageid}`, config.url).href

  const addressOf = (input: Input, { fullurl, pageid }: WikiPage) =>
    fullurl ?? curidUrl(input, String(pageid))

  async function itemOf(input: Input, page: WikiPage): Promise<SourceItem> {
    const externalId = String(page.pageid)
    const visibility = await visibilityOf(input, page)
    const changed = await markerOf(input, page)
    const url = addressOf(input, page)
    return await readUnlessKnown(input, { externalId, url, changed, visibility }, async () => {
      const { parse } = await session(input).wiki.ask(
        {
          action: 'parse',
          pageid: externalId,
          prop: 'text',
          disableeditsection: '1',
          disabletoc: '1',
          disablelimitreport: '1',
        },
        ParsedAnswer,
      )
      const document = await parseBody(deps, input, {
        title: page.title,
        url,
        body: { html: parse?.text ?? '' },
        language: page.pagelanguagehtmlcode ?? undefined,
      })
      return { document, modified: page.touched }
    })
  }

  /** Reads pages by their ids; deleted ones, redirects, and pages in other namespaces are gone. */
  async function* readPages(input: Input, ids: readonly string[]): SourceItems {
    const { wiki } = session(input)
    for (let start = 0; start < ids.length; start += NAMED_AT_ONCE) {
      const some = ids.slice(start, start + NAMED_AT_ONCE)
      const untold = new Set(some)
      const { query } = await wiki.ask({ ...PAGE_FACTS, pageids: some.join('|') }, PageAnswer)
      for (const page of query?.pages ?? []) {
        const externalId = String(page.pageid)
        if (!untold.delete(externalId)) continue
        const isThere = !page.missing && !page.redirect && input.config.namespaces.includes(page.ns)
        const isRead = isThere && page.actions?.read !== false
        yield isRead ? await itemOf(input, page) : { kind: 'removed', externalId }
      }
      for (const externalId of untold) {
        // A wiki names pages that are missing, too.
        const failure = new ApiFailure('unexpected', `The wiki did not tell of the page ${externalId}.`)
        yield itemFailure(failure, { externalId, url: curidUrl(input, externalId) })
      }
    }
  }

  /** Edits, new pages, moves, deletions and restorations, by the log of the wiki, which has the ids of deleted pages too. */
  async function* readChanges(input: Input, since: string): SourceItems {
    const list = {
      action: 'query',
      list: 'recentchanges',
      rcprop: 'ids|loginfo',
      rcdir: 'newer',
      rcstart: new Date(Date.parse(since) - OVERLAP_MS).toISOString(),
      rclimit: 'max',
      curtimestamp: '1',
    }
    const changed = new Set<string>()
    let now: string | undefined
    for await (const part of parts(session(input).wiki, list, ChangesAnswer)) {
      now ??= part.curtimestamp ?? undefined
      for (const { pageid } of part.query?.recentchanges ?? []) if (pageid > 0) changed.add(String(pageid))
    }
    yield { kind: 'discovered', count: changed.size }
    yield* readPages(input, [...changed])
    yield { kind: 'cursor', cursor: { since: Cursor.shape.since.catch(since).parse(now) } }
  }

  async function* readAll(input: Input): SourceItems {
    const { wiki } = session(input)
    const begun = await wiki.ask({ action: 'query', meta: 'siteinfo', curtimestamp: '1' }, ChangesAnswer)
    let count = 0
    for await (const pages of listPages(input, wiki)) {
      count += pages.length
      yield { kind: 'discovered', count }
      for (const page of pages) yield await itemOf(input, page)
    }
    const since = Cursor.shape.since.safeParse(begun.curtimestamp)
    if (since.success) yield { kind: 'cursor', cursor: { since: since.data } }
    yield { kind: 'complete' }
  }

  return productConnector('mediawiki', CONNECT_AGAIN, {
    async *read(input) {
      const known = Cursor.safeParse(input.cursor)
      yield* known.success ? readChanges(input, known.data.since) : readAll(input)
    },
    async *list(input) {
      for await (const pages of listPages(input, session(input).wiki))
        for (const page of pages)
          yield { externalId: String(page.pageid), changed: await markerOf(input, page) }
    },
    readItems: readPages,
    async check(input) {
      const { wiki, stranger } = session(input)
      const meta = { action: 'query', meta: 'siteinfo|userinfo', siprop: 'general' }
      const site = (await wiki.ask(meta, SiteAnswer)).query
      const first = await listPages(input, wiki).next()
      const found = first.done === true ? [] : first.value
      // Its first part says whether strangers may read at all; all of it could take longer than a person waits.
      const isClosed =
        stranger !== undefined &&
        (await unlessClosed(async () => await listPages(input, stranger).next())) === undefined
      return {
        account: wiki.isSignedIn ? (site?.userinfo.name ?? '') : 'not signed in',
        sees: [
          `${found.length}${found.length >= NAMED_AT_ONCE ? ' or more' : ''} pages of ${site?.general.sitename ?? 'the wiki'} (${site?.general.generator ?? 'MediaWiki'})`,
        ],
        missing:
          isClosed && !input.config.publish_all
            ? [
                'Nobody can read this wiki without signing in, so public answers use none of its pages. If they are meant for everyone, set publish_all.',
              ]
            : [],
      }
    },
  })
}
