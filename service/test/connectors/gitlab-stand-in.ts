import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export interface StandInNote {
  id: number
  text: string
  username: string
  isSystem: boolean
  isInternal: boolean
}

export interface StandInGitlabIssue {
  iid: number
  title: string
  description: string
  /** What changed last. */
  word: string
  isConfidential: boolean
  isClosed: boolean
  /** Seconds since 1970. */
  created: number
  updated: number
  notes: StandInNote[]
}

export const GITLAB_TOKEN = 'glpat-stand-in'
const FOLDER = '/api/v4/projects/acme%2Fdocs%2Fproduct'

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
const refusal = (status: number, message: string): StandInAnswer => ({ status, body: { message } })
const notFound = (what: string) => refusal(404, `404 ${what} Not Found`)

/**
 * The parts of GitLab's API that are read, as https://docs.gitlab.com/api/ describes them: a project, its issues with notes, its wiki, its
 * members, the user. Lists have page numbers and `Link` headers.
 */
export async function startGitlab(given: { pageSize?: number } = {}) {
  const issues = new Map<number, StandInGitlabIssue>()
  const wiki = new Map<string, { title: string; word: string; format: 'markdown' | 'asciidoc' }>()
  const project = { visibility: 'public', issues_access_level: 'enabled', wiki_access_level: 'enabled' }
  let time = 1_760_000_000
  let made = 0
  let isHidden = (_id: string) => false
  const tick = () => (time += 13)
  const next = () => (made += 1)
  const word = () => `word${next()}x`

  const user = (username: string) => ({ id: username.length, username, name: username, state: 'active' })
  const presentIssue = (issue: StandInGitlabIssue, origin: string) => ({
    id: issue.iid + 9_000,
    iid: issue.iid,
    project_id: 5,
    title: issue.title,
    description: issue.description,
    state: issue.isClosed ? 'closed' : 'opened',
    labels: ['area::keys'],
    web_url: `${origin}/acme/docs/product/-/issues/${issue.iid}`,
    confidential: issue.isConfidential,
    created_at: iso(issue.created),
    updated_at: iso(issue.updated),
    author: user('ada'),
    user_notes_count: issue.notes.filter(({ isSystem }) => !isSystem).length,
  })
  const presentNote = (note: StandInNote) => ({
    id: note.id,
    body: note.text,
    author: user(note.username),
    created_at: '2026-03-04T05:06:07.000Z',
    updated_at: '2026-03-04T05:06:07.000Z',
    system: note.isSystem,
    internal: note.isInternal,
    confidential: note.isInternal,
    noteable_type: 'Issue',
  })

  function page(
    { query, path }: StandInRequest,
    known: readonly string[],
    { all, origin }: { all: readonly object[]; origin: string },
  ): StandInAnswer {
    const wrong = unknownFields(query, ['per_page', 'page', ...known])
    if (wrong.length > 0) return { status: 400, body: { error: `${wrong.join()} is invalid` } }
    const size = Math.min(Number(query.get('per_page') ?? '20'), given.pageSize ?? 100)
    const at = Number(query.get('page') ?? '1')
    if (!(size >= 1 && at >= 1)) return { status: 400, body: { error: 'page is invalid' } }
    const link = new URLSearchParams(query)
    link.set('page', String(at + 1))
    const hasMore = all.length > at * size
    return {
      body: all.slice((at - 1) * size, at * size),
      headers: {
        'x-next-page': hasMore ? String(at + 1) : '',
        ...(hasMore && { link: `<${origin}${path}?${link.toString()}>; rel="next"` }),
      },
    }
  }

  function issueList(request: StandInRequest, origin: string, visible: readonly StandInGitlabIssue[]) {
    const { query } = request
    const since = query.get('updated_after') ?? ''
    const isUpdated = query.get('order_by') === 'updated_at'
    const all = visible
      .filter((issue) => iso(issue.updated) >= since)
      .toSorted((one, other) => (isUpdated ? one.updated - other.updated : one.created - other.created))
    return page(request, ['scope', 'order_by', 'sort', 'updated_after'], {
      all: all.map((issue) => presentIssue(issue, origin)),
      origin,
    })
  }

  function wikiAnswer(request: StandInRequest, below: string): StandInAnswer {
    const shown = [...wiki].filter(([slug]) => !isHidden(`wikis/${slug}`))
    if (below === '') {
      const isWhole = request.query.get('with_content') === '1'
      return {
        body: shown.map(([slug, { title, word: said, format }]) => ({
          slug,
          title,
          format,
          ...(isWhole && {
            encoding: 'UTF-8',
            content: format === 'markdown' ? `# ${title}\n\nThe word of this page is ${said}.` : `== ${said}`,
          }),
        })),
      }
    }
    const found = shown.find(([slug]) => `/${encodeURIComponent(slug)}` === below)
    if (found === undefined) return notFound('Wiki Page')
    if (request.query.get('render_html') !== 'true') return refusal(400, 'render_html is missing')
    const [slug, { title, word: said, format }] = found
    return { body: { slug, title, format, content: `<h2>Rendered</h2><p>The word is ${said}.</p>` } }
  }

  function issueAnswer(
    request: StandInRequest,
    below: string,
    { origin, isSignedIn }: { origin: string; isSignedIn: boolean },
  ) {
    const visible = [...issues.values()].filter(
      (issue) => !isHidden(`issues/${issue.iid}`) && (isSignedIn || !issue.isConfidential),
    )
    if (below === '') return issueList(request, origin, visible)
    const [, iid, notes] = /^\/(\d+)(\/notes)?$/.exec(below) ?? []
    const issue = visible.find((one) => one.iid === Number(iid))
    if (issue === undefined) return notFound('Issue')
    if (notes === undefined) return { body: presentIssue(issue, origin) }
    if (!isSignedIn) return refusal(401, '401 Unauthorized')
    return page(request, ['order_by', 'sort'], { all: issue.notes.map(presentNote), origin })
  }

  function members(request: StandInRequest, origin: string, isSignedIn: boolean): StandInAnswer {
    if (!isSignedIn) return refusal(401, '401 Unauthorized')
    const all = [
      { ...user('grace'), access_level: 40 },
      { ...user('ada'), access_level: 10 },
    ]
    return page(request, [], { all, origin })
  }

  const instance = {
    /** False: nobody sees anything without signing in. */ isOpen: true,
    scopes: new Set(['read_api']),
  }
  const insufficient = {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api read_api',
  }
  const revoked = {
    error: 'invalid_token',
    error_description: 'Token was revoked. You have to re-authorize from the user.',
  }

  function refused({ path, headers }: StandInRequest, isSignedIn: boolean): StandInAnswer | undefined {
    if (headers.authorization !== undefined && !isSignedIn) return { status: 401, body: revoked }
    if (isSignedIn && !instance.scopes.has('read_api')) return { status: 403, body: insufficient }
    if (!isSignedIn && (!instance.isOpen || path === '/api/v4/user')) return refusal(401, '401 Unauthorized')
    return undefined
  }

  const server = await startStandIn((request, origin) => {
    const { path, headers } = request
    const isSignedIn = headers.authorization === `Bearer ${GITLAB_TOKEN}`
    const refusedAs = refused(request, isSignedIn)
    if (refusedAs !== undefined) return refusedAs
    if (path === '/api/v4/user') return { body: user('reader') }
    if (!path.startsWith(FOLDER) || (project.visibility !== 'public' && !isSignedIn))
      return notFound('Project')
    const below = path.slice(FOLDER.length)
    const place = { path_with_namespace: 'acme/docs/product', web_url: `${origin}/acme/docs/product` }
    if (below === '') return { body: { id: 5, ...place, ...(isSignedIn && project) } }
    if (below === '/members/all') return members(request, origin, isSignedIn)
    const isWiki = below.startsWith('/wikis')
    const level = isWiki ? project.wiki_access_level : project.issues_access_level
    if (!isSignedIn && level !== 'enabled') return refusal(403, '403 Forbidden')
    if (isWiki) return wikiAnswer(request, below.slice('/wikis'.length))
    return below.startsWith('/issues')
      ? issueAnswer(request, below.slice('/issues'.length), { origin, isSignedIn })
      : notFound('Page')
  })

  const addNote = (issue: StandInGitlabIssue, text: string, more: Partial<StandInNote> = {}): StandInNote => {
    const note = { id: next(), text, username: 'grace', isSystem: false, isInternal: false, ...more }
    issue.notes.push(note)
    issue.updated = tick()
    return note
  }
  const addIssue = (random: Random): StandInGitlabIssue => {
    const said = word()
    const created = tick()
    const issue: StandInGitlabIssue = {
      iid: next(),
      title: random.words(3),
      description: `How? The word is ${said}.`,
      word: said,
      isConfidential: random.below(5) === 0,
      isClosed: false,
      created,
      updated: created,
      notes: [],
    }
    issues.set(issue.iid, issue)
    return issue
  }
  const addPage = (random: Random) =>
    void wiki.set(`guides/${next()}`, {
      title: random.words(2),
      word: word(),
      format: random.of(['markdown', 'markdown', 'asciidoc'] as const),
    })
  const add = (random: Random) => (random.below(3) === 0 ? addPage(random) : void addIssue(random))

  const changeIssue: Record<string, (issue: StandInGitlabIssue) => void> = {
    edit: (issue) => {
      issue.word = word()
      issue.description = `Another question: ${issue.word}.`
      issue.updated = tick()
    },
    note: (issue) => {
      issue.word = word()
      addNote(issue, `Try ${issue.word}.`)
    },
    'delete a note': (issue) => {
      // Changes the count, not the time.
      const note = issue.notes.pop()
      if (note?.text.includes(issue.word) === true) issue.word = issue.description
    },
    'make confidential': (issue) => {
      issue.isConfidential = true
      issue.updated = tick()
    },
    'make open': (issue) => {
      issue.isConfidential = false
      issue.updated = tick()
    },
    delete: ({ iid }) => void issues.delete(iid),
  }
  const changeElsewhere: Record<string, (random: Random) => void> = {
    'edit a page': (random) => {
      const one = wiki.size === 0 ? undefined : random.of([...wiki.values()])
      if (one === undefined) addPage(random)
      else one.word = word()
    },
    'move a page': (random) => {
      const one = wiki.size === 0 ? undefined : random.of([...wiki])
      if (one === undefined) return
      wiki.delete(one[0])
      wiki.set(`moved/${next()}`, one[1])
    },
    'delete a page': (random) => {
      if (wiki.size > 0) wiki.delete(random.of([...wiki.keys()]))
    },
    'close the wiki': () => void (project.wiki_access_level = 'private'),
    'open the wiki': () => void (project.wiki_access_level = 'enabled'),
    'make internal': () => void (project.visibility = 'internal'),
    'make public': () => void (project.visibility = 'public'),
  }

  const model: SourceModel = {
    type: 'gitlab',
    config: { url: `${server.origin}/acme/docs/product` },
    credentials: { token: GITLAB_TOKEN },
    server,
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      const isClosed = project.visibility !== 'public' || !instance.isOpen
      for (const { iid, word: text, isConfidential } of issues.values())
        found.set(`issues/${iid}`, { text, isRestricted: isClosed || isConfidential })
      for (const [slug, { word: text }] of wiki)
        found.set(`wikis/${slug}`, {
          text,
          isRestricted: isClosed || project.wiki_access_level !== 'enabled',
        })
      return found
    },
    add,
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changeIssue), ...Object.keys(changeElsewhere)])
      const issue = issues.size === 0 ? undefined : random.of([...issues.values()])
      const [ofIssue, elsewhere] = [changeIssue[kind], changeElsewhere[kind]]
      if (elsewhere !== undefined) elsewhere(random)
      else if (ofIssue !== undefined && issue !== undefined) ofIssue(issue)
      else add(random)
      return issue === undefined ? kind : `${kind} ${issue.iid}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...model.documents().keys()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (id) => !shown.has(id)
      return () => {
        isHidden = () => false
      }
    },
  }
  return {
    model,
    server,
    issues,
    project,
    instance,
    addIssue,
    addNote,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}
