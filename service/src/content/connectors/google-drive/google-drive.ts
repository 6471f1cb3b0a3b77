import { driveFolderId } from '@citewell/contract/team-space-configs'
import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { SourceFailure, type Connector, type ConnectorInput } from '../connector.ts'
import { openApiClient, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { listingConnector, type Changes, type ReadableItem } from '../rest/listed-items.ts'
import { ownTokens } from '../rest/own-tokens.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { isReadable, readBody } from './drive-bodies.ts'
import { About, ChangeList, StartPageToken, type DriveChange, type DriveFile } from './drive-schemas.ts'
import {
  explainDrive,
  fetchDrive,
  fetchFile,
  openRoots,
  walkFolders,
  type Folder,
  type FoundFile,
} from './drive-walk.ts'
import { serviceAccount } from './service-account.ts'

export type GoogleDriveConfig = SourceConfig<'google_drive'>
type Input = ConnectorInput<GoogleDriveConfig>

const NAME = 'Google Drive'
const ORIGIN = 'https://www.googleapis.com'
const CONNECT_AGAIN =
  'Check that the Google Drive API is enabled in the project of the app or service account, that the folders are shared with the account, and that reading was allowed (drive.readonly).'

/** Lists of changes of one drive. */
const MAX_CHANGE_LISTS = 200

/**
 * Reasons of a 403 that means "too many at once", and of one that means "enough for today":
 * https://developers.google.com/workspace/drive/api/guides/handle-errors
 */
const TOO_MANY = new Set(['userRateLimitExceeded', 'rateLimitExceeded', 'sharingRateLimitExceeded'])
const ENOUGH_TODAY = new Set(['dailyLimitExceeded', 'dailyLimitExceededUnreg', 'quotaExceeded'])
/** Limits are counted by the minute. */
const WAIT_SECONDS = 10
const DAY_SECONDS = 24 * 60 * 60

const ErrorBody = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string().max(200) })).max(100) }),
})

function secondsToWait(status: number, body: unknown, wait: number): number | undefined {
  const error = ErrorBody.safeParse(body)
  if (status !== 403 || !error.success) return undefined
  const reasons = error.data.error.errors.map(({ reason }) => reason)
  if (reasons.some((reason) => ENOUGH_TODAY.has(reason))) return DAY_SECONDS
  return reasons.some((reason) => TOO_MANY.has(reason)) ? wait : undefined
}

/** Tokens of the feeds of changes: of the account's own drive (an empty name), and of shared drives. */
const Cursor = z.object({ tokens: z.record(z.string().max(200), z.string().max(10_000)) })

const KINDS_OF_ANYONE = new Set(['anyone', 'anyoneWithLink'])

/** Whether everyone may open a file; where its permissions are not told, their ids are. */
function isForAnyone(file: DriveFile, now: number): boolean {
  if (file.permissions === undefined)
    return file.permissionIds?.some((id) => KINDS_OF_ANYONE.has(id)) === true
  return file.permissions.some(
    ({ type, view, deleted, expirationTime }) =>
      type === 'anyone' &&
      view === undefined &&
      deleted !== true &&
      (expirationTime === undefined || Date.parse(expirationTime) > now),
  )
}

function addressOf({ id, webViewLink }: Pick<DriveFile, 'id' | 'webViewLink'>): string {
  const given = URL.parse(webViewLink ?? '')
  return given?.protocol === 'https:'
    ? given.href
    : `https://drive.google.com/open?id=${encodeURIComponent(id)}`
}

interface Session {
  client: RestClient
  folders: string[]
  /** What the walk of this reading found, by id; it is whole if `isWhole`. */
  found: Map<string, ReadableItem>
  isWhole: boolean
  drives: Map<string, Promise<boolean>>
}

