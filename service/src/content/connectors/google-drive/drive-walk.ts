import { ApiFailure } from '../rest/api-failure.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { FOLDER, SHORTCUT } from './drive-bodies.ts'
import { DriveFile, FILE_FIELDS, FileList, SharedDrive } from './drive-schemas.ts'

const NAME = 'Google Drive'

/** Folders whose contents are asked for in one request. */
const FOLDERS_AT_ONCE = 25
const PAGE_SIZE = 1_000
/** Of one source; beyond it, narrower folders have to be chosen. */
const MAX_FOLDERS = 20_000
const MAX_FILES = 100_000
const MAX_DEPTH = 50
/** Answers to one question: a list that always goes on would never end. */
const MAX_ANSWERS = 1_000

/** A file where it was found. */
export interface FoundFile {
  file: DriveFile
  /** Names of the folders, outermost first. */
  path: readonly string[]
}

export interface Folder {
  id: string
  driveId: string | undefined
  path: readonly string[]
}

const SHARED = 'supportsAllDrives=true'
const filePath = (id: string) =>
  `/drive/v3/files/${encodeURIComponent(id)}?${SHARED}&fields=${encodeURIComponent(FILE_FIELDS)}`

/** One file, wherever it is. */
export const fetchFile = async (client: RestClient, id: string): Promise<DriveFile> =>
  (await client.json(filePath(id), DriveFile)).data

/** A shared drive, with what its administrator restricts; undefined if this account is not told. */
export async function fetchDrive(client: RestClient, driveId: string): Promise<SharedDrive | undefined> {
  try {
    const fields = encodeURIComponent('id,name,restrictions(domainUsersOnly,driveMembersOnly)')
    return (
      await client.json(`/drive/v3/drives/${encodeURIComponent(driveId)}?fields=${fields}`, SharedDrive)
    ).data
  } catch (error) {
    if (error instanceof ApiFailure && (error.kind === 'gone' || error.kind === 'forbidden')) return undefined
    throw error
  }
}

/** The folders that a source begins at. A missing one ends the reading: all that is in it would be taken for deleted. */
export async function openRoots(client: RestClient, ids: readonly string[]): Promise<Folder[]> {
  const roots: Folder[] = []
  for (const id of new Set(ids)) {
    let root: DriveFile
    try {
      root = await fetchFile(client, id)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== 'gone') throw error
      throw new ApiFailure(
        'refused',
        `${NAME} has no folder ${id}, or it is not shared with this account. Open the folder › Share, and add the account as a viewer.`,
        { status: error.status, cause: error },
      )
    }
    if (root.mimeType !== FOLDER)
      throw new ApiFailure('refused', `${root.name.slice(0, 100)} (${id}) is not a folder of ${NAME}.`)
    if (root.trashed === true)
      throw new ApiFailure(
        'refused',
        `The folder ${root.name.slice(0, 100)} (${id}) of ${NAME} is in the bin.`,
      )
    roots.push({ id, driveId: root.driveId, path: [root.name] })
  }
  return roots
}

/** What the owner of a source is told if its folder is shared with the account, and the shared drive around it is not. */
export function explainDrive(error: unknown, { driveId, path }: Folder): unknown {
  if (!(error instanceof ApiFailure) || error.kind !== 'gone' || driveId === undefined) return error
  return new ApiFailure(
    'refused',
    `The folder ${path.join(' › ').slice(0, 200)} of ${NAME} is in a shared drive of which this account is no member. Open the shared drive › Manage members, and add it.`,
    { status: error.status, cause: error },
  )
}

/** The pages of what is in some folders of one drive. */
async function* contentsOf(
  client: RestClient,
  folders: readonly Folder[],
): AsyncGenerator<DriveFile[], void, void> {
  const driveId = folders[0]?.driveId
  const query = new URLSearchParams({
    q: `(${folders.map(({ id }) => `'${id}' in parents`).join(' or ')}) and trashed = false`,
    pageSize: String(PAGE_SIZE),
    fields: `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`,
    supportsAllDrives: 'true',
    includeItemsFromAllDrives: 'true',
    ...(driveId === undefined ? { corpora: 'user' } : { corpora: 'drive', driveId }),
  })
  let token: string | undefined
  for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
    if (token !== undefined) query.set('pageToken', token)
    const { data } = await client.json(`/drive/v3/files?${query.toString()}`, FileList)
    // Taken for whole, what is missing in the list would be removed.
    if (
      data.incompleteSearch === true ||
      data.nextPageToken === '' ||
      (token !== undefined && data.nextPageToken === token)
    )
      throw new ApiFailure('unexpected', `${NAME} cut off a list: it did not look everywhere.`)
    yield data.files
    if (data.nextPageToken === undefined) return
    token = data.nextPageToken
  }
  throw new ApiFailure('unexpected', `${NAME} sends a list in more parts than are read.`)
}

