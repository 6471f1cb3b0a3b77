import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import { startFileHost, textOfFile, type StandInFile } from './file-host.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'
import { bad, cursorPage } from './zendesk-pages.ts'

interface Article {
  id: number
  title: string
  word: string
  section: number
  draft: boolean
  segment: number | null
  /** Seconds since 1970. */
  updated: number
  edited: number
  files: StandInFile[]
}

export const ZENDESK_TOKEN = 'zendesk-api-token'
const AGENT = 'agent@acme.example'
const AUTHORIZATION = `Basic ${Buffer.from(`${AGENT}/token:${ZENDESK_TOKEN}`).toString('base64')}`

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

const unknownPath = (): StandInAnswer => bad(404, 'RecordNotFound', 'Not found')
const notSignedIn = (): StandInAnswer => ({ status: 401, body: { error: "Couldn't authenticate you" } })

/** Words with dashes between them: https://support.zendesk.com/hc/en-us/articles/4408831414554 */
const slugOf = (title: string) => encodeURIComponent(title.replaceAll(/[^\p{L}\p{N}]+/gu, '-'))

const fileOf = (article: Article, file: StandInFile, origin: string) => ({
  id: Number(file.id),
  url: `${origin}/api/v2/help_center/articles/attachments/${file.id}`,
  article_id: article.id,
  display_file_name: file.name,
  file_name: file.name,
  locale: null,
  content_url: `${origin}/hc/article_attachments/${file.id}`,
  relative_path: `/hc/article_attachments/${file.id}`,
  content_type: 'text/markdown',
  size: file.bytes ?? textOfFile(file).length,
  inline: false,
  created_at: iso(1_760_000_000),
  // It changes with its article.
  updated_at: iso(article.updated),
})

/**
 * A help center as https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/ describes it, with the parts that are
 * read here: categories, sections, articles by cursor pages, the incremental export, single articles, their files and `users/me`. Archived articles
 * leave every answer without a trace; changes of the text alone do not enter the export, which has changes of metadata.
 */
