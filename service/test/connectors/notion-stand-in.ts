import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import { startFileHost, type StandInFile } from './file-host.ts'
import type { ConnectedAccounts } from './oauth-stand-in.ts'
import type { Random } from './random.ts'
import { startStandIn, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

export interface StandInPage {
  id: string
  title: string
  word: string
  isPublished: boolean
  isTrashed: boolean
  isShared: boolean
  /** Seconds since 1970, cut to the minute. */
  edited: number
  /** Instead of the usual ones: blocks with their children under `children`. */
  blocks?: StandInBlock[]
  /** In blocks at its end. */
  files: StandInFile[]
}

export interface StandInBlock {
  type: string
  /** Otherwise a new one each time. */
  id?: string
  /** Fields of its type. */
  fields?: Record<string, unknown>
  children?: StandInBlock[]
}

export const NOTION_TOKEN = 'ntn_stand_in_secret'

const idOf = (place: number) => `11111111-2222-4333-8444-${place.toString(16).padStart(12, '0')}`

const refusal = (status: number, code: string, message: string): StandInAnswer => ({
  status,
  body: { object: 'error', status, code, message, request_id: idOf(0) },
})

export const textBlock = (type: string, text: string, more: object = {}): StandInBlock => ({
  type,
  fields: { rich_text: [richText(text)], color: 'default', ...more },
})

/** https://developers.notion.com/reference/rich-text */
export const richText = (content: string, annotations: object = {}, url: string | null = null) => ({
  type: 'text',
  text: { content, link: url === null ? null : { url } },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
    ...annotations,
  },
  plain_text: content,
  href: url,
})

const usualBlocks = ({ word }: StandInPage): StandInBlock[] => [
  textBlock('heading_2', 'About it', { is_toggleable: false }),
  textBlock('paragraph', `The word of this page is ${word}.`),
  { ...textBlock('bulleted_list_item', 'Outer'), children: [textBlock('bulleted_list_item', 'Inner')] },
  { type: 'unsupported', fields: {} },
]

/**
 * The parts of Notion's API that are read, in version 2025-09-03, as https://developers.notion.com/reference describes them: search, pages,
 * block children and `users/me`. Its times are cut to the minute, as Notion's are.
 */
