import { hash } from 'node:crypto'
import type { PageMemory } from '../connector.ts'
import { documentTypeOf, readContentType } from '../document-types.ts'
import { MAX_PAGE_LINKS, type ParsedDocument, type ParsedPage, type Parsing } from '../../parsing/parsing.ts'
import { normaliseAddress } from './page-address.ts'
import { hashText, newState, recalledState, type PageState } from './page-state.ts'
import { isTemporaryStatus, type FetchPolitely, type PoliteAnswer } from './polite-fetch.ts'
import { readRobotsTag } from './robots-tag.ts'
import type { RobotsRules } from './robots-rules.ts'

/** A page that was read, or found unchanged. */
export interface VisitedPage {
  address: string
  state: PageState
  /** Undefined if the page is unchanged. */
  document: ParsedDocument | undefined
  memory: Omit<PageMemory, 'externalId' | 'state'>
  /** The document that it became in the previous sync. */
  rememberedId: string | undefined
  modifiedAt: Date | undefined
  /** What it was made with, if it was parsed now and says so. */
  generator?: string | undefined
}

export type Visit =
  | { kind: 'page'; page: VisitedPage }
  | { kind: 'moved'; to: string | undefined }
  /** `isForbidden`: the site refuses it to strangers. */
  | { kind: 'skipped'; reason: string; isForbidden?: boolean }
  /** The links of the remembered state are still worth following. */
  | {
      kind: 'failed'
      reason: string
      isSilence: boolean
      state: PageState | undefined
      memory: PageMemory | undefined
    }

export interface VisitDeps {
  fetchPolitely: FetchPolitely
  parse: Parsing['parse']
  /** The HTML of a page after its scripts have run. Throws an error with a readable message if that fails. */
  render: (address: string) => Promise<string>
  rulesOf: (origin: string, namedBy: string | undefined) => Promise<RobotsRules>
  recall: (address: string) => Promise<PageMemory | undefined>
  onLimit: (limit: string, place: string) => void
  signal: AbortSignal
  contentSelector: string | undefined
  renderJs: 'auto' | boolean
  /** A key of all settings that change how a page is read; see `page-state.ts`. */
  settings: string
}

const MAX_SPELLINGS = 100_000
/** Longer links are not cached; they rarely occur twice. */
const MAX_SPELLED_CHARACTERS = 500

/** Maximum distinct links of one page, which are remembered with it. Index pages have some thousands. */
const MAX_LINKS = 20_000
const MAX_PAGE_BYTES = 10_485_760
const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5'

const TOO_MANY_LINKS = `Of the links of one page the first ${MAX_PAGE_LINKS.toLocaleString('en')} are followed.`

const STATUS_REASONS: Record<number, string> = {
  401: 'it requires a sign-in (401)',
  403: 'access is denied (403)',
  404: 'not found (404)',
  410: 'gone (410)',
}

function lastModifiedOf(headers: Headers): Date | undefined {
  const time = Date.parse(headers.get('last-modified') ?? '')
  return Number.isNaN(time) ? undefined : new Date(time)
}

/** Reads one page: robots rules, conditional request, parser, and browser if needed. Throws only if aborted. */
export type VisitPage = (
  address: string,
  isConditional: boolean,
  /** The page that links to the address; undefined if the source's config names it. */
  namedBy: string | undefined,
) => Promise<Visit>

