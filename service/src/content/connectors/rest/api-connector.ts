import type { Outbound } from '../../../platform/outbound/outbound.ts'
import {
  itemInput,
  leftOutOf,
  ParseFailure,
  type BodyPart,
  type ParsedDocument,
  type ParseInput,
  type Parsing,
} from '../../parsing/parsing.ts'
import {
  parseShareOf,
  SourceFailure,
  type AccountAccess,
  type ConnectorInput,
  type SourceCredentials,
  type SourceItem,
  type VisibilityAtSource,
} from '../connector.ts'
import { ApiFailure, asSourceFailure } from './api-failure.ts'
import { endAt, type Paces } from './pace.ts'
import { createRestClient, type RestClient, type RestClientDeps } from './rest-client.ts'

/** What every connector of an API gets. */
export interface ApiDeps {
  outbound: Pick<Outbound, 'fetchOutbound'>
  parse: Parsing['parse']
  paces: Paces
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds since 1970. */
  now: () => number
  /** Where the API of a product is, instead of at its maker's: for tests. */
  apiOrigins: Partial<Record<string, string>>
}

/** As long as a crawl may take. A reading that got this far keeps what it read and goes on from there the next time. */
const MAX_READING_MS = 6 * 60 * 60 * 1_000

/** A client of an API for one reading, at the pace of its account. From six hours on its requests throw `SourcePaused`. */
export function openApiClient(
  deps: ApiDeps,
  input: ConnectorInput<unknown>,
  api: Pick<RestClientDeps, 'name' | 'origin' | 'headers' | 'renew' | 'tooMany'> & {
    minIntervalMs?: number
    /** Instead of the account that the input has. */
    access?: AccountAccess | undefined
  },
): RestClient {
  const { minIntervalMs = 0, access = input.access, ...given } = api
  const account = access === undefined ? input.credentials : { user: access.account }
  return createRestClient({
    ...given,
    ...(access !== undefined && withTokens(deps, access, given, input.signal)),
    outbound: deps.outbound,
    wait: deps.wait,
    pace: endAt(deps.paces.of(given.origin, account, minIntervalMs), {
      deadline: deps.now() + MAX_READING_MS,
      now: deps.now,
    }),
    signal: input.signal,
  })
}

/** Sends the tokens of an account with each request: to the hosts that they are for, and no others. */
function withTokens(
  { apiOrigins }: Pick<ApiDeps, 'apiOrigins'>,
  access: AccountAccess,
  { name, origin, headers }: Pick<RestClientDeps, 'name' | 'origin' | 'headers'>,
  signal: AbortSignal,
): Pick<RestClientDeps, 'headers' | 'prepare' | 'renew'> {
  if (![...access.origins, ...Object.values(apiOrigins)].includes(origin))
    throw new SourceFailure(
      `The connected account of ${name} cannot be used at ${new URL(origin).host}: its tokens are sent to ${name}'s own hosts only. Enter a key for this address instead.`,
    )
  let token: string | undefined
  return {
    headers: (url) => ({
      ...headers(url),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }),
    prepare: async () => {
      token = await access.token(signal)
    },
    renew: async () => {
      if (token === undefined) return false
      const next = await access.renew(token, signal)
      token = next ?? token
      return next !== undefined
    },
  }
}

export const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export const bearerAuthorization = ({ access_token, token }: SourceCredentials): Record<string, string> => {
  const bearer = access_token ?? token
  return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
}

/** Characters of a title; longer ones are cut, as everything from elsewhere is. */
const MAX_TITLE_CHARACTERS = 500

/** A title as one line of visible characters; empty if it has none. */
export const titleOfItem = (title: string) =>
  title
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARACTERS)

