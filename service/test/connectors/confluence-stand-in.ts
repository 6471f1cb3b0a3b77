import { presentContent, type StandInContent } from './confluence-records.ts'
import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import { filesOf, startFileHost, textOfFile, type VersionedFile } from './file-host.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

const CONFLUENCE_TOKEN = 'confluence-token'
const EMAIL = 'reader@acme.example'
const HOUR_MS = 3_600_000
/** Spaces, and whether strangers may read them. */
const SPACES = new Map([
  ['OPEN', true],
  ['TEAM', false],
])

const KNOWN_EXPANSIONS =
  /^(?:body\.storage|version|space|ancestors|(?:ancestors\.)?restrictions\.read\.restrictions\.(?:user|group)|children\.attachment\.version)$/

/** The part of CQL that is used: what it does not know is refused, as Confluence does. */
const CQL =
  /^(?:type in \(page, blogpost\))?(?: and space in \((?<spaces>"[^"]+"(?:, "[^"]+")*)\))?(?: and )?(?:id in \((?<ids>\d+(?:, \d+)*)\))?(?:(?: and )?lastmodified >= now\("-(?<minutes>\d+)m"\))?(?: order by created asc)?$/

const refusal = (status: number, message: string): StandInAnswer => ({
  status,
  body: {
    statusCode: status,
    data: { authorized: status !== 403, valid: status !== 400, errors: [], successful: false },
    message,
  },
})

/**
 * The parts of Confluence that are read: the search of content by CQL with expansions, and the current user. In the cloud its lists go on by
 * a cursor and an account signs in with its e-mail address; a server of one's own counts from a start and takes a token.
 */
