import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import {
  CONNECT_AGAIN,
  minutesSince,
  openAtlassianSite,
  type AtlassianSite,
} from '../atlassian/atlassian-site.ts'
import type { Connector, ConnectorInput, SourceItem, VisibilityAtSource, SourceItems } from '../connector.ts'
import { itemFailure, parseBody, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import {
  listedAttachments,
  readAttachments,
  readWithAttachments,
  type AskedIds,
  type Attachment,
} from '../rest/attachments.ts'
import { productConnector } from '../rest/product-connector.ts'
import { readUnlessKnown, unchangedItem } from '../rest/product-item.ts'
import { partsOfIssue } from './issue-parts.ts'
import {
  CommentPage,
  FetchedIssues,
  FoundIssues,
  MAX_ATTACHMENTS,
  Myself,
  type Comment,
  type Issue,
  type IssueFacts,
} from './jira-schemas.ts'

export type JiraConfig = SourceConfig<'jira'>
type Input = ConnectorInput<JiraConfig>

const NAME = 'Jira'

/** Issues without their text in one answer, and with it. */
const LISTED_AT_ONCE = 100
const READ_AT_ONCE = 50
/** Answers of one query: a server that gives the same token again would never end. */
const MAX_ANSWERS = 5_000

/** Comments of one issue; later ones are left out. */
const MAX_COMMENTS = 2_000
const COMMENTS_AT_ONCE = 100
/** Characters of their answers together: a server that sends long ones would fill the memory. */
const MAX_COMMENT_CHARACTERS = 8_000_000
const LONG_ISSUE = `Of the comments of one issue the first ${MAX_COMMENTS.toLocaleString('en')} are read, and of their text ${MAX_COMMENT_CHARACTERS / 1_000_000} MB.`
const MANY_FILES = `Of the files at one issue the first ${MAX_ATTACHMENTS.toLocaleString('en')} are read.`

const FACTS = ['updated', 'security']
const FIELDS = [
  ...'summary description comment project issuetype status resolution priority labels components'.split(' '),
  ...'fixVersions reporter assignee'.split(' '),
]

/** When the last reading began, by our clock, in milliseconds since 1970. */
const Cursor = z.object({ since: z.number() })

/** Reads the issues of projects of a Jira in the cloud. */
export function createJiraConnector(deps: ApiDeps): Connector<JiraConfig> {
  const session = perReading(
    async (input: Input): Promise<AtlassianSite> => await openAtlassianSite(deps, input, NAME),
  )

  const factsFor = ({ config }: Input) => [...FACTS, ...(config.attachments ? ['attachment'] : [])]

  const queryFor = ({ config }: Input) =>
    `project in (${config.projects.map((key) => `"${key}"`).join(', ')})`

  const visibilityOf = ({ config }: Input, { fields }: IssueFacts): VisibilityAtSource =>
    config.publish_all && (fields.security ?? undefined) === undefined ? 'as-source' : 'restricted'

  const markerOf = (input: Input, issue: IssueFacts) =>
    JSON.stringify([issue.fields.updated, issue.key, visibilityOf(input, issue)])

  /** The issues of a query, without their text. */
  async function* search(input: Input, jql: string): AsyncGenerator<IssueFacts[], void, void> {
    const { client, folder } = await session(input)
    let token: string | undefined
    for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
      const body = {
        jql,
        fields: factsFor(input),
        maxResults: LISTED_AT_ONCE,
        ...(token !== undefined && { nextPageToken: token }),
      }
      const { data } = await client.json(`${folder}/rest/api/3/search/jql`, FoundIssues, {
        method: 'POST',
        body,
      })
      yield data.issues
      const next = data.nextPageToken ?? undefined
      // Taken for whole, what is missing in the list would be removed.
      if ((next === undefined && data.isLast === false) || (next !== undefined && next === token))
        throw new ApiFailure(
          'unexpected',
          `${NAME} cut off a list: it has more, but does not say where it goes on.`,
        )
      if (next === undefined || data.isLast === true) return
      token = next
    }
    throw new ApiFailure('unexpected', `${NAME} lists more issues than are read of one site.`)
  }

  /** The comments of an issue, oldest first; those that came with it if there are no more. */
  async function commentsOf(input: Input, issue: Issue): Promise<{ comments: Comment[]; leftOut: string[] }> {
    const { comments = [], total = 0 } = issue.fields.comment ?? {}
    if ((total ?? 0) <= comments.length) return { comments, leftOut: [] }
    const { client, folder } = await session(input)
    const all: Comment[] = []
    let characters = 0
    while (all.length < MAX_COMMENTS && characters < MAX_COMMENT_CHARACTERS) {
      const query = `startAt=${all.length}&maxResults=${COMMENTS_AT_ONCE}&orderBy=created`
      const path = `${folder}/rest/api/3/issue/${issue.id}/comment?${query}`
      const { data, size } = await client.json(path, CommentPage)
      all.push(...data.comments)
      characters += size
      if (data.comments.length === 0 || all.length >= (data.total ?? 0)) break
    }
    const isCut = all.length < (total ?? 0) || all.length > MAX_COMMENTS
    return { comments: all.slice(0, MAX_COMMENTS), leftOut: isCut ? [LONG_ISSUE] : [] }
  }

  const addressOf = async (input: Input, key: string) =>
    `${new URL(input.config.url).origin}${(await session(input)).siteFolder}/browse/${key}`

  async function itemOf(input: Input, issue: Issue): Promise<SourceItem> {
    const externalId = issue.id
    const url = await addressOf(input, issue.key)
    const visibility = visibilityOf(input, issue)
    const changed = markerOf(input, issue)
    return await readUnlessKnown(input, { externalId, url, changed, visibility }, async () => {
      const { fields } = issue
      const { comments, leftOut } = await commentsOf(input, issue)
      const document = await parseBody(deps, input, {
        title: `${issue.key}: ${fields.summary ?? ''}`,
        url,
        body: { parts: partsOfIssue(fields, comments) },
        leftOut,
        path: [fields.project.name ?? fields.project.key],
      })
      return { document, modified: fields.updated }
    })
  }

  /** The files at an issue. Jira does not tell which of them came with a comment for a few: they are restricted. */
  async function attachmentsOf(input: Input, { id, key, fields }: IssueFacts): Promise<Attachment[]> {
    if (!input.config.attachments) return []
    const files = fields.attachment ?? []
    if (files.length > MAX_ATTACHMENTS) input.onLimit?.(MANY_FILES, await addressOf(input, key))
    const { client, folder, siteFolder } = await session(input)
    const site = `${new URL(input.config.url).origin}${siteFolder}`
    return files.slice(0, MAX_ATTACHMENTS).map((file) => {
      // Half a character, as a program may have cut it, has no place in an address.
      const name = file.filename.toWellFormed()
      return {
        of: id,
        id: file.id,
        name,
        bytes: file.size ?? undefined,
        // Its content never changes: another file has another id.
        version: file.created ?? '',
        url: `${site}/secure/attachment/${file.id}/${encodeURIComponent(name)}`,
        visibility: 'restricted',
        fetch: async (maxBytes) =>
          await client.bytes(`${folder}/rest/api/3/attachment/content/${file.id}`, {
            maxBytes,
            isElsewhere: true,
          }),
      }
    })
  }

  /**
   * Reads issues by their ids; those that are not found, or are in another project now, are gone.
   *
   * @param asked what is read of them; undefined: each with all of its files
   */
  async function* readIssues(input: Input, ids: readonly string[], asked?: AskedIds): SourceItems {
    const { client, folder } = await session(input)
    const projects = new Set(input.config.projects.map((key) => key.toUpperCase()))
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      const some = ids.slice(start, start + READ_AT_ONCE)
      const missing = new Set(some)
      const { data } = await client.json(`${folder}/rest/api/3/issue/bulkfetch`, FetchedIssues, {
        method: 'POST',
        body: { issueIdsOrKeys: some, fields: [...factsFor(input), ...FIELDS] },
      })
      for (const issue of data.issues) {
        if (!projects.has(issue.fields.project.key.toUpperCase())) continue
        missing.delete(issue.id)
        if (asked?.has(issue.id) !== false) yield await itemOf(input, issue)
        yield* readAttachments(deps, input, await attachmentsOf(input, issue), asked)
      }
      for (const { id, errorMessage } of data.issueErrors ?? []) {
        const issueId = String(id ?? '')
        if (!missing.delete(issueId)) continue
        const failure = new ApiFailure(
          'unexpected',
          `${NAME} did not send this issue (${errorMessage ?? ''}).`,
        )
        const url = await addressOf(input, issueId)
        // Nothing is known of its files either.
        for (const externalId of [issueId, ...(asked?.filesOf(issueId) ?? [])])
          yield itemFailure(failure, { externalId, url })
      }
      for (const externalId of missing) yield { kind: 'removed', externalId }
    }
  }

  async function* readChanges(input: Input): SourceItems {
    const began = deps.now()
    const known = Cursor.safeParse(input.cursor)
    const changed = known.success ? ` and updated >= "-${minutesSince(known.data.since, began)}m"` : ''
    let count = 0
    // By creation: an issue that is changed while the list is read stays where it is.
    for await (const found of search(input, `${queryFor(input)}${changed} order by created asc`)) {
      count += found.length
      yield { kind: 'discovered', count }
      const stale: string[] = []
      for (const issue of found) {
        const facts = { changed: markerOf(input, issue), visibility: visibilityOf(input, issue) }
        const unchanged = await unchangedItem(input, { externalId: issue.id, ...facts })
        if (unchanged === undefined) stale.push(issue.id)
        else {
          yield unchanged
          yield* readAttachments(deps, input, await attachmentsOf(input, issue))
        }
      }
      yield* readIssues(input, stale)
    }
    yield { kind: 'cursor', cursor: { since: began } satisfies z.infer<typeof Cursor> }
    if (!known.success) yield { kind: 'complete' }
  }

  return productConnector('jira', CONNECT_AGAIN, {
    read: readChanges,
    async *list(input) {
      for await (const found of search(input, `${queryFor(input)} order by created asc`))
        for (const issue of found) {
          yield { externalId: issue.id, changed: markerOf(input, issue) }
          yield* listedAttachments(await attachmentsOf(input, issue))
        }
    },
    readItems: (input, externalIds) =>
      readWithAttachments(externalIds, (issues, asked) => readIssues(input, issues, asked)),
    async check(input) {
      const { client, folder } = await session(input)
      const me = (await client.json(`${folder}/rest/api/3/myself`, Myself)).data
      const first = await search(input, `${queryFor(input)} order by created asc`).next()
      const found = first.done === true ? [] : first.value
      const more = found.length >= LISTED_AT_ONCE ? ' or more' : ''
      return {
        account: me.displayName ?? 'an account without a name',
        sees: [`${found.length}${more} issues`],
        missing:
          found.length === 0
            ? [
                'No issue of these projects is shown to this account. In Jira open Project settings › Access, and let it browse them.',
              ]
            : [],
      }
    },
  })
}