export async function startZendesk(given: { exportSize?: number; isAnonymous?: boolean } = {}) {
  const { exportSize = 1_000, isAnonymous = false } = given
  const articles = new Map<number, Article>()
  const categories = new Map([
    [1, 'Basics'],
    [2, 'Billing'],
  ])
  const sections = new Map([
    [10, { name: 'Start', category: 1, parent: null as number | null }],
    [11, { name: 'Keys', category: 1, parent: 10 as number | null }],
    [20, { name: 'Invoices', category: 2, parent: null as number | null }],
  ])
  let time = 1_760_000_000
  let nextId = 360_000_000_001
  /** Ids of articles that the agent may no longer see. */
  const refused = new Set<number>()
  let isClosed = false
  let isHidden = (article: Article) => refused.has(article.id)
  const tick = () => {
    time += 5
    return time
  }

  const present = (article: Article, origin: string) => ({
    id: article.id,
    url: `${origin}/api/v2/help_center/en-us/articles/${article.id}.json`,
    html_url: `https://acme.zendesk.com/hc/en-us/articles/${article.id}-${slugOf(article.title)}`,
    title: article.title,
    name: article.title,
    body: `<h2>About it</h2><p>The word of this article is ${article.word}.</p><table><tr><th>Plan</th><th>Limit</th></tr><tr><td>Free</td><td>10</td></tr></table><pre><code>acme --word ${article.word}</code></pre>`,
    locale: 'en-us',
    source_locale: 'en-us',
    draft: article.draft,
    section_id: article.section,
    created_at: iso(1_760_000_000),
    updated_at: iso(article.updated),
    edited_at: iso(article.edited),
    user_segment_id: article.segment,
    user_segment_ids: article.segment === null ? [] : [article.segment],
    label_names: [],
    content_tag_ids: [],
    outdated: false,
  })

  function exported({ query }: StandInRequest, visible: readonly Article[], origin: string): StandInAnswer {
    if (unknownFields(query, ['start_time']).length > 0)
      return bad(400, 'InvalidParameter', 'unknown parameter')
    const start = query.get('start_time') ?? ''
    if (!/^\d+$/.test(start)) return bad(400, 'InvalidParameter', 'start_time is missing')
    const changed = visible
      .filter((article) => article.updated >= Number(start))
      .toSorted((one, other) => one.updated - other.updated)
    const page = changed.slice(0, exportSize)
    const end = page.at(-1)?.updated ?? Number(start)
    const hasMore = changed.length > page.length
    return {
      body: {
        articles: page.map((article) => present(article, origin)),
        count: page.length,
        end_time: end,
        next_page: hasMore
          ? `${origin}/api/v2/help_center/incremental/articles.json?start_time=${end}`
          : null,
      },
    }
  }

  const media = await startFileHost(() => [...articles.values()].flatMap(({ files }) => files))
  /** Files of articles, and their lists; undefined for any other address. */
  function filesAt(asked: StandInRequest, visible: readonly Article[], origin: string) {
    const fileId = /^\/hc\/article_attachments\/(\d+)$/.exec(asked.path)?.[1]
    if (fileId !== undefined) {
      const file = visible.flatMap(({ files }) => files).find((one) => one.id === fileId)
      return file === undefined ? { status: 404, body: 'oops' } : media.sendTo(file, 302)
    }
    const withFiles = /^\/api\/v2\/help_center\/articles\/(\d+)\/attachments\/block$/.exec(asked.path)?.[1]
    if (withFiles === undefined) return undefined
    const of = visible.find((one) => one.id === Number(withFiles))
    const files = of?.files.map((file) => fileOf(of, file, origin))
    return files === undefined ? unknownPath() : cursorPage('article_attachments', files, asked, origin)
  }

  /** Categories and sections; undefined for any other address. */
  function placesAt(asked: StandInRequest, origin: string): StandInAnswer | undefined {
    const { path } = asked
    if (path === '/api/v2/help_center/categories')
      return cursorPage(
        'categories',
        [...categories].map(([id, name]) => ({ id, name })),
        asked,
        origin,
      )
    if (path === '/api/v2/help_center/sections') {
      const all = [...sections].map(([id, { name, category, parent }]) => ({
        id,
        name,
        category_id: category,
        parent_section_id: parent,
      }))
      return cursorPage('sections', all, asked, origin)
    }
    return undefined
  }

  /** In another language than that of the help center there is nothing. */
  const visibleTo = (isAgent: boolean, locale: string) =>
    [...articles.values()].filter(
      (article) =>
        locale === 'en-us' && !isHidden(article) && (isAgent || (article.segment === null && !article.draft)),
    )

  function refusalOf({ headers, path, method }: StandInRequest, isAgent: boolean): StandInAnswer | undefined {
    const needsSignIn = isClosed && !path.startsWith('/api/v2/users/me')
    if (!isAgent && (headers.authorization !== undefined || needsSignIn)) return notSignedIn()
    return method === 'GET' ? undefined : bad(405, 'MethodNotAllowed', 'only GET')
  }
  /** One article by itself. */
  function articleAt(path: string, visible: readonly Article[], origin: string): StandInAnswer {
    const id = /^\/api\/v2\/help_center\/articles\/(\d+)$/.exec(path)?.[1]
    if (refused.has(Number(id))) return bad(403, 'Forbidden', 'You do not have access')
    const article = visible.find((one) => one.id === Number(id))
    return article === undefined ? unknownPath() : { body: { article: present(article, origin) } }
  }

  const server = await startStandIn((request, origin) => {
    const { headers } = request
    const [, locale = 'en-us'] = /\/help_center\/([a-z]{2}(?:-[a-z]{2})?)\//.exec(request.path) ?? []
    const path = request.path.replace(/\.json$/, '').replace(`/help_center/${locale}/`, '/help_center/')
    const isAgent = headers.authorization === AUTHORIZATION
    const refusal = refusalOf(request, isAgent)
    if (refusal !== undefined) return refusal
    const visible = visibleTo(isAgent, locale)
    const asked = { ...request, path }
    if (path === '/api/v2/users/me') {
      const agent = { id: 7, name: 'Ada', role: 'agent' }
      return { body: { user: isAgent ? agent : { id: null, name: 'Anonymous user', role: 'end-user' } } }
    }
    const place = placesAt(asked, origin)
    if (place !== undefined) return place
    if (path === '/api/v2/help_center/articles')
      return cursorPage(
        'articles',
        visible.map((article) => present(article, origin)),
        asked,
        origin,
      )
    if (path === '/api/v2/help_center/incremental/articles')
      return isAgent ? exported(asked, visible, origin) : bad(403, 'Forbidden', 'You do not have access')
    const files = filesAt(asked, visible, origin)
    return files ?? articleAt(path, visible, origin)
  })

  const word = () => `word${(nextId += 1) % 1_000_000}x`
  const some = (random: Random) => (articles.size === 0 ? undefined : random.of([...articles.values()]))
  function add(random: Random): void {
    const id = (nextId += 1)
    const segment = !isAnonymous && random.below(5) === 0 ? 99 : null
    const draft = random.below(10) === 0
    const now = tick()
    articles.set(id, {
      id,
      title: random.words(3),
      word: word(),
      section: random.of([10, 11, 20]),
      draft,
      segment,
      updated: now,
      edited: now,
      files: [],
    })
  }
  function attach(article: Article, name = 'How to.md'): StandInFile {
    const file: StandInFile = { id: String((nextId += 1)), name, word: word() }
    article.files.push(file)
    return file
  }
  /** As the editor does it: with the article, which is saved then. */
  const save = (article: Article) => {
    article.updated = tick()
    article.edited = article.updated
  }

  const changes: Record<string, (article: Article, random: Random) => void> = {
    edit: (article) => {
      // Of the text alone: not in the export.
      article.word = word()
      article.edited = tick()
    },
    move: (article, random) => {
      article.section = random.of([10, 11, 20])
      article.updated = tick()
    },
    restrict: (article) => {
      article.segment = 99
      article.updated = tick()
    },
    open: (article) => {
      article.segment = null
      article.updated = tick()
    },
    unpublish: (article) => {
      article.draft = true
      article.updated = tick()
    },
    publish: (article) => {
      article.draft = false
      article.updated = tick()
    },
    attach: (article) => {
      attach(article)
      save(article)
    },
    'replace a file': (article) => {
      article.files.shift()
      attach(article)
      save(article)
    },
    detach: (article) => {
      article.files.pop()
      save(article)
    },
    archive: (article) => void articles.delete(article.id),
  }

  const model: SourceModel = {
    type: 'zendesk_help_center',
    config: { url: server.origin, attachments: true },
    credentials: isAnonymous ? undefined : { email: AGENT, token: ZENDESK_TOKEN },
    server,
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      for (const article of articles.values()) {
        if (article.draft || (isAnonymous && article.segment !== null)) continue
        const isRestricted = article.segment !== null || isClosed
        found.set(String(article.id), { text: article.word, isRestricted })
        for (const file of article.files)
          found.set(`${article.id}/attachments/${file.id}`, { text: file.word, isRestricted })
      }
      return found
    },
    add,
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changes)])
      const article = some(random)
      const change = changes[kind]
      if (article === undefined || change === undefined) {
        add(random)
        return 'add'
      }
      change(article, random)
      return `${kind} ${article.id}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...articles.keys()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (article) => !shown.has(article.id)
      return () => {
        isHidden = (article) => refused.has(article.id)
      }
    },
  }
  return {
    model,
    server,
    articles,
    refused,
    /** The help center as a whole needs a sign-in, or does not any more: https://support.zendesk.com/hc/en-us/articles/4408842656154 */
    close: (needsSignIn: boolean) => {
      isClosed = needsSignIn
    },
    sections,
    categories,
    tick,
    attach,
    media,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([server, media].map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
