import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { mediaTypeOfKeptFile, type ParsedDocument } from '../../parsing/parsing.ts'
import { parseShareOf, SourceFailure, type Connector, type ConnectorInput } from '../connector.ts'
import { openApiClient, perReading, titleOfItem, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { MAX_FILE_BYTES, requireReadableSize } from '../rest/file-limit.ts'
import { listingConnector, type Changes, type ReadableItem } from '../rest/listed-items.ts'
import { ownTokens, type OwnTokens } from '../rest/own-tokens.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { downloadFile } from '../rest/download-file.ts'
import { readDelta, wholeDrive } from './drive-delta.ts'
import { findLibraries, type LibraryFolder } from './find-libraries.ts'
import { Downloadable, DriveItem, ITEM_FIELDS, Me } from './graph-schemas.ts'
import { climb, has, pathWithin, placeOf } from './library-paths.ts'
import { openToEveryone } from './open-to-everyone.ts'

export type SharepointConfig = SourceConfig<'sharepoint'>
type Input = ConnectorInput<SharepointConfig>

const NAME = 'SharePoint'
const ORIGIN = 'https://graph.microsoft.com'
const CONNECT_AGAIN =
  'Check that the app has the permissions Sites.Read.All and Files.Read.All (or Sites.Selected, with a grant for this site), that an administrator has consented to them, and that its secret has not expired.'

/** Documents that are looked at to tell what an account sees. */
const ENOUGH_TO_SEE = 100

/** Where the delta of each drive goes on: a path at the same host. */
const Cursor = z.object({ deltas: z.record(z.string().max(500), z.string().max(20_000)) })

/** How an app gets tokens for itself: https://learn.microsoft.com/en-us/graph/auth-v2-service */
function appTokens(input: Input, tokenOrigin = 'https://login.microsoftonline.com'): OwnTokens | undefined {
  const { client_id: id, client_secret: secret } = input.credentials ?? {}
  const { tenant } = input.config
  if (id === undefined || secret === undefined) return undefined
  if (tenant === null)
    throw new SourceFailure(
      'With the secret of an app, enter the directory (tenant) ID of your organisation too.',
    )
  return {
    account: `${id} ${tenant}`,
    name: 'Microsoft',
    tokenUrl: `${tokenOrigin}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    origins: [ORIGIN],
    fields: () => ({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      scope: `${ORIGIN}/.default`,
    }),
    ifRefused: CONNECT_AGAIN,
  }
}

function addressOf(item: Pick<DriveItem, 'webUrl'>): string {
  const given = URL.parse(item.webUrl ?? '')
  return given?.protocol === 'https:' ? given.href : ORIGIN
}

/** Why an item of a library is no document; undefined if it is one. */
function leftOut(item: DriveItem): string | undefined {
  if (has(item.malware)) return 'Microsoft found malware in it'
  if (has(item.remoteItem)) return 'a shortcut to another library'
  if (has(item.package)) return 'a notebook'
  return mediaTypeOfKeptFile(item.name) === undefined ? 'not a document' : undefined
}

interface Found {
  item: DriveItem
  driveId: string
  path: readonly string[]
}

const idOf = ({ driveId, item }: Pick<Found, 'driveId' | 'item'>) => `${driveId}/${item.id}`

/** Reads the documents in libraries of SharePoint and in OneDrive for work, by Microsoft Graph. */
export function createSharepointConnector(deps: ApiDeps): Connector<SharepointConfig> {
  const session = perReading((input: Input) => {
    const own =
      input.access === undefined ? appTokens(input, deps.apiOrigins['login.microsoftonline.com']) : undefined
    if (input.access === undefined && own === undefined)
      throw new SourceFailure(
        'This source has neither a connected Microsoft account nor the id and secret of an app.',
      )
    const origin = deps.apiOrigins['sharepoint'] ?? ORIGIN
    const access = input.access ?? (own && ownTokens(deps, own))
    const client = openApiClient(deps, input, { name: NAME, origin, headers: () => ({}), access })
    return { client, origin }
  })

  const rootsOf = perReading(async (input: Input) => {
    const found: LibraryFolder[] = []
    for (const address of input.config.urls)
      found.push(...(await findLibraries(session(input).client, address)))
    return found
  })

  async function readFile(input: Input, { item, driveId }: Found): Promise<ParsedDocument> {
    requireReadableSize(item.size ?? undefined)
    const place = `/v1.0${placeOf(driveId, item.id)}?$select=id,@microsoft.graph.downloadUrl`
    const { data } = await session(input).client.json(place, Downloadable)
    const address = data['@microsoft.graph.downloadUrl']
    if (address === undefined)
      throw new ApiFailure(
        'forbidden',
        `${NAME} does not let this account download ${item.name.slice(0, 200)}.`,
      )
    const bytes = await downloadFile(deps, address, {
      name: NAME,
      maxBytes: MAX_FILE_BYTES,
      signal: input.signal,
    })
    const file = { mediaType: mediaTypeOfKeptFile(item.name) ?? 'text/plain', bytes, url: addressOf(item) }
    const { document } = await deps.parse(file, input.signal, parseShareOf(input))
    const title = titleOfItem(item.name.replace(/\.[A-Za-z]+$/, ''))
    return { ...document, title: title || 'Untitled' }
  }

  /** The items to read of some files, with who sees them: asked of those that are shared at all. */
  async function readable(input: Input, files: readonly Found[]): Promise<ReadableItem[]> {
    const shared = files.filter(({ item }) => has(item.shared))
    const places = shared.map(({ driveId, item }) => placeOf(driveId, item.id))
    const open = await openToEveryone(deps, session(input).client, places, input.signal)
    return files.map((found) => {
      const { item, driveId, path } = found
      const isPublic = input.config.publish_all || open.has(placeOf(driveId, item.id))
      const visibility = isPublic ? 'as-source' : 'restricted'
      const url = addressOf(item)
      return {
        externalId: idOf(found),
        url,
        changed: JSON.stringify([
          item.cTag,
          item.lastModifiedDateTime,
          item.name,
          item.size,
          url,
          path,
          visibility,
        ]),
        visibility,
        read: async () => ({ document: await readFile(input, found), modified: item.lastModifiedDateTime }),
      }
    })
  }

  /** The documents among some items of a drive that are below what is read. */
  function documentsIn(
    input: Input,
    items: Iterable<DriveItem>,
    {
      driveId,
      folders,
      itemOf,
    }: { driveId: string; folders: readonly LibraryFolder[]; itemOf: (id: string) => DriveItem | undefined },
  ): Found[] {
    const found: Found[] = []
    for (const item of items) {
      if (has(item.deleted) || (has(item.folder) && !has(item.package))) continue
      const path = pathWithin(item, folders, itemOf)
      if (path === undefined) continue
      const reason = leftOut(item)
      if (reason === undefined) found.push({ item, driveId, path })
      else input.onLeftOut?.(addressOf(item), reason)
    }
    return found
  }

  /** Everything, and where the delta of each drive goes on. */
  const all = perReading(async (input: Input) => {
    const { client, origin } = session(input)
    const roots = await rootsOf(input)
    const found = new Map<string, ReadableItem>()
    const deltas: Record<string, string> = {}
    for (const [driveId, folders] of Map.groupBy(roots, (root) => root.driveId)) {
      const { items, next } = await readDelta(client, wholeDrive(driveId), origin)
      deltas[driveId] = next
      const itemOf = (id: string) => items.get(id)
      const files = documentsIn(input, items.values(), { driveId, folders, itemOf })
      for (const item of await readable(input, files)) found.set(item.externalId, item)
    }
    return { found, deltas }
  })

  /** What changed in one drive; undefined if a folder did, and with it what is in it. */
  async function changesIn(
    input: Input,
    { driveId, folders, from }: { driveId: string; folders: readonly LibraryFolder[]; from: string },
  ): Promise<(Omit<Changes, 'cursor'> & { next: string }) | undefined> {
    const { client, origin } = session(input)
    const { items, next } = await readDelta(client, from, origin)
    const changed = [...items.values()].filter((item) => !has(item.root))
    if (changed.some((item) => has(item.folder) && !has(item.deleted))) return undefined
    const known = new Map<string, DriveItem>()
    for (const item of changed) if (!has(item.deleted)) await climb(client, { driveId, item, folders, known })
    const itemOf = (id: string) => known.get(id)
    const files = documentsIn(input, changed, { driveId, folders, itemOf })
    const kept = new Set(files.map(idOf))
    return {
      items: await readable(input, files),
      removed: changed.map((item) => `${driveId}/${item.id}`).filter((id) => !kept.has(id)),
      next,
    }
  }

  async function changesSince(input: Input, cursor: unknown): Promise<Changes | undefined> {
    const known = Cursor.safeParse(cursor)
    if (!known.success) return undefined
    const changes: Changes = { items: [], removed: [], cursor: {} }
    const deltas: Record<string, string> = {}
    try {
      for (const [driveId, folders] of Map.groupBy(await rootsOf(input), (root) => root.driveId)) {
        const from = known.data.deltas[driveId]
        if (from === undefined) return undefined
        const changed = await changesIn(input, { driveId, folders, from })
        if (changed === undefined) return undefined
        changes.items.push(...changed.items)
        changes.removed.push(...changed.removed)
        deltas[driveId] = changed.next
      }
    } catch (error) {
      // 410 resyncRequired: the place is no longer known, and everything is read anew.
      const isUnknown = error instanceof ApiFailure && (error.status === 410 || error.status === 400)
      if (isUnknown) return undefined
      throw error
    }
    return { ...changes, cursor: { deltas } }
  }

  return listingConnector('sharepoint', CONNECT_AGAIN, {
    async *parts(input) {
      yield [...(await all(input)).found.values()]
    },
    one: async (input, externalId) => {
      const known = (await all(input)).found.get(externalId)
      if (known !== undefined) return known
      const { client } = session(input)
      const [driveId = '', itemId = ''] = externalId.split('/')
      const folders = (await rootsOf(input)).filter((root) => root.driveId === driveId)
      if (folders.length === 0) return undefined
      const place = `/v1.0${placeOf(driveId, itemId)}?$select=${ITEM_FIELDS}`
      const item = (await client.json(place, DriveItem)).data
      const above = new Map<string, DriveItem>()
      await climb(client, { driveId, item, folders, known: above })
      const files = documentsIn(input, [item], { driveId, folders, itemOf: (id) => above.get(id) })
      return (await readable(input, files))[0]
    },
    addressOf: (input) => input.config.urls[0] ?? ORIGIN,
    changes: { start: async (input) => ({ deltas: (await all(input)).deltas }), since: changesSince },
    check: async (input) => {
      const { found } = await all(input)
      const some = [...found.values()].slice(0, ENOUGH_TO_SEE)
      const open = some.filter(({ visibility }) => visibility === 'as-source').length
      const roots = await rootsOf(input)
      return {
        account: await accountOf(input, session(input).client),
        sees: [
          `${found.size} documents in ${roots
            .map(({ path }) => path.join(' › '))
            .join(', ')
            .slice(0, 500)}`,
        ],
        missing: missingOf(input, found.size, open),
      }
    },
  })
}

async function accountOf({ access, credentials }: Input, client: RestClient): Promise<string> {
  if (access === undefined) return `the app ${credentials?.client_id ?? ''}`
  const { data } = await client.json('/v1.0/me?$select=userPrincipalName', Me)
  return data.userPrincipalName ?? 'an account without a name'
}

function missingOf({ config }: Input, documents: number, open: number): string[] {
  if (documents === 0) return ['There is no document in these libraries that this account sees.']
  if (open > 0 || config.publish_all) return []
  return [
    'No document is open to everyone, so public answers use none of it. Share those that are meant for everyone with “Anyone with the link”, or set publish_all.',
  ]
}