export async function startNotion() {
  const pages = new Map<string, StandInPage>()
  const blocks = new Map<string, StandInBlock[]>()
  let made = 0
  let minute = 29_300_000
  let hidden: (page: StandInPage) => boolean = () => false
  const tick = () => {
    minute += 1
    return minute * 60
  }
  const isVisible = (page: StandInPage) => page.isShared && !hidden(page)

  const slugOf = ({ id, title }: StandInPage) =>
    `${encodeURIComponent(title.replaceAll(/[^\p{L}\p{N}]+/gu, '-'))}-${id.replaceAll('-', '')}`

  const presentPage = (page: StandInPage) => ({
    object: 'page',
    id: page.id,
    created_time: '2025-01-01T00:00:00.000Z',
    last_edited_time: new Date(page.edited * 1_000).toISOString(),
    in_trash: page.isTrashed,
    archived: page.isTrashed,
    is_archived: false,
    is_locked: false,
    url: `https://www.notion.so/${slugOf(page)}`,
    public_url: page.isPublished ? `https://acme.notion.site/${slugOf(page)}` : null,
    parent: { type: 'workspace', workspace: true },
    icon: null,
    cover: null,
    created_by: { object: 'user', id: idOf(1) },
    last_edited_by: { object: 'user', id: idOf(1) },
    properties: {
      Name: { id: 'title', type: 'title', title: [richText(page.title)] },
      Team: { id: 'a', type: 'select', select: { id: 's', name: 'Support', color: 'red' } },
      Sum: { id: 'b', type: 'formula', formula: { type: 'number', number: 3 } },
    },
  })

  const presentBlock = (block: StandInBlock) => {
    made += 1
    const id = block.id ?? idOf(made)
    if (block.children !== undefined) blocks.set(id, block.children)
    return {
      object: 'block',
      id,
      type: block.type,
      has_children: block.children !== undefined,
      in_trash: false,
      archived: false,
      created_time: '2025-01-01T00:00:00.000Z',
      last_edited_time: '2025-01-01T00:00:00.000Z',
      parent: { type: 'page_id', page_id: idOf(2) },
      created_by: { object: 'user', id: idOf(1) },
      last_edited_by: { object: 'user', id: idOf(1) },
      [block.type]: block.fields ?? {},
    }
  }

  function listOf(all: readonly unknown[], size: unknown, start: unknown, more: object): StandInAnswer {
    const count = Number(size ?? 100)
    if (!(count >= 1 && count <= 100))
      return refusal(400, 'validation_error', 'body.page_size should be ≤ `100`.')
    const from = typeof start === 'string' ? Number(Buffer.from(start, 'hex').toString()) : 0
    if (!Number.isInteger(from))
      return refusal(400, 'validation_error', 'The start_cursor provided is invalid.')
    const hasMore = from + count < all.length
    return {
      body: {
        object: 'list',
        results: all.slice(from, from + count),
        next_cursor: hasMore ? Buffer.from(String(from + count)).toString('hex') : null,
        has_more: hasMore,
        ...more,
      },
    }
  }

  function search({ body }: StandInRequest): StandInAnswer {
    const fields = (body ?? {}) as Record<string, unknown>
    const unknown = Object.keys(fields).filter(
      (name) => !['query', 'sort', 'filter', 'start_cursor', 'page_size'].includes(name),
    )
    if (unknown.length > 0)
      return refusal(400, 'validation_error', `body.${unknown[0]} should be not present`)
    const filter = fields['filter'] as { property?: string; value?: string } | undefined
    if (filter !== undefined && !['page', 'data_source'].includes(filter.value ?? ''))
      return refusal(400, 'validation_error', 'body.filter.value should be `"page"` or `"data_source"`')
    const found = [...pages.values()]
      .filter((page) => isVisible(page) && !page.isTrashed)
      .toSorted((one, other) => other.edited - one.edited)
    return listOf(
      filter?.value === 'data_source' ? [] : found.map(presentPage),
      fields['page_size'],
      fields['start_cursor'],
      { type: 'page_or_data_source', page_or_data_source: {} },
    )
  }

  /** A block by itself, if it is on a page and not inside of another block. */
  function placeOf(path: string): StandInAnswer | undefined {
    const id = /^\/v1\/blocks\/([\w-]+)$/.exec(path)?.[1]
    if (id === undefined) return undefined
    const on = [...pages.values()].find(
      (page) => isVisible(page) && page.blocks?.some((one) => one.id === id),
    )
    return on && { body: { object: 'block', id, parent: { type: 'page_id', page_id: on.id } } }
  }

  /** A page, or the blocks inside a page or a block. */
  function read({ path, query }: StandInRequest): StandInAnswer {
    const page = pages.get(/^\/v1\/pages\/([\w-]+)$/.exec(path)?.[1] ?? '')
    if (page !== undefined && isVisible(page)) return { body: presentPage(page) }
    const placed = placeOf(path)
    if (placed !== undefined) return placed
    const parent = /^\/v1\/blocks\/([\w-]+)\/children$/.exec(path)?.[1] ?? ''
    const ofPage = pages.get(parent)
    const children =
      ofPage !== undefined && isVisible(ofPage)
        ? [...(ofPage.blocks ?? usualBlocks(ofPage)), ...ofPage.files.map(fileBlock)]
        : blocks.get(parent)
    if (children === undefined)
      return refusal(
        404,
        'object_not_found',
        'Make sure the relevant pages are shared with your integration.',
      )
    const answer = listOf(children, query.get('page_size') ?? 100, query.get('start_cursor') ?? undefined, {
      type: 'block',
      block: {},
    })
    const body = answer.body as { results?: StandInBlock[] }
    return body.results === undefined
      ? answer
      : { body: { ...body, results: body.results.map(presentBlock) } }
  }

  const media = await startFileHost(() => [...pages.values()].flatMap(({ files }) => files))
  /** A file that Notion keeps. A PDF block has no name, and its address is another one each time. */
  const fileBlock = (file: StandInFile): StandInBlock => {
    const url = `${media.addressOf(file)}/${encodeURIComponent(file.name)}?X-Amz-Signature=${(made += 1)}`
    const hosted = { type: 'file', caption: [], file: { url, expiry_time: '2026-11-23T12:00:00.000Z' } }
    return file.name.startsWith('PDF')
      ? { id: file.id, type: 'pdf', fields: hosted }
      : { id: file.id, type: 'file', fields: { ...hosted, name: file.name } }
  }

  const accounts: { of: ConnectedAccounts | undefined } = { of: undefined }
  const server = await startStandIn((request) => {
    const { path, method, headers } = request
    if (path.startsWith('/v1/oauth/') && accounts.of !== undefined) return accounts.of.answer(request)
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (token !== NOTION_TOKEN && accounts.of?.isValid(token) !== true)
      return refusal(401, 'unauthorized', 'API token is invalid.')
    if (headers['notion-version'] !== '2025-09-03')
      return refusal(400, 'missing_version', 'Notion-Version header should be defined')
    if (method === 'POST' && path === '/v1/search') return search(request)
    if (method !== 'GET') return refusal(400, 'invalid_request_url', 'Invalid request URL.')
    if (path === '/v1/users/me') {
      const bot = { owner: { type: 'workspace', workspace: true }, workspace_name: 'Acme' }
      return { body: { object: 'user', id: idOf(1), type: 'bot', name: 'Citewell', avatar_url: null, bot } }
    }
    return read(request)
  })

  let words = 0
  const word = () => `note${(words += 1)}x`
  function add(random: Random): StandInPage {
    const id = idOf(1_000_000 + pages.size + (words += 1))
    const page: StandInPage = {
      id,
      title: random.words(3),
      word: word(),
      isPublished: random.below(2) === 0,
      isTrashed: false,
      isShared: true,
      edited: tick(),
      files: [],
    }
    pages.set(id, page)
    return page
  }
  function attach(page: StandInPage, name = 'How to.md'): StandInFile {
    const file: StandInFile = { id: idOf(2_000_000 + (words += 1)), name, word: word() }
    page.files.push(file)
    page.edited = tick()
    return file
  }
  const changes: Record<string, (page: StandInPage) => void> = {
    attach: (page) => void attach(page),
    'replace a file': (page) => {
      page.files.shift()
      attach(page)
    },
    detach: (page) => {
      page.files.pop()
      page.edited = tick()
    },
    edit: (page) => {
      page.word = word()
      page.edited = tick()
    },
    // Publishing does not change the time of the last edit.
    publish: (page) => {
      page.isPublished = true
    },
    unpublish: (page) => {
      page.isPublished = false
    },
    trash: (page) => {
      page.isTrashed = true
      page.edited = tick()
    },
    restore: (page) => {
      page.isTrashed = false
      page.edited = tick()
    },
    share: (page) => {
      page.isShared = true
    },
    unshare: (page) => {
      page.isShared = false
    },
  }

  const model: SourceModel = {
    type: 'notion',
    config: { attachments: true },
    credentials: { token: NOTION_TOKEN },
    server,
    documents: () => {
      const found = new Map<string, ExpectedDocument>()
      for (const page of pages.values()) {
        if (!page.isShared || page.isTrashed) continue
        const isRestricted = !page.isPublished
        found.set(page.id, { text: page.word, isRestricted })
        for (const file of page.files)
          found.set(`${page.id}/attachments/${file.id}`, { text: file.word, isRestricted })
      }
      return found
    },
    add: (random) => void add(random),
    change: (random) => {
      const kind = random.of(['add', 'edit', ...Object.keys(changes)])
      const change = changes[kind]
      if (pages.size === 0 || change === undefined) return `add ${add(random).id}`
      const page = random.of([...pages.values()])
      change(page)
      return `${kind} ${page.id}`
    },
    hideMost: () => {
      const shown = new Set([...pages.keys()].filter((_id, at) => at % 4 === 0))
      hidden = (page) => !shown.has(page.id)
      return () => {
        hidden = () => false
      }
    },
  }
  const stop = async () => {
    await Promise.all([server, media].map((one) => one[Symbol.asyncDispose]()))
  }
  return { model, server, media, accounts, pages, add, attach, tick, [Symbol.asyncDispose]: stop }
}
