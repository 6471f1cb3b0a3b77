import { z } from 'zod'
import type { ConnectorInput } from '../connector.ts'
import { bearerAuthorization, openApiClient, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, unlessClosed } from '../rest/api-failure.ts'
import { linkedPages } from '../rest/linked-pages.ts'
import {
  type Discussion,
  DiscussionAnswer,
  DiscussionsAnswer,
  type GraphqlErrors,
  Issue,
  IssueComment,
  type ListedDiscussion,
  Me,
  Release,
  Repository,
} from './github-schemas.ts'
import { isThreadFull } from '../threads/thread-document.ts'

const NAME = 'GitHub'
const VERSION = '2022-11-28'
const PAGE_SIZE = 100
/** Discussions, and comments of one, in one answer: each with up to 100 replies, as an answer may have 500,000 nodes. */
const GRAPHQL_PAGE_SIZE = 50
/** Pages of one list: a server that names the same page again would never end. */
const MAX_PAGES = 2_000
/** Times that a query which was one too many is sent again; in between the pace waits as the headers say. */
const MAX_REFUSALS = 5

const REPLY = 'url body isMinimized author{login __typename} authorAssociation createdAt'

/** https://docs.github.com/en/graphql/guides/using-the-graphql-api-for-discussions */
const LIST_DISCUSSIONS = `query($owner:String!,$name:String!,$first:Int!,$after:String){repository(owner:$owner,name:$name){discussions(first:$first,after:$after,orderBy:{field:UPDATED_AT,direction:DESC}){pageInfo{hasNextPage endCursor}nodes{number title url updatedAt comments{totalCount}}}}}`
const READ_DISCUSSION = `query($owner:String!,$name:String!,$number:Int!,$first:Int!,$after:String){repository(owner:$owner,name:$name){discussion(number:$number){number title url updatedAt body author{login __typename} authorAssociation createdAt isAnswered category{name}comments(first:$first,after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{${REPLY} isAnswer replies(first:100){totalCount nodes{${REPLY}}}}}}}}`

const cutOff = () =>
  new ApiFailure(
    'unexpected',
    `${NAME} cut off a list: it has more, but does not say where it goes on, or lists more than is read.`,
  )

/** Where a repository's API is: at GitHub, or on a server of one's own. */
function placesOf(address: string, ownOrigin: string | undefined) {
  const { hostname, origin, pathname } = new URL(address)
  const [owner = '', name = ''] = pathname.split('/').filter((part) => part !== '')
  const isPublicHost = hostname === 'github.com' || hostname === 'www.github.com'
  const api = isPublicHost ? { origin: 'https://api.github.com', path: '' } : { origin, path: '/api/v3' }
  return {
    owner,
    name: name.replace(/\.git$/, ''),
    /** A server of one's own may show what it calls public only to those who sign in. */
    mayBeClosed: !isPublicHost,
    origin: ownOrigin ?? api.origin,
    rest: ownOrigin === undefined ? api.path : '',
    graphql: ownOrigin === undefined && !isPublicHost ? '/api/graphql' : '/graphql',
  }
}

