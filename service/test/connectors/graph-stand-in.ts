import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export interface GraphItem {
  id: string
  name: string
  parent: string
  isFolder: boolean
  word: string
  isDeleted: boolean
  /** Of its own links; those of folders above count too. */
  link: 'none' | 'organization' | 'anonymous' | 'anonymous with a password' | 'anonymous to upload'
  version: number
  bytes?: number
}

const DRIVE = 'b!drive-1'
const SITE = 'acme.sharepoint.com,site-1,web-1'
export const APP_SECRET = 'graph-app-secret'

const refusal = (status: number, code: string, message: string): StandInAnswer => ({
  status,
  body: { error: { code, message, innerError: { 'request-id': 'r1' } } },
})

/**
 * A site of SharePoint with one document library, by Microsoft Graph as https://learn.microsoft.com/en-us/graph/api/driveitem-delta
 * describes it: `@odata.nextLink` and `@odata.deltaLink` with addresses, items that come twice, 410 for a token that is too old, files at
 * another host without a token, permissions in batches.
 */
export async function startGraph(given: { pageSize?: number } = {}) {
  const items = new Map<string, GraphItem>()
  /** Ids of what changed, in order: a token is a place in it. */
  const log: string[] = []
  const tokens = new Set<string>()
  const state = {
    oldestToken: 0,
    linkOrigin: '',
    isDenied: false,
    hidden: new Set<string>(),
    broken: new Set<string>(),
  }
  let made = 0
  // The host of files: whoever has the address gets the file, and a token must not be sent there.
  const files = await startStandIn(({ path, headers }) => {
    const item = items.get(path.slice(1))
    if (headers.authorization !== undefined) return { status: 401, body: 'A token was sent.' }
    if (item === undefined) return { status: 404, body: 'gone' }
    return {
      headers: { 'content-type': 'application/octet-stream' },
      body: `# ${item.name}\n\nThe word of this file is ${item.word}.`,
    }
  })
  const logins = await startStandIn(({ path, body }) => {
    const fields = new URLSearchParams(typeof body === 'string' ? body : '')
    const isRight =
      path === '/acme.example/oauth2/v2.0/token' &&
      fields.get('grant_type') === 'client_credentials' &&
      fields.get('scope') === 'https://graph.microsoft.com/.default'
    if (!isRight)
      return { status: 400, body: { error: 'invalid_request', error_description: 'AADSTS900144' } }
    if (fields.get('client_secret') !== APP_SECRET)
      return {
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: 'AADSTS7000215: Invalid client secret provided.',
        },
      }
    const token = `graph-${(made += 1)}`
    tokens.add(token)
    return { body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } }
  })

  const chain = (item: GraphItem): GraphItem[] => {
    const found: GraphItem[] = []
    for (
      let at: GraphItem | undefined = item;
      at !== undefined && found.length < 50;
      at = items.get(at.parent)
    )
      found.push(at)
    return found
  }
  const isGone = (item: GraphItem) => chain(item).some(({ isDeleted }) => isDeleted)

  function present(item: GraphItem): Record<string, unknown> {
    const isShared = chain(item).some(({ link }) => link !== 'none')
    return {
      id: item.id,
      name: item.name,
      webUrl: `https://acme.sharepoint.com/sites/Docs/Shared%20Documents/${encodeURIComponent(item.name)}`,
      cTag: `"c:{${item.id}},${item.version}"`,
      size: item.bytes ?? 100,
      lastModifiedDateTime: new Date(Date.UTC(2026, 0, 1) + item.version * 1_000).toISOString(),
      ...(item.parent === '' ? { root: {} } : { parentReference: { id: item.parent, driveId: DRIVE } }),
      ...(item.isFolder ? { folder: { childCount: 1 } } : { file: { mimeType: 'text/markdown' } }),
      ...(isShared && { shared: { scope: 'users' } }),
    }
  }

  /** An item in a delta; one that is gone is told only where changes are. */
  function changed(id: string, isWhole: boolean): Record<string, unknown>[] {
    const item = items.get(id)
    if (item !== undefined && !isGone(item)) return [present(item)]
    return isWhole ? [] : [{ id, deleted: { state: 'deleted' }, name: '' }]
  }

  /** Everything, or what changed; without the header, with the folders above it. */
  function idsOf(since: number | undefined, until: number, excludesParents: boolean): string[] {
    if (since === undefined) return [...items.keys()]
    const ids = [...new Set(log.slice(since, until))]
    return ids.length > 0 && !excludesParents ? ['root', ...ids] : ids
  }

  /** An item may come more than once: the last one counts. */
  const olderOf = ([first]: Record<string, unknown>[]) =>
    first === undefined || 'deleted' in first ? [] : [{ ...first, name: 'an older name.md' }]

  const resync = (location: string): StandInAnswer => ({
    ...refusal(410, 'resyncRequired', 'Resync required. Replace any local items with the server’s version.'),
    headers: { location },
  })

  function delta({ query, headers }: StandInRequest, origin: string): StandInAnswer {
    const wrong = unknownFields(query, ['token', '$select', '$top', '$skiptoken'])
    if (wrong.length > 0) return refusal(400, 'invalidRequest', `Unknown parameter ${wrong[0]}`)
    const place = `${state.linkOrigin || origin}/v1.0/drives/${encodeURIComponent(DRIVE)}/root/delta`
    const size = given.pageSize ?? 200
    const token = query.get('token')
    const skip = Number(query.get('$skiptoken')?.split('-').at(-1) ?? 0)
    const since = token === null ? undefined : Number(token)
    // Also a token that is none.
    if (since !== undefined && !(since >= state.oldestToken)) return resync(place)
    const until = Number(query.get('$skiptoken')?.split('-')[0] ?? log.length)
    const ids = idsOf(since, until, headers['deltaexcludeparent'] !== undefined)
    const part = ids.slice(skip, skip + size)
    const value = part.flatMap((id) => changed(id, since === undefined))
    const twice = skip === 0 ? olderOf(value) : []
    const select = query.get('$select') ?? ''
    const from = since === undefined ? '' : `token=${since}&`
    return {
      body: {
        value: [...twice, ...value],
        ...(skip + size < ids.length
          ? { '@odata.nextLink': `${place}?${from}$select=${select}&$skiptoken=${until}-${skip + size}` }
          : { '@odata.deltaLink': `${place}?token=${until}&$select=${select}` }),
      },
    }
  }

  function permissionsOf(id: string): { status: number; body: unknown } {
    const item = items.get(id)
    if (item === undefined || isGone(item) || state.broken.has(id))
      return { status: state.broken.has(id) ? 500 : 404, body: {} }
    const value = chain(item)
      .filter(({ link }) => link !== 'none')
      .map(({ link }) => ({
        id: 'p1',
        roles: [link.endsWith('upload') ? 'write' : 'read'],
        hasPassword: link.endsWith('password'),
        // No end.
        expirationDateTime: '0001-01-01T00:00:00Z',
        link: {
          type: link.endsWith('upload') ? 'createOnly' : 'view',
          scope: link.startsWith('anonymous') ? 'anonymous' : link,
        },
      }))
    return { status: 200, body: { value } }
  }

  function batch({ body }: StandInRequest): StandInAnswer {
    const { requests = [] } = body as { requests?: { id: string; method: string; url: string }[] }
    if (requests.length > 20) return refusal(400, 'BadRequest', 'Maximum number of requests is 20.')
    const responses = requests.map(({ id, method, url }) => {
      const item = /^\/drives\/[^/]+\/items\/([^/]+)\/permissions$/.exec(url)?.[1]
      if (method !== 'GET' || item === undefined) return { id, status: 400, body: {} }
      return { id, ...permissionsOf(decodeURIComponent(item)) }
    })
    // In any order.
    return { body: { responses: responses.toReversed() } }
  }

  function read(request: StandInRequest, origin: string): StandInAnswer {
    const path = decodeURIComponent(request.path)
    if (path === '/v1.0/sites/acme.sharepoint.com:/sites/Docs')
      return { body: { id: SITE, displayName: 'Docs' } }
    if (path === `/v1.0/sites/${SITE}/drives`) {
      const webUrl = 'https://acme.sharepoint.com/sites/Docs/Shared%20Documents'
      return { body: { value: [{ id: DRIVE, name: 'Documents', webUrl, driveType: 'documentLibrary' }] } }
    }
    if (path === `/v1.0/drives/${DRIVE}/root/delta`) return delta(request, origin)
    const below = /^\/v1\.0\/drives\/b!drive-1\/root(?::\/(.+):)?$/.exec(path)
    const id = /^\/v1\.0\/drives\/b!drive-1\/items\/([^/]+)$/.exec(path)?.[1]
    const named =
      below === null ? items.get(id ?? '') : below[1] === undefined ? items.get('root') : find(below[1])
    if (named === undefined || isGone(named))
      return refusal(404, 'itemNotFound', 'The resource could not be found.')
    if (state.hidden.has(named.id)) return refusal(403, 'accessDenied', 'Access denied')
    const download = { '@microsoft.graph.downloadUrl': `${files.origin}/${named.id}` }
    return { body: { ...present(named), ...(!named.isFolder && !state.isDenied && download) } }
  }
  const find = (path: string) => {
    let at = items.get('root')
    for (const name of path.split('/'))
      at = [...items.values()].find(
        (item) => item.parent === at?.id && item.name.toLowerCase() === name.toLowerCase(),
      )
    return at
  }

  const server = await startStandIn((request, origin) => {
    if (!tokens.has(request.headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return refusal(401, 'InvalidAuthenticationToken', 'Access token is empty or has expired.')
    if (request.method === 'POST' && request.path === '/v1.0/$batch') return batch(request)
    return request.method === 'GET' ? read(request, origin) : refusal(405, 'invalidRequest', 'Not allowed.')
  })

  function put(item: Partial<GraphItem> & Pick<GraphItem, 'id' | 'name' | 'parent'>): GraphItem {
    const entry: GraphItem = {
      isFolder: false,
      word: '',
      isDeleted: false,
      link: 'none',
      version: (made += 1),
      ...item,
    }
    items.set(entry.id, entry)
    log.push(entry.id)
    return entry
  }
  put({ id: 'root', name: 'root', parent: '', isFolder: true })
  put({ id: 'guide', name: 'Guide & more', parent: 'root', isFolder: true })
  put({ id: 'inner', name: 'Inner', parent: 'guide', isFolder: true })
  put({ id: 'private', name: 'Private', parent: 'root', isFolder: true })
  const places = ['guide', 'inner', 'private']

  const word = () => `graph${(made += 1)}x`
  const add = (random: Random) =>
    put({
      id: `item${(made += 1)}`,
      name: `${random.words(2)} <b>.md`,
      parent: random.of(['guide', 'inner']),
      word: word(),
      link: random.of([
        'none',
        'organization',
        'anonymous',
        'anonymous with a password',
        'anonymous to upload',
      ]),
    })
  const documents = () => [...items.values()].filter((item) => item.word !== '')
  const isRead = (item: GraphItem) => !isGone(item) && chain(item).some(({ id }) => id === 'guide')
  const changes: Record<string, (item: GraphItem, random: Random) => void> = {
    edit: (item) => {
      item.word = word()
      item.version = made += 1
    },
    rename: (item, random) => {
      item.name = `${random.words(2)}.md`
    },
    move: (item, random) => {
      item.parent = random.of(places)
    },
    open: (item) => {
      item.link = 'anonymous'
    },
    close: (item) => {
      item.link = 'none'
    },
    delete: (item) => {
      item.isDeleted = true
    },
    restore: (item) => {
      item.isDeleted = false
    },
  }

  const model: SourceModel = {
    type: 'sharepoint',
    config: {
      urls: ['https://acme.sharepoint.com/sites/Docs/Shared%20Documents/Guide%20%26%20more'],
      tenant: 'acme.example',
    },
    credentials: { client_id: 'app-1', client_secret: APP_SECRET },
    server,
    hosts: { 'login.microsoftonline.com': logins.origin },
    documents: () =>
      new Map(
        documents()
          .filter(isRead)
          .map((item): [string, ExpectedDocument] => {
            const isOpen = chain(item).some(({ link }) => link === 'anonymous')
            return [`${DRIVE}/${item.id}`, { text: item.word, isRestricted: !isOpen }]
          }),
      ),
    add: (random) => void add(random),
    change: (random) => {
      const kind = random.of(['add', 'edit', ...Object.keys(changes), 'folder'])
      if (kind === 'folder') {
        const folder = items.get(random.of(['inner', 'guide']))
        const change = random.of(['open', 'close'])
        if (folder !== undefined) {
          changes[change]?.(folder, random)
          log.push(folder.id)
        }
        return `${change} folder ${folder?.id}`
      }
      const change = changes[kind]
      const all = documents()
      if (all.length === 0 || change === undefined) return `add ${add(random).id}`
      const item = random.of(all)
      change(item, random)
      log.push(item.id)
      return `${kind} ${item.id}`
    },
    hideMost: () => {
      const shown = documents().filter(isRead)
      const gone = shown.filter((_item, at) => at % 4 !== 0)
      for (const item of gone) {
        item.isDeleted = true
        log.push(item.id)
      }
      return () => {
        for (const item of gone) {
          item.isDeleted = false
          log.push(item.id)
        }
      }
    },
  }
  const stop = async () => {
    await Promise.all([server, files, logins].map((one) => one[Symbol.asyncDispose]()))
  }
  return {
    model,
    server,
    files,
    logins,
    items,
    log,
    state,
    put,
    add,
    expire: () => tokens.clear(),
    [Symbol.asyncDispose]: stop,
  }
}