export function createVisitPage(deps: VisitDeps): VisitPage {
  const { parse, render, signal, renderJs, contentSelector, settings } = deps

  // A cache: pages of one site link to the same places repeatedly. It saves the time to normalize them, and the memory of copies.
  const spellings = new Map<string, string | undefined>()
  function spell(link: string | undefined): string | undefined {
    if (link === undefined || spellings.has(link)) return spellings.get(link ?? '')
    const spelling = normaliseAddress(link)
    if (link.length > MAX_SPELLED_CHARACTERS) return spelling
    if (spellings.size >= MAX_SPELLINGS) spellings.clear()
    spellings.set(link, spelling)
    return spelling
  }

  function stateOf(address: string, parsed: ParsedPage, headers: Headers, isRendered: boolean): PageState {
    const { page, document, textLength } = parsed
    const tag = readRobotsTag(headers.get('x-robots-tag'))
    const isFollowed = page !== undefined && !page.nofollow && !tag.isNofollow
    if (isFollowed && page.links.length >= MAX_PAGE_LINKS) deps.onLimit(TOO_MANY_LINKS, address)
    const links = isFollowed ? [...page.links, ...page.frames].map(spell) : []
    return newState({
      settings,
      textHash: textLength === 0 ? '' : hashText(document),
      links: different(links, address),
      ...optional('canonical', spell(page?.canonical)),
      ...optional('refresh', spell(page?.refresh)),
      isNoindex: page?.noindex === true || tag.isNoindex,
      isRendered,
    })
  }

  async function read(address: string, answer: PoliteAnswer, memory: PageMemory | undefined): Promise<Visit> {
    const remembered = recalledState(memory, settings)
    const failed = (reason: string): Visit => ({
      kind: 'failed',
      reason,
      isSilence: false,
      state: remembered,
      memory,
    })
    const { type, charset } = readContentType(answer.headers.get('content-type') ?? '')
    const mediaType = documentTypeOf(type, answer.url.pathname)
    if (mediaType === undefined)
      return { kind: 'skipped', reason: `not a document (${type || 'unknown type'})` }

    let bytes = answer.bytes
    const asRemembered = (): Visit | undefined => {
      const bodyHash = hash('sha256', bytes)
      if (remembered === undefined || memory?.bodyHash !== bodyHash) return undefined
      return { kind: 'page', page: pageOf(address, answer, bodyHash, remembered, undefined, memory) }
    }
    const parseBytes = (given: Uint8Array, isUtf8: boolean) =>
      parse(
        { mediaType, bytes: given, url: address, charset: isUtf8 ? 'utf-8' : charset, contentSelector },
        signal,
      )

    try {
      const isHtml = mediaType.includes('html')
      let parsed: ParsedPage | undefined
      if (!isHtml || renderJs !== true) {
        const same = remembered?.isRendered === true ? undefined : asRemembered()
        if (same !== undefined) return same
        parsed = await parseBytes(bytes, false)
      }
      const isRendered = isHtml && (parsed === undefined || (renderJs === 'auto' && needsScript(parsed)))
      if (isRendered) {
        bytes = new TextEncoder().encode(await render(address))
        const same = asRemembered()
        if (same !== undefined) return same
        parsed = await parseBytes(bytes, true)
      }
      if (parsed === undefined) return failed('it could not be read')
      const state = stateOf(address, parsed, answer.headers, isRendered)
      return {
        kind: 'page',
        page: {
          ...pageOf(address, answer, hash('sha256', bytes), state, parsed.document, memory),
          generator: parsed.page?.generator,
        },
      }
    } catch (error) {
      signal.throwIfAborted()
      return failed(error instanceof Error ? error.message : 'it could not be parsed')
    }
  }

  return async (address, isConditional, namedBy) => {
    const rules = await deps.rulesOf(new URL(address).origin, namedBy)
    const memory = await deps.recall(address)
    const remembered = recalledState(memory, settings)
    const silent = (reason: string): Visit => ({
      kind: 'failed',
      reason,
      isSilence: true,
      state: remembered,
      memory,
    })
    const forbidden = rules.forbids(address)
    if (forbidden !== undefined)
      return forbidden.isTemporary ? silent(forbidden.reason) : { kind: 'skipped', reason: forbidden.reason }
    const hasConditions =
      isConditional && memory !== undefined && remembered !== undefined && !remembered.isRendered
    const answer = await deps.fetchPolitely(address, {
      namedBy,
      accept: ACCEPT,
      followRedirects: false,
      conditions: hasConditions ? memory : undefined,
      maxBytes: MAX_PAGE_BYTES,
      isWanted: (headers) =>
        documentTypeOf(readContentType(headers.get('content-type') ?? '').type, new URL(address).pathname) !==
        undefined,
    })
    if (answer.kind === 'no-answer') return silent(answer.reason)
    const { status, headers } = answer
    if (status === 304 && hasConditions) {
      const page = pageOf(address, answer, memory.bodyHash, remembered, undefined, memory)
      return { kind: 'page', page }
    }
    if (status >= 300 && status < 400 && headers.has('location'))
      return { kind: 'moved', to: normaliseAddress(headers.get('location') ?? '', address) }
    if (status === 200) return await read(address, answer, isConditional ? memory : undefined)
    if (isTemporaryStatus(status)) return silent(`the server answered ${status}`)
    const reason = STATUS_REASONS[status] ?? `the server answered ${status}`
    return { kind: 'skipped', reason, isForbidden: status === 401 || status === 403 }
  }
}

const needsScript = ({ page }: ParsedPage) => page?.looksEmptyWithoutScript === true

/** The first links of a page, each once, without the page itself. */
function different(links: readonly (string | undefined)[], address: string): string[] {
  const found = new Set<string>()
  for (const link of links) {
    if (found.size >= MAX_LINKS) break
    if (link !== undefined && link !== address) found.add(link)
  }
  return [...found]
}

const optional = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, string>>

function pageOf(
  address: string,
  answer: PoliteAnswer,
  bodyHash: string | undefined,
  state: PageState,
  document: ParsedDocument | undefined,
  memory: PageMemory | undefined,
): VisitedPage {
  return {
    address,
    state,
    document,
    memory: {
      url: address,
      etag: answer.headers.get('etag') ?? (answer.status === 304 ? memory?.etag : undefined),
      lastModified:
        answer.headers.get('last-modified') ?? (answer.status === 304 ? memory?.lastModified : undefined),
      bodyHash,
    },
    rememberedId: memory?.externalId,
    modifiedAt: lastModifiedOf(answer.headers),
  }
}