/**
 * Every file below some folders, once, each part as it is listed. Shortcuts are followed, so a folder may contain itself: each is read
 * once.
 *
 * @param onLeftOut called for shortcuts that lead nowhere, and for folders in shared drives that this account is no member of
 * @param onLimit called for folders that are too deep
 */
export async function* walkFolders(
  client: RestClient,
  roots: readonly Folder[],
  onLeftOut: (file: Pick<DriveFile, 'id' | 'webViewLink'>, reason: string) => void,
  onLimit: (limit: string, folder: string) => void,
): AsyncGenerator<FoundFile[], void, void> {
  const folders = new Map(roots.map((root) => [root.id, root]))
  const seen = new Set<string>()
  const waiting = [...roots]
  const drives = new Set(roots.map(({ driveId }) => driveId))
  /** Where a shortcut led to, or what is shared from elsewhere: the account may not list that drive. */
  const isElsewhere = ({ driveId }: Folder) => driveId !== undefined && !drives.has(driveId)

  async function* pagesOf(together: readonly [Folder, ...Folder[]]): AsyncGenerator<DriveFile[], void, void> {
    const [first] = together
    try {
      yield* contentsOf(client, together)
    } catch (error) {
      const isRefused = error instanceof ApiFailure && (error.kind === 'gone' || error.kind === 'forbidden')
      if (!isRefused || !isElsewhere(first)) throw explainDrive(error, first)
      onLeftOut(first, 'a folder in a shared drive of which this account is no member')
    }
  }

  function enter(folder: Folder): void {
    if (folders.has(folder.id)) return
    if (folder.path.length > MAX_DEPTH) {
      onLimit(`Folders more than ${MAX_DEPTH} deep were not read.`, folder.path.slice(-3).join(' › '))
      return
    }
    if (folders.size >= MAX_FOLDERS)
      throw new ApiFailure('refused', `There are more than ${MAX_FOLDERS} folders. Choose narrower ones.`)
    folders.set(folder.id, folder)
    waiting.push(folder)
  }

  async function targetOf(shortcut: DriveFile): Promise<DriveFile | undefined> {
    const id = shortcut.shortcutDetails?.targetId
    if (id === undefined || seen.has(id) || folders.has(id)) return undefined
    try {
      const target = await fetchFile(client, id)
      if (target.trashed !== true) return target
      onLeftOut(shortcut, 'what the shortcut leads to is in the bin')
    } catch (error) {
      if (!(error instanceof ApiFailure) || (error.kind !== 'gone' && error.kind !== 'forbidden')) throw error
      onLeftOut(shortcut, 'what the shortcut leads to is not there, or not shared with this account')
    }
    return undefined
  }

  while (waiting.length > 0) {
    const [first] = waiting
    if (first === undefined) break
    const others = waiting.filter((folder) => folder !== first && folder.driveId === first.driveId)
    const together = [first, ...(isElsewhere(first) ? [] : others.slice(0, FOLDERS_AT_ONCE - 1))] as const
    for (const folder of together) waiting.splice(waiting.indexOf(folder), 1)
    for await (const page of pagesOf(together)) {
      const found: FoundFile[] = []
      for (const listed of page) {
        const parent = listed.parents?.map((id) => folders.get(id)).find((known) => known !== undefined)
        const path = parent?.path ?? []
        const file = listed.mimeType === SHORTCUT ? await targetOf(listed) : listed
        if (file === undefined || seen.has(file.id)) continue
        if (file.mimeType === FOLDER) {
          enter({ id: file.id, driveId: file.driveId, path: [...path, file.name] })
          continue
        }
        seen.add(file.id)
        if (seen.size > MAX_FILES)
          throw new ApiFailure('refused', `There are more than ${MAX_FILES} files. Choose narrower folders.`)
        found.push({ file, path })
      }
      yield found
    }
  }
}