/** The API of one repository, for one reading. */
export function openGithub(deps: ApiDeps, input: ConnectorInput<{ url: string }>) {
  const places = placesOf(input.config.url, deps.apiOrigins['github'])
  const { owner, name, origin, rest, graphql } = places
  const given = { accept: 'application/vnd.github+json', 'x-github-api-version': VERSION }
  const client = openApiClient(deps, input, {
    name: NAME,
    origin,
    headers: () => ({ ...given, ...bearerAuthorization(input.credentials ?? {}) }),
    tooMany: secondaryLimit,
  })
  const folder = `${rest}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`

  const pages = <Item>(first: string, schema: z.ZodType<Item>) =>
    linkedPages(client, first, z.array(schema).max(PAGE_SIZE), NAME)

  async function query<Answer extends { errors?: GraphqlErrors }>(
    text: string,
    variables: Record<string, unknown>,
    schema: z.ZodType<Answer>,
  ): Promise<Answer> {
    for (let refusals = 0; ; refusals += 1) {
      const { data } = await client.json(graphql, schema, {
        method: 'POST',
        body: { query: text, variables: { owner, name, first: GRAPHQL_PAGE_SIZE, ...variables } },
      })
      const [error] = data.errors ?? []
      if (error === undefined || error.type === 'NOT_FOUND') return data
      if (error.type === 'RATE_LIMITED' && refusals < MAX_REFUSALS) continue
      const kind =
        error.type === 'FORBIDDEN' || error.type === 'INSUFFICIENT_SCOPES' ? 'forbidden' : 'refused'
      throw new ApiFailure(
        kind,
        `${NAME} refused to show discussions: ${(error.message ?? '').slice(0, 300)}.`,
      )
    }
  }

  async function* discussions(): AsyncGenerator<ListedDiscussion[], void, void> {
    let after: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data } = await query(LIST_DISCUSSIONS, { after: after ?? null }, DiscussionsAnswer)
      const found = data?.repository?.discussions
      if (found === undefined) throw new ApiFailure('gone', `${NAME} has no discussions of ${owner}/${name}.`)
      yield found.nodes
      if (!found.pageInfo.hasNextPage) return
      const end = found.pageInfo.endCursor ?? undefined
      if (end === undefined || end === after) throw cutOff()
      after = end
    }
    throw cutOff()
  }

  async function discussion(number: number): Promise<Discussion> {
    let whole: Discussion | undefined
    let after: string | undefined
    for (;;) {
      const { data } = await query(READ_DISCUSSION, { number, after: after ?? null }, DiscussionAnswer)
      const found = data?.repository?.discussion
      if (found === undefined || found === null)
        throw new ApiFailure('gone', `${NAME} has no discussion ${number}.`)
      whole ??= { ...found, comments: { ...found.comments, nodes: [] } }
      whole.comments.nodes.push(...found.comments.nodes)
      const { hasNextPage, endCursor } = found.comments.pageInfo
      const read = whole.comments.nodes.flatMap((comment) => [comment, ...comment.replies.nodes])
      if (!hasNextPage || isThreadFull(read.map(({ body }) => body))) return whole
      if (typeof endCursor !== 'string' || endCursor === after) throw cutOff()
      after = endCursor
    }
  }

  const issueQuery = (more: Record<string, string>) =>
    new URLSearchParams({ per_page: String(PAGE_SIZE), ...more }).toString()

  /** Whether strangers may read a repository that is public. */
  async function isOpenToStrangers(): Promise<boolean> {
    const isSignedIn = input.access !== undefined || input.credentials?.token !== undefined
    if (!places.mayBeClosed || !isSignedIn) return true
    const stranger = { ...input, credentials: undefined, access: undefined }
    const outside = openApiClient(deps, stranger, { name: NAME, origin, headers: () => given })
    return (await unlessClosed(() => outside.json(folder, Repository))) !== undefined
  }

  return {
    address: `${origin}${folder}`,
    isOpenToStrangers,
    repository: async (): Promise<Repository> => (await client.json(folder, Repository)).data,
    me: async () => (await client.json(`${rest}/user`, Me)).data,
    /** All issues and pull requests, oldest first: a list that does not move while it is read. */
    allIssues: () =>
      pages(`${folder}/issues?${issueQuery({ state: 'all', sort: 'created', direction: 'asc' })}`, Issue),
    /** Those that changed since a time, that one included, in the order of their changes. */
    changedIssues: (since: string | undefined) =>
      pages(
        `${folder}/issues?${issueQuery({ state: 'all', sort: 'updated', direction: 'asc', ...(since !== undefined && { since }) })}`,
        Issue,
      ),
    changedComments: (since: string) =>
      pages(
        `${folder}/issues/comments?${issueQuery({ sort: 'updated', direction: 'asc', since })}`,
        IssueComment,
      ),
    issue: async (number: number) => (await client.json(`${folder}/issues/${number}`, Issue)).data,
    comments: async (number: number): Promise<IssueComment[]> => {
      const found: IssueComment[] = []
      for await (const page of pages(
        `${folder}/issues/${number}/comments?per_page=${PAGE_SIZE}`,
        IssueComment,
      )) {
        found.push(...page)
        if (isThreadFull(found.map(({ body }) => body))) break
      }
      return found
    },
    releases: () => pages(`${folder}/releases?per_page=${PAGE_SIZE}`, Release),
    release: async (id: number) => (await client.json(`${folder}/releases/${id}`, Release)).data,
    discussions,
    discussion,
  }
}

/**
 * Limits besides the hourly one are told in words only, and ask for a minute at least.
 * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 * @returns seconds to wait; undefined if it is another refusal
 */
export function secondaryLimit(status: number, words: string): number | undefined {
  const isLimit = (status === 403 || status === 429) && /secondary rate limit/i.test(words)
  return isLimit ? 60 : undefined
}