export async function startConfluence(given: { isCloud?: boolean; isAnonymous?: boolean } = {}) {
  const { isCloud = true, isAnonymous = false } = given
  const folder = isCloud ? '/wiki' : '/confluence'
  const authorization = isCloud
    ? `Basic ${Buffer.from(`${EMAIL}:${CONFLUENCE_TOKEN}`).toString('base64')}`
    : `Bearer ${CONFLUENCE_TOKEN}`
  const account = { token: CONFLUENCE_TOKEN, ...(isCloud && { email: EMAIL }) }
  const pages = new Map<string, StandInContent>()
  let nextId = 98_300
  let isHidden = (_page: StandInContent) => false
  let maySignOut = true
  let isTokenOver = false

  const parentOf = (page: StandInContent) => (page.parent === undefined ? undefined : pages.get(page.parent))
  const isOpen = (page: StandInContent) =>
    SPACES.get(page.space) === true && !page.isRestricted && parentOf(page)?.isRestricted !== true

  /** What is wrong with a query; as Confluence words it. */
  function faultOf(query: URLSearchParams, expand: readonly string[]): string | undefined {
    const wrong = unknownFields(query, ['cql', 'limit', 'expand', isCloud ? 'cursor' : 'start'])
    if (wrong.length > 0) return `unknown parameter ${wrong.join()}`
    const misspelt = expand.find((name) => !KNOWN_EXPANSIONS.test(name))
    if (misspelt !== undefined) return `Cannot expand ${misspelt}`
    const cql = query.get('cql') ?? ''
    return CQL.test(cql)
      ? undefined
      : `com.atlassian.confluence.api.service.exceptions.BadRequestException: Could not parse cql : ${cql}`
  }

  function findPages(cql: string, isSignedIn: boolean): StandInContent[] {
    const { spaces, ids, minutes } = CQL.exec(cql)?.groups ?? {}
    return [...pages.values()].filter(
      (page) =>
        !isHidden(page) &&
        (isSignedIn || isOpen(page)) &&
        (spaces === undefined || spaces.toUpperCase().includes(`"${page.space}"`)) &&
        (ids === undefined || ids.split(', ').includes(page.id)) &&
        (minutes === undefined || page.updated >= Date.now() - Number(minutes) * 60_000),
    )
  }

  const place = isCloud
    ? { field: 'cursor', read: (text: string) => Number(atob(text)), write: (at: number) => btoa(String(at)) }
    : { field: 'start', read: Number, write: String }

  function search({ query }: StandInRequest, isSignedIn: boolean, origin: string): StandInAnswer {
    // As a list, or each by itself.
    const expand = query.getAll('expand').flatMap((names) => names.split(',').filter(Boolean))
    const fault = faultOf(query, expand)
    if (fault !== undefined) return refusal(400, fault)
    const found = findPages(query.get('cql') ?? '', isSignedIn)
    // A limit that is too large is lowered without a word.
    const limit = Math.min(Number(query.get('limit') ?? 25), expand.includes('body.storage') ? 20 : 50)
    const from = query.get(place.field)
    const start = from === null ? 0 : place.read(from)
    const part = found.slice(start, start + limit)
    const next = new URLSearchParams(query)
    next.set(place.field, place.write(start + limit))
    return {
      body: {
        results: part.map((page) => presentContent(page, parentOf(page), expand)),
        start,
        limit,
        size: part.length,
        _links: {
          base: isCloud ? 'https://acme.atlassian.net/wiki' : `${origin}${folder}`,
          context: folder,
          ...(start + limit < found.length && { next: `/rest/api/content/search?${next.toString()}` }),
        },
      },
    }
  }

  const media = await startFileHost(() => all().flatMap(({ files }) => files))
  /** The cloud keeps the address of browsers from tokens, and has another one; servers of one's own have the first one alone. */
  function refusedAddress(path: string, fileId: string | undefined): StandInAnswer | undefined {
    const forTokens = { status: 401, body: { code: 401, message: 'Unauthorized' } }
    if (isCloud && path.includes('/download/attachments/')) return forTokens
    return fileId !== undefined && !isCloud ? refusal(404, 'null for uri') : undefined
  }

  /** The files of a page, or one of them: in the cloud it is at another host. */
  function answerFiles({ path, query }: StandInRequest, isSignedIn: boolean): StandInAnswer | undefined {
    const [, pageId, own, fileId] =
      /\/(?:rest\/api\/content|download\/attachments)\/(\d+)\/(child\/attachment(?:\/att(\d+)\/download)?|[^/]+)$/.exec(
        path,
      ) ?? []
    const page = pages.get(pageId ?? '')
    if (own === undefined || page === undefined) return undefined
    const isUnseen = isHidden(page) || !(isSignedIn || isOpen(page))
    const refused = refusedAddress(path, fileId) ?? (isUnseen ? refusal(404, 'No content found') : undefined)
    if (refused !== undefined) return refused
    const asked = { start: Number(query.get('start') ?? 0), limit: Number(query.get('limit')) }
    if (own === 'child/attachment') return { body: filesOf(page, asked) }
    const file = page.files.find(({ id, name }) => id === fileId || encodeURIComponent(name) === own)
    if (file === undefined) return refusal(404, 'No attachment found')
    if (file.refusedWith !== undefined) return refusal(file.refusedWith, 'Not permitted')
    return isCloud ? media.sendTo(file, 302) : { body: textOfFile(file) }
  }

  const server = await startStandIn((request, origin) => {
    const { headers, path } = request
    const isSignedIn = !isTokenOver && headers.authorization === authorization
    // A site that strangers may visit answers a token that has ended as a stranger.
    if (headers.authorization !== undefined && !isSignedIn && !isTokenOver)
      return { status: 401, body: { code: 401, message: 'Unauthorized' } }
    if (!isSignedIn && !maySignOut)
      return refusal(403, 'Request rejected because caller cannot access Confluence')
    if (request.method !== 'GET') return refusal(405, 'Method not allowed')
    if (path === `${folder}/rest/api/user/current`) {
      const reader = { type: 'known', displayName: 'Reader', accountId: '1', timeZone: 'Pacific/Auckland' }
      return { body: isSignedIn ? reader : { type: 'anonymous', displayName: 'Anonymous' } }
    }
    if (path === `${folder}/rest/api/content/search`) return search(request, isSignedIn, origin)
    return answerFiles(request, isSignedIn) ?? refusal(404, 'null for uri')
  })

  const word = () => `word${(nextId += 1)}x`
  const all = () => [...pages.values()]

  /** Made two hours ago, so that the next query for changes does not have it. */
  function add(random: Random): StandInContent {
    const id = String((nextId += 1))
    const space = random.of([...SPACES.keys()])
    const roots = all().filter((page) => page.parent === undefined && page.space === space)
    const page: StandInContent = {
      id,
      title: random.words(3),
      word: word(),
      space,
      parent: roots.length > 0 && random.below(2) === 0 ? random.of(roots).id : undefined,
      isRestricted: random.below(6) === 0,
      updated: Date.now() - 2 * HOUR_MS,
      version: 1,
      files: [],
    }
    pages.set(id, page)
    return page
  }
  const touch = (page: StandInContent) => {
    page.version += 1
    page.updated = Date.now()
  }
  const childrenOf = ({ id }: StandInContent) => all().filter(({ parent }) => parent === id)

  function attach(page: StandInContent, name?: string) {
    const id = String((nextId += 1))
    const file: VersionedFile = { id, name: name ?? `How to ${id}.md`, word: word(), version: 1 }
    page.files.push(file)
    return file
  }

  const changes: Record<string, (page: StandInContent, random: Random) => void> = {
    // A file does not change its page.
    attach: (page) => void attach(page),
    'replace a file': (page) => {
      const [file] = page.files
      if (file === undefined) return
      file.word = word()
      file.version += 1
    },
    detach: (page) => void page.files.pop(),
    edit: (page) => {
      page.word = word()
      touch(page)
    },
    rename: (page, random) => {
      page.title = random.words(4)
      touch(page)
    },
    // No new version, as in Confluence: only the list of all pages shows these.
    move: (page, random) => {
      const space = random.of([...SPACES.keys()])
      for (const one of [page, ...childrenOf(page)]) one.space = space
      if (parentOf(page)?.space !== space) page.parent = undefined
    },
    restrict: (page) => {
      page.isRestricted = true
    },
    open: (page) => {
      page.isRestricted = false
    },
    delete: (page) => {
      for (const child of childrenOf(page)) child.parent = page.parent
      pages.delete(page.id)
    },
  }

  const model: SourceModel = {
    type: 'confluence',
    config: { url: `${server.origin}${folder}`, attachments: true },
    credentials: isAnonymous ? undefined : account,
    server,
    documents: () => {
      const visible = all().filter((page) => !isAnonymous || isOpen(page))
      return new Map<string, ExpectedDocument>(
        visible.flatMap((page): [string, ExpectedDocument][] => {
          const isRestricted = !isOpen(page)
          return [
            [page.id, { text: page.word, isRestricted }],
            ...page.files.map(({ id, word: text }): [string, ExpectedDocument] => [
              `${page.id}/attachments/att${id}`,
              { text, isRestricted },
            ]),
          ]
        }),
      )
    },
    add,
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changes)])
      const change = changes[kind]
      if (pages.size === 0 || change === undefined) {
        touch(add(random))
        return 'add'
      }
      const page = random.of(all())
      change(page, random)
      return `${kind} ${page.id}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...pages.keys()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (page) => !shown.has(page.id)
      return () => {
        isHidden = () => false
      }
    },
  }
  return {
    model,
    server,
    pages,
    add,
    attach,
    media,
    changes,
    /** The token ends. */
    expire: () => {
      isTokenOver = true
    },
    /** From now on nobody reads anything without signing in. */
    close: () => {
      maySignOut = false
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server, media].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
