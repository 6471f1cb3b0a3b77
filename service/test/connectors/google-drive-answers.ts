import { unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export interface StandInFile {
  id: string
  name: string
  mimeType: string
  /** Empty for a root. */
  parent: string
  driveId: string | undefined
  /** Empty for what is no document. */
  word: string
  /** Instead of the usual one. */
  body?: string | undefined
  size?: number
  isTrashed: boolean
  isForAnyone: boolean
  modifiedTime: string
  /** Of a shortcut. */
  target?: string
}

export interface DriveState {
  files: Map<string, StandInFile>
  /** Ids of what changed, in order: a token of the change log is a place in it. */
  log: string[]
  /** Older tokens are no longer known. */
  oldestToken: number
  /** Of the shared drive. */
  restrictions: { domainUsersOnly?: boolean; driveMembersOnly?: boolean }
  isSharedWithAccount: (file: StandInFile) => boolean
  /** Shared drives that the account is no member of: a folder in one may be shared with it all the same. */
  foreignDrives: Set<string>
  pageSize: number
  acceptsToken: (token: string) => boolean
}

const EXPORTS: Record<string, readonly string[]> = {
  'application/vnd.google-apps.document': ['text/markdown', 'text/plain', 'application/zip'],
  'application/vnd.google-apps.spreadsheet': ['text/csv', 'application/zip'],
  'application/vnd.google-apps.presentation': ['text/plain', 'application/pdf'],
}

/** https://developers.google.com/workspace/drive/api/guides/handle-errors */
export const driveError = (code: number, reason: string, message: string): StandInAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
})

const notFound = (id: string) => driveError(404, 'notFound', `File not found: ${id}.`)

/** The names in a mask of fields: `a,b(c,d)` gives `a` and `b`, with what is in their parentheses. */
function maskOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', inner = ''] of text.matchAll(/(\w+)(?:\(((?:[^()]|\([^()]*\))*)\))?(?:,|$)/g))
    found.set(name, inner)
  return found
}

const onlyFields = (record: Record<string, unknown>, mask: string): Record<string, unknown> => {
  const wanted = maskOf(mask)
  return Object.fromEntries(Object.entries(record).filter(([name]) => wanted.has(name)))
}

function wrongCorpora(query: URLSearchParams): StandInAnswer | undefined {
  const isOfDrive = query.get('corpora') === 'drive'
  if (isOfDrive !== query.has('driveId'))
    return driveError(400, 'invalid', 'driveId must be specified if and only if corpora is set to drive.')
  const isWhole =
    query.get('supportsAllDrives') === 'true' && query.get('includeItemsFromAllDrives') === 'true'
  return isOfDrive && !isWhole
    ? driveError(403, 'teamDrivesParameterRequired', 'includeItemsFromAllDrives must be set.')
    : undefined
}