/** The body of an item, as its API gives it. */
export interface ItemBody {
  title: string
  /** Where readers find it; relative links are resolved against it. */
  url: string
  body: { html: string } | { markdown: string } | { parts: readonly BodyPart[] }
  /** Where it is filed, outermost first: a line above its text. */
  path?: readonly string[]
  language?: string | undefined
  /** What limits left out of it before: see `ParsedDocument`. */
  leftOut?: readonly string[]
}

function inputOf({ body, url }: ItemBody, title: string): ParseInput {
  if ('html' in body) return itemInput(title, [body], url)
  if ('parts' in body) return itemInput(title, body.parts, url)
  // Its title is not the first heading of the body, nor does the body begin with metadata.
  const bytes = Buffer.from(`# ${escapeMarkdown(title)}\n\n${body.markdown}`)
  return { mediaType: 'text/markdown', charset: 'utf-8', bytes, url }
}

/**
 * Makes a document of an item's body: all of it, since an API sends no menus.
 * @throws ParseFailure if it cannot be read
 */
export async function parseBody(
  deps: Pick<ApiDeps, 'parse'>,
  input: ConnectorInput<unknown>,
  item: ItemBody,
): Promise<ParsedDocument> {
  const title = titleOfItem(item.title) || item.url
  const { document } = await deps.parse(inputOf(item, title), input.signal, parseShareOf(input))
  return filedUnder(item.path ?? [], {
    title,
    language: item.language ?? document.language,
    blocks: document.blocks,
    ...leftOutOf([...(item.leftOut ?? []), ...(document.leftOut ?? [])]),
  })
}

/** A document that begins with where it is: the names of its folders, from the outermost. */
export function filedUnder(path: readonly string[], document: ParsedDocument): ParsedDocument {
  const names = path.map(titleOfItem).filter((name) => name !== '')
  const filed = { kind: 'paragraph', markdown: names.map(escapeMarkdown).join(' › ') } as const
  return names.length === 0 ? document : { ...document, blocks: [filed, ...document.blocks] }
}

/** Text as it is, in Markdown. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_[\]<>#|!~]/g, String.raw`\$&`)

/**
 * What the failure to read one item says about it. Failures that are not about this item are thrown again, among them that the credentials
 * are no longer accepted: every further item would fail in the same way.
 * @param item `visibility` if it is known already
 * @returns `removed` if the API has it no longer, else `failed`
 */
export function itemFailure(
  error: unknown,
  {
    externalId,
    url,
    visibility,
  }: { externalId: string; url: string; visibility?: VisibilityAtSource | undefined },
): SourceItem {
  if (error instanceof ApiFailure && error.kind === 'gone') return { kind: 'removed', externalId }
  if (!(error instanceof ApiFailure) && !(error instanceof ParseFailure)) throw error
  if (error instanceof ApiFailure && error.kind === 'unauthorized') throw error
  const isForbidden = error instanceof ApiFailure && error.kind === 'forbidden'
  return {
    kind: 'failed',
    url,
    reason: error.message,
    externalId,
    memory: undefined,
    isForbidden,
    visibility,
  }
}

/** Opens something once for each reading: `read`, `list` and `readItems` of one sync get the same input. */
export function perReading<Config, Opened>(
  open: (input: ConnectorInput<Config>) => Opened,
): (input: ConnectorInput<Config>) => Opened {
  const opened = new WeakMap<ConnectorInput<Config>, Opened>()
  return (input) => {
    const known = opened.get(input)
    if (known !== undefined) return known
    const made = open(input)
    opened.set(input, made)
    return made
  }
}

/**
 * Reads something once for each reading. A failure is about the source, not about the item that it is needed for.
 *
 * @param connectAgain see `productConnector`
 */
export const oncePerReading = <Config, Read>(
  connectAgain: string,
  read: (input: ConnectorInput<Config>) => Promise<Read>,
): ((input: ConnectorInput<Config>) => Promise<Read>) =>
  perReading(async (input) => {
    try {
      return await read(input)
    } catch (error) {
      throw asSourceFailure(error, connectAgain)
    }
  })
