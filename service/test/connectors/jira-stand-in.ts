import type { ExpectedDocument, SourceModel } from './connector-world.ts'
import { startFileHost, textOfFile, type StandInFile } from './file-host.ts'
import type { Random } from './random.ts'
import { startStandIn, unknownFields, type StandInAnswer, type StandInRequest } from './stand-in-server.ts'

interface StandInIssue {
  id: string
  project: string
  number: number
  summary: string
  word: string
  isSecret: boolean
  /** Milliseconds since 1970. */
  updated: number
  comments: object[]
  /** Instead of the usual description: Atlassian Document Format. */
  description?: unknown
  files: StandInFile[]
}

const JIRA_TOKEN = 'jira-token'
const EMAIL = 'reader@acme.example'
const AUTHORIZATION = `Basic ${Buffer.from(`${EMAIL}:${JIRA_TOKEN}`).toString('base64')}`
const HOUR_MS = 3_600_000
const PROJECTS = ['HELP', 'OPS', 'OTHER']

/** The part of JQL that is used; without a restriction to projects it is unbounded. */
const JQL =
  /^project in \((?<projects>"\w+"(?:, "\w+")*)\)(?: and updated >= "-(?<minutes>\d+)m")? order by created asc$/

const FIELDS = new Set(
  (
    'updated security summary description comment project issuetype status resolution priority labels components ' +
    'fixVersions reporter assignee attachment'
  ).split(' '),
)

const refusal = (status: number, message: string): StandInAnswer => ({
  status,
  body: { errorMessages: [message], errors: {} },
})

export const adf = (...content: unknown[]) => ({ type: 'doc', version: 1, content })
export const adfParagraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

/** @param more e.g. `visibility` */
export const comment = (text: string, more: object = {}) => ({
  id: '1',
  author: { accountId: 'someone-else', displayName: 'Ada Lovelace' },
  body: adf(adfParagraph(text)),
  created: '2026-11-20T10:00:00.000+0000',
  jsdPublic: true,
  ...more,
})