/** The part of https://developers.google.com/workspace/drive/api/reference/rest/v3 that is read. */
export function driveAnswers(state: DriveState, request: StandInRequest): StandInAnswer {
  const { files } = state
  const { path, query, headers, method } = request
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (!state.acceptsToken(token))
    return driveError(401, 'authError', 'Request had invalid authentication credentials.')
  if (method !== 'GET') return driveError(405, 'httpRequestFailed', 'Method not allowed.')
  const supports = query.get('supportsAllDrives') === 'true'

  const isForAnyone = (file: StandInFile): boolean => {
    for (let at: StandInFile | undefined = file; at !== undefined; at = files.get(at.parent))
      if (at.isForAnyone) return true
    return false
  }
  const isTrashed = (file: StandInFile): boolean => {
    for (let at: StandInFile | undefined = file; at !== undefined; at = files.get(at.parent))
      if (at.isTrashed) return true
    return false
  }
  const find = (id: string) => {
    const file = files.get(id)
    if (file === undefined || !state.isSharedWithAccount(file)) return undefined
    return file.driveId !== undefined && !supports ? undefined : file
  }

  function present(file: StandInFile, mask: string): Record<string, unknown> {
    const anyone = isForAnyone(file)
    const target = file.target === undefined ? undefined : files.get(file.target)
    return onlyFields(
      {
        kind: 'drive#file',
        id: file.id,
        name: file.name,
        mimeType: file.mimeType,
        modifiedTime: file.modifiedTime,
        webViewLink: `https://docs.google.com/document/d/${file.id}/edit`,
        trashed: isTrashed(file),
        ...(file.parent !== '' && { parents: [file.parent] }),
        ...(file.driveId !== undefined && { driveId: file.driveId }),
        ...(file.size !== undefined && { size: String(file.size) }),
        // Told of files outside of shared drives only.
        ...(file.driveId === undefined && {
          permissions: [
            { type: 'user', id: '1', role: 'owner' },
            ...(anyone ? [{ type: 'anyone', id: 'anyoneWithLink', role: 'reader' }] : []),
          ].map((permission) => onlyFields(permission, maskOf(mask).get('permissions') ?? '')),
        }),
        permissionIds: ['1', ...(anyone ? ['anyoneWithLink'] : [])],
        ...(file.target !== undefined && {
          shortcutDetails: {
            targetId: file.target,
            targetMimeType: target?.mimeType ?? 'application/vnd.google-apps.document',
          },
        }),
      },
      mask,
    )
  }

  function pageOf<Item>(all: readonly Item[], most: number): { items: Item[]; next: string | undefined } {
    const from = Number(query.get('pageToken')?.replace(/^page-/, '') ?? 0)
    const size = Math.min(most, Number(query.get('pageSize') ?? 100), state.pageSize)
    const next = from + size < all.length ? `page-${from + size}` : undefined
    return { items: all.slice(from, from + size), next }
  }

  function list(): StandInAnswer {
    const known = [
      'q',
      'pageSize',
      'fields',
      'supportsAllDrives',
      'includeItemsFromAllDrives',
      'corpora',
      'driveId',
      'pageToken',
    ]
    const wrong = unknownFields(query, known)
    if (wrong.length > 0) return driveError(400, 'invalidParameter', `Unknown name "${wrong[0]}"`)
    const refused = wrongCorpora(query)
    if (refused !== undefined) return refused
    const driveId = query.get('driveId') ?? undefined
    const asked = /^\(((?:'[\w-]+' in parents(?: or )?)+)\) and trashed = false$/.exec(query.get('q') ?? '')
    if (asked === null) return driveError(400, 'invalid', 'Invalid Value')
    const parents = new Set([...(asked[1] ?? '').matchAll(/'([\w-]+)'/g)].map(([, id]) => id))
    const found = [...files.values()].filter(
      (file) =>
        parents.has(file.parent) &&
        file.driveId === driveId &&
        state.isSharedWithAccount(file) &&
        !isTrashed(file),
    )
    const mask = maskOf(query.get('fields') ?? '')
    const fileMask = mask.get('files') ?? ''
    // With permissions, a page has at most a hundred.
    const { items, next } = pageOf(found, fileMask.includes('permissions') ? 100 : 1_000)
    return {
      body: {
        files: items.map((file) => present(file, fileMask)),
        ...(mask.has('incompleteSearch') && { incompleteSearch: false }),
        ...(next !== undefined && mask.has('nextPageToken') && { nextPageToken: next }),
      },
    }
  }

  function changes(): StandInAnswer {
    const driveId = query.get('driveId') ?? undefined
    const from = Number(/^t(\d+)$/.exec(query.get('pageToken') ?? '')?.[1] ?? Number.NaN)
    if (Number.isNaN(from) || from < state.oldestToken || from > state.log.length)
      return driveError(400, 'invalid', 'Invalid Value')
    const size = Math.min(Number(query.get('pageSize') ?? 100), state.pageSize)
    const part = state.log.slice(from, from + size)
    const isOfFeed = (id: string) => files.get(id)?.driveId === driveId || !files.has(id)
    const isLast = from + size >= state.log.length
    return {
      body: {
        changes: part.filter(isOfFeed).map((id) => ({
          changeType: 'file',
          fileId: id,
          removed: find(id) === undefined,
        })),
        ...(isLast ? { newStartPageToken: `t${state.log.length}` } : { nextPageToken: `t${from + size}` }),
      },
    }
  }

  function content(file: StandInFile): StandInAnswer {
    const exported = path.endsWith('/export')
    const type = exported ? (query.get('mimeType') ?? '') : file.mimeType
    const own = EXPORTS[file.mimeType]
    if (!exported && own !== undefined)
      return driveError(
        403,
        'fileNotDownloadable',
        'Only files with binary content can be downloaded. Use Export with Docs Editors files.',
      )
    if (exported && own?.includes(type) !== true)
      return driveError(400, 'badRequest', 'The requested conversion is not supported.')
    if ((file.size ?? 0) > 10_000_000 && exported)
      return driveError(403, 'exportSizeLimitExceeded', 'This file is too large to be exported.')
    return { headers: { 'content-type': type }, body: file.body ?? bodyOf(file.word, type) }
  }

  function about(): StandInAnswer {
    return query.has('fields')
      ? { body: { user: { displayName: 'Reader', emailAddress: 'reader@acme.iam.gserviceaccount.com' } } }
      : driveError(400, 'required', "The 'fields' parameter is required for this method.")
  }

  function sharedDrive(id: string): StandInAnswer {
    const { restrictions } = state
    return files.get(id)?.driveId === id
      ? { body: { id, name: 'Documentation', restrictions } }
      : driveError(404, 'notFound', `Shared drive not found: ${id}`)
  }

  function oneFile(): StandInAnswer {
    const id = /^\/drive\/v3\/files\/([\w-]+)(?:\/export)?$/.exec(path)?.[1] ?? ''
    const isExport = path.endsWith('/export')
    // An export names no drive: https://developers.google.com/workspace/drive/api/reference/rest/v3/files/export
    const file = isExport ? files.get(id) : find(id)
    if (file === undefined || !state.isSharedWithAccount(file)) return notFound(id)
    if (isExport || query.get('alt') === 'media') return content(file)
    return { body: present(file, query.get('fields') ?? 'kind,id,name,mimeType') }
  }

  const asked = query.get('driveId') ?? ''
  if (state.foreignDrives.has(asked)) return driveError(404, 'notFound', `Shared drive not found: ${asked}`)
  if (path === '/drive/v3/about') return about()
  if (path === '/drive/v3/files') return list()
  if (path === '/drive/v3/changes/startPageToken') return { body: { startPageToken: `t${state.log.length}` } }
  if (path === '/drive/v3/changes') return changes()
  const drive = /^\/drive\/v3\/drives\/([\w-]+)$/.exec(path)?.[1]
  return drive === undefined ? oneFile() : sharedDrive(drive)
}

function bodyOf(word: string, type: string): string {
  if (type === 'text/csv') return `\uFEFFPlan,Note\nFree,"The word is ${word}, with ""quotes"""\n`
  if (type === 'text/html') return `<h1>Page</h1><p>The word of this page is ${word}.</p>`
  return `## About it\n\nThe word of this file is ${word}.\n\n| Plan | Calls |\n| --- | --- |\n| Free | 10 |\n`
}