/** Reads the documents in folders of Google Drive. */
export function createGoogleDriveConnector(deps: ApiDeps): Connector<GoogleDriveConfig> {
  const session = perReading((input: Input): Session => {
    const ownOrigin = deps.apiOrigins['google_drive']
    const json = input.credentials?.token
    if (input.access === undefined && json === undefined)
      throw new SourceFailure(
        'This source has neither a connected Google account nor the key of a service account.',
      )
    const own =
      input.access !== undefined || json === undefined
        ? undefined
        : serviceAccount(
            { json, actAs: input.config.act_as, tokenOrigin: deps.apiOrigins['oauth2.googleapis.com'] },
            deps.now,
          )
    return {
      client: openApiClient(deps, input, {
        name: NAME,
        origin: ownOrigin ?? ORIGIN,
        headers: () => ({}),
        access: input.access ?? (own && ownTokens(deps, own)),
        tooMany: (status, _words, body) =>
          secondsToWait(status, body, ownOrigin === undefined ? WAIT_SECONDS : 0),
      }),
      folders: input.config.folders.map((given) => driveFolderId(given) ?? ''),
      found: new Map(),
      isWhole: false,
      drives: new Map(),
    }
  })

  /** Whether the administrator of a shared drive lets only members or its domain in. What is not told is taken for that. */
  async function isClosed(input: Input, driveId: string): Promise<boolean> {
    const { client, drives } = session(input)
    const look = async () => {
      const drive = await fetchDrive(client, driveId)
      const { domainUsersOnly, driveMembersOnly } = drive?.restrictions ?? {}
      return drive === undefined || domainUsersOnly === true || driveMembersOnly === true
    }
    const known = drives.get(driveId) ?? look()
    drives.set(driveId, known)
    return await known
  }

  async function itemOf(input: Input, { file, path }: FoundFile): Promise<ReadableItem> {
    const isPublic =
      isForAnyone(file, deps.now()) && (file.driveId === undefined || !(await isClosed(input, file.driveId)))
    const visibility = isPublic || input.config.publish_all ? 'as-source' : 'restricted'
    const url = addressOf(file)
    // Whoever opens a file by its link does not see the names of the folders that it is in.
    const said = isPublic && !input.config.publish_all ? [] : path
    return {
      externalId: file.id,
      url,
      changed: JSON.stringify([file.modifiedTime, file.md5Checksum, file.name, url, said, visibility]),
      visibility,
      read: async () => ({
        document: await readBody(deps, input, session(input).client, { file, url, path: said }),
        modified: file.modifiedTime,
      }),
    }
  }

  async function* walk(input: Input): AsyncGenerator<ReadableItem[], void, void> {
    const { client, folders, found } = session(input)
    const leaveOut = (file: Pick<DriveFile, 'id' | 'webViewLink'>, reason: string) =>
      input.onLeftOut?.(addressOf(file), reason)
    const onLimit = (limit: string, place: string) => input.onLimit?.(limit, place)
    for await (const page of walkFolders(client, await openRoots(client, folders), leaveOut, onLimit)) {
      const items: ReadableItem[] = []
      for (const each of page) {
        if (isReadable(each.file)) items.push(await itemOf(input, each))
        else leaveOut(each.file, 'not a document')
      }
      for (const item of items) found.set(item.externalId, item)
      yield items
    }
    session(input).isWhole = true
  }

  /** Everything, listed once in a reading. */
  async function all(input: Input): Promise<Map<string, ReadableItem>> {
    const known = session(input)
    const parts = walk(input)
    while (!known.isWhole) await parts.next()
    return known.found
  }

  /** The drives whose changes are asked for, with a folder in each. */
  async function feedsOf(input: Input): Promise<Map<string, Folder>> {
    const { client, folders } = session(input)
    return new Map((await openRoots(client, folders)).map((root) => [root.driveId ?? '', root]))
  }

  const ofDrive = (driveId: string) => ({ supportsAllDrives: 'true', ...(driveId !== '' && { driveId }) })

  async function startOf(input: Input, driveId: string, folder: Folder): Promise<string> {
    const place = `/drive/v3/changes/startPageToken?${new URLSearchParams(ofDrive(driveId)).toString()}`
    try {
      return (await session(input).client.json(place, StartPageToken)).data.startPageToken
    } catch (error) {
      throw explainDrive(error, folder)
    }
  }

  async function changesOf(
    input: Input,
    driveId: string,
    from: string,
  ): Promise<{ changes: DriveChange[]; next: string }> {
    const changes: DriveChange[] = []
    let token = from
    for (let list = 0; list < MAX_CHANGE_LISTS; list += 1) {
      const query = new URLSearchParams({
        ...ofDrive(driveId),
        pageToken: token,
        pageSize: '1000',
        includeItemsFromAllDrives: 'true',
        includeRemoved: 'true',
        fields: 'nextPageToken,newStartPageToken,changes(changeType,removed,fileId)',
      })
      const { data } = await session(input).client.json(`/drive/v3/changes?${query.toString()}`, ChangeList)
      changes.push(...data.changes)
      if (data.newStartPageToken !== undefined) return { changes, next: data.newStartPageToken }
      if (data.nextPageToken === undefined || data.nextPageToken === token) break
      token = data.nextPageToken
    }
    throw new ApiFailure('gone', `${NAME} has more changes than are read one by one.`)
  }

  async function changesSince(input: Input, cursor: unknown): Promise<Changes | undefined> {
    const known = Cursor.safeParse(cursor)
    if (!known.success) return undefined
    const tokens: Record<string, string> = {}
    const changed = new Set<string>()
    try {
      for (const [driveId, from] of Object.entries(known.data.tokens)) {
        const { changes, next } = await changesOf(input, driveId, from)
        for (const { fileId } of changes) changed.add(fileId ?? driveId)
        tokens[driveId] = next
      }
    } catch (error) {
      // A token that is no longer known: everything is read anew.
      const isUnknown = error instanceof ApiFailure && (error.kind === 'gone' || error.status === 400)
      if (isUnknown) return undefined
      throw error
    }
    if (changed.size === 0) return { items: [], removed: [], cursor: { tokens } }
    // What changed may be a folder, and with it the place and the readers of all that is in it: so everything is compared.
    const found = await all(input)
    const removed = [...changed].filter((id) => id !== '' && !found.has(id))
    // What was in a folder that is gone from here, or in the bin, is missing, and was not named itself.
    return { items: [...found.values()], isEverything: true, removed, cursor: { tokens } }
  }

  return listingConnector('google_drive', CONNECT_AGAIN, {
    async *parts(input) {
      const known = session(input)
      if (known.isWhole) yield [...known.found.values()]
      else yield* walk(input)
    },
    one: async (input, externalId) => {
      const known = (await all(input)).get(externalId)
      if (known !== undefined) return known
      const { client, folders } = session(input)
      const file = await fetchFile(client, externalId)
      if (file.trashed === true || !isReadable(file)) return undefined
      const path = await pathWithin(client, file, folders)
      return path === undefined ? undefined : await itemOf(input, { file, path })
    },
    addressOf: (_input, id) => addressOf({ id }),
    changes: {
      start: async (input) => {
        const tokens: Record<string, string> = {}
        for (const [driveId, folder] of await feedsOf(input))
          tokens[driveId] = await startOf(input, driveId, folder)
        return { tokens }
      },
      since: changesSince,
    },
    check: async (input) => {
      const { client } = session(input)
      const fields = encodeURIComponent('user(displayName,emailAddress)')
      const { user } = (await client.json(`/drive/v3/about?fields=${fields}`, About)).data
      const first: ReadableItem[] = []
      let isAll = true
      for await (const part of walk(input)) {
        first.push(...part)
        if (first.length >= ENOUGH_TO_SEE) {
          isAll = false
          break
        }
      }
      const open = first.filter(({ visibility }) => visibility === 'as-source').length
      return {
        account: user.emailAddress ?? user.displayName ?? 'an account without a name',
        sees: [`${first.length}${isAll ? '' : ' or more'} documents, ${open} of them public`],
        missing: missingOf(input, first.length, open),
      }
    },
  })
}

/** Documents that are looked at to tell what an account sees. */
const ENOUGH_TO_SEE = 100

function missingOf({ config }: Input, documents: number, open: number): string[] {
  if (documents === 0)
    return [
      'There is no document in these folders that this account sees. Open a folder › Share, and add the account as a viewer.',
    ]
  if (open > 0 || config.publish_all) return []
  return [
    'No document is open to everyone, so public answers use none of it. Share those that are meant for everyone with “Anyone with the link”, or set publish_all.',
  ]
}

/** How far up its folders are looked for. */
const MAX_CLIMB = 50

/** The names of the folders of a file up to one of these; undefined if it is in none of them. */
async function pathWithin(
  client: RestClient,
  file: DriveFile,
  roots: readonly string[],
): Promise<string[] | undefined> {
  const path: string[] = []
  let parent = file.parents?.[0]
  for (let step = 0; step < MAX_CLIMB && parent !== undefined; step += 1) {
    const folder = await fetchFile(client, parent)
    path.unshift(folder.name)
    if (roots.includes(parent)) return path
    ;[parent] = folder.parents ?? []
  }
  return undefined
}