/** The parts of Jira's cloud that are read: search by JQL, bulk fetch, comments, `myself`; in the version 3 of its API. */
export async function startJira() {
  const issues = new Map<string, StandInIssue>()
  let nextId = 10_000
  let isHidden = (_issue: StandInIssue) => false
  let isTokenOver = false
  const numbers = new Map<string, number>()
  const keyOf = (issue: StandInIssue) => `${issue.project}-${issue.number}`
  const numberIn = (project: string) => {
    const next = (numbers.get(project) ?? 0) + 1
    numbers.set(project, next)
    return next
  }

  function present(issue: StandInIssue, asked: readonly string[]) {
    const all: Record<string, unknown> = {
      updated: new Date(issue.updated).toISOString().replace('Z', '+0000'),
      security: issue.isSecret ? { id: '10000', name: 'Staff' } : null,
      summary: issue.summary,
      description: issue.description ?? adf(adfParagraph(`The word of this issue is ${issue.word}.`)),
      // The first ones only.
      comment: {
        comments: issue.comments.slice(0, 20),
        maxResults: 20,
        total: issue.comments.length,
        startAt: 0,
      },
      project: { id: '1', key: issue.project, name: `Project ${issue.project}` },
      issuetype: { name: 'Bug' },
      status: { name: 'Open' },
      resolution: null,
      priority: { name: 'High' },
      labels: ['portal'],
      components: [{ name: 'Billing' }],
      fixVersions: [],
      reporter: { accountId: 'the-reporter', displayName: 'Grace Hopper' },
      assignee: null,
      attachment: issue.files.map((file) => ({
        id: file.id,
        filename: file.name,
        size: file.bytes ?? textOfFile(file).length,
        mimeType: 'text/markdown',
        created: '2026-11-20T10:00:00.000+0000',
        content: `https://example.com/rest/api/3/attachment/content/${file.id}`,
      })),
    }
    const fields = Object.fromEntries(asked.map((name) => [name, all[name] ?? null]))
    return { id: issue.id, key: keyOf(issue), self: 'https://example.com/', fields }
  }

  const bodyOf = (request: StandInRequest, known: readonly string[]) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const unknown = Object.keys(body).find((name) => !known.includes(name))
    const fields = (body['fields'] ?? []) as string[]
    return { body, fields, wrong: unknown ?? fields.find((name) => !FIELDS.has(name)) }
  }
  const visible = () => [...issues.values()].filter((issue) => !isHidden(issue))

  function search(request: StandInRequest): StandInAnswer {
    const { body, fields, wrong } = bodyOf(request, ['jql', 'fields', 'maxResults', 'nextPageToken'])
    if (wrong !== undefined) return refusal(400, `Invalid request payload: ${wrong}`)
    const asked = JQL.exec(String(body['jql']))
    if (asked === null)
      return refusal(
        400,
        'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
      )
    const { projects = '', minutes } = asked.groups ?? {}
    const keys = projects.replaceAll('"', '').split(', ')
    const unknown = keys.find((key) => !PROJECTS.includes(key))
    if (unknown !== undefined)
      return refusal(400, `The value '${unknown}' does not exist for the field 'project'.`)
    const found = visible().filter(
      (issue) =>
        keys.includes(issue.project) &&
        (minutes === undefined || issue.updated >= Date.now() - Number(minutes) * 60_000),
    )
    const token = body['nextPageToken']
    const start = typeof token === 'string' ? Number(atob(token)) : 0
    if (!Number.isInteger(start)) return refusal(400, 'The provided next page token is invalid or expired.')
    const size = Math.min(Number(body['maxResults']), 40)
    const isLast = start + size >= found.length
    return {
      body: {
        issues: found.slice(start, start + size).map((issue) => present(issue, fields)),
        isLast,
        ...(!isLast && { nextPageToken: btoa(String(start + size)) }),
      },
    }
  }

  function fetchMany(request: StandInRequest): StandInAnswer {
    const { body, fields, wrong } = bodyOf(request, ['issueIdsOrKeys', 'fields'])
    const ids = (body['issueIdsOrKeys'] ?? []) as string[]
    if (wrong !== undefined || ids.length === 0 || ids.length > 100)
      return refusal(400, wrong ?? 'The number of issues must be 1 to 100.')
    const found = visible().filter(({ id }) => ids.includes(id))
    return { body: { issues: found.map((issue) => present(issue, fields)), issueErrors: [] } }
  }

  const media = await startFileHost(() => [...issues.values()].flatMap(({ files }) => files))
  function fileAnswer(fileId: string): StandInAnswer {
    const file = visible()
      .flatMap(({ files }) => files)
      .find(({ id }) => id === fileId)
    if (file === undefined) return refusal(404, 'The attachment with id does not exist.')
    return file.refusedWith === undefined
      ? media.sendTo(file, 303)
      : refusal(file.refusedWith, 'No permission.')
  }
  const notSignedIn = (): StandInAnswer => ({
    status: 401,
    body: 'Client must be authenticated to access this resource.',
  })
  /** A site that strangers may visit answers a token that has ended as a stranger, who sees no project here. */
  const asStranger = (path: string): StandInAnswer =>
    path === '/rest/api/3/myself'
      ? notSignedIn()
      : refusal(400, "The value 'HELP' does not exist for the field 'project'.")
  const server = await startStandIn((request) => {
    const { path, method, query } = request
    if (isTokenOver) return asStranger(path)
    if (request.headers.authorization !== AUTHORIZATION) return notSignedIn()
    if (path === '/rest/api/3/myself' && method === 'GET') return { body: { displayName: 'Reader' } }
    if (path === '/rest/api/3/search/jql' && method === 'POST') return search(request)
    if (path === '/rest/api/3/issue/bulkfetch' && method === 'POST') return fetchMany(request)
    const fileId = /^\/rest\/api\/3\/attachment\/content\/(\d+)$/.exec(path)?.[1]
    if (fileId !== undefined) return fileAnswer(fileId)
    const of = /^\/rest\/api\/3\/issue\/(\d+)\/comment$/.exec(path)?.[1]
    const issue = issues.get(of ?? '')
    if (issue === undefined || unknownFields(query, ['startAt', 'maxResults', 'orderBy']).length > 0)
      return refusal(404, 'Issue does not exist or you do not have permission to see it.')
    const start = Number(query.get('startAt'))
    const comments = issue.comments.slice(start, start + Math.min(Number(query.get('maxResults')), 100))
    return { body: { comments, startAt: start, maxResults: 100, total: issue.comments.length } }
  })

  const word = () => `word${(nextId += 1)}x`

  /** Made two hours ago, so that the next query for changes does not have it. */
  function add(random: Random): StandInIssue {
    const id = String((nextId += 1))
    const project = random.of(['HELP', 'OPS'])
    const issue: StandInIssue = {
      id,
      project,
      number: numberIn(project),
      summary: random.words(4),
      word: word(),
      isSecret: random.below(5) === 0,
      updated: Date.now() - 2 * HOUR_MS,
      comments: [comment('It is so.')],
      files: [],
    }
    issues.set(id, issue)
    return issue
  }

  function attach(issue: StandInIssue, name = 'How to.md'): StandInFile {
    const file: StandInFile = { id: String((nextId += 1)), name, word: word() }
    issue.files.push(file)
    return file
  }

  const changes: Record<string, (issue: StandInIssue, random: Random) => void> = {
    edit: (issue) => {
      issue.word = word()
    },
    answer: (issue, random) => {
      issue.comments.push(comment(random.words(5)))
    },
    // Also to a project that is not read.
    move: (issue, random) => {
      issue.project = random.of(PROJECTS)
      issue.number = numberIn(issue.project)
    },
    restrict: (issue) => {
      issue.isSecret = true
    },
    open: (issue) => {
      issue.isSecret = false
    },
    attach: (issue) => void attach(issue),
    'replace a file': (issue) => {
      issue.files.shift()
      attach(issue)
    },
    detach: (issue) => void issue.files.pop(),
    delete: (issue) => void issues.delete(issue.id),
  }

  const model: SourceModel = {
    type: 'jira',
    config: { url: server.origin, projects: ['HELP', 'OPS'], publish_all: true, attachments: true },
    credentials: { email: EMAIL, token: JIRA_TOKEN },
    server,
    documents: () =>
      new Map<string, ExpectedDocument>(
        [...issues.values()]
          .filter(({ project }) => project !== 'OTHER')
          .flatMap((issue): [string, ExpectedDocument][] => [
            [issue.id, { text: issue.word, isRestricted: issue.isSecret }],
            ...issue.files.map((file): [string, ExpectedDocument] => [
              `${issue.id}/attachments/${file.id}`,
              { text: file.word, isRestricted: true },
            ]),
          ]),
      ),
    add,
    change: (random) => {
      const kind = random.of(['add', ...Object.keys(changes)])
      const change = changes[kind]
      const issue = issues.size === 0 || change === undefined ? add(random) : random.of([...issues.values()])
      change?.(issue, random)
      issue.updated = Date.now()
      return `${kind} ${issue.id}`
    },
    hideMost: () => {
      let seen = 0
      const shown = new Set([...issues.keys()].filter(() => (seen += 1) % 4 === 0))
      isHidden = (issue) => !shown.has(issue.id)
      return () => {
        isHidden = () => false
      }
    },
  }
  const stop = async () => {
    await Promise.all([server, media].map((one) => one[Symbol.asyncDispose]()))
  }
  /** The token ends. */
  const expire = () => {
    isTokenOver = true
  }
  return { model, server, media, issues, add, attach, expire, [Symbol.asyncDispose]: stop }
}
