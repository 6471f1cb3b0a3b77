import { z } from 'zod'
import type {
  Connector,
  ConnectorInput,
  ListedItem,
  SourceAccess,
  SourceItem,
  SourceItems,
  ListedItems,
} from '../connector.ts'
import type { ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { productConnector } from '../rest/product-connector.ts'
import { createGithubItems, IssueState, type GithubConfig, type Known, type Reads } from './github-items.ts'
import type { IssueComment } from './github-schemas.ts'

export type { GithubConfig } from './github-items.ts'
type Input = ConnectorInput<GithubConfig>

const CONNECT_AGAIN =
  'With a connected account: connect it again, and install the app for this repository. With a token: make a fine-grained token at GitHub (Settings › Developer settings › Personal access tokens) for this repository, with read access to Contents, Discussions, Issues, Metadata and Pull requests, and enter it here.'

const Cursor = z.object({
  /** Who sees the repository: if that changes, everything is looked at again. */
  visibility: z.string(),
  issues: z.string().max(50).optional(),
  comments: z.string().max(50).optional(),
  discussions: z.string().max(50).optional(),
})
type Cursor = z.infer<typeof Cursor>

/** Reads the issues, discussions and releases of a repository at GitHub. */
export function createGithubConnector(deps: ApiDeps): Connector<GithubConfig> {
  const items = createGithubItems(deps)
  const { session, isSignedIn, readsOf, markerOf, releasesOf } = items

  async function* readIssues(
    input: Input,
    reads: Reads,
    before: Partial<Cursor>,
  ): AsyncGenerator<SourceItem, Partial<Cursor>, void> {
    const { github } = session(input)
    let { issues, comments } = before
    let count = 0
    for await (const page of github.changedIssues(issues)) {
      const chosen = page.filter(reads.isChosen)
      count += chosen.length
      yield { kind: 'discovered', count }
      for (const issue of chosen) yield await items.issueItem(input, issue)
      issues = page.at(-1)?.updated_at ?? issues
      // A first reading that ends early: comments may be edited, on issues that it has read, before the next one.
      comments ??= issues
      yield {
        kind: 'cursor',
        cursor: { ...before, visibility: reads.visibility, issues, comments } satisfies Cursor,
      }
    }
    // An edited comment need not change the time of its issue.
    const since = before.comments
    if (since === undefined) return { issues, comments: issues }
    const looked = new Set<number>()
    for await (const page of github.changedComments(since)) {
      for (const comment of page) {
        yield* readEdited(input, reads, comment, looked)
        comments = comment.updated_at
      }
    }
    return { issues, comments }
  }

  /** The issue of an edited comment, if it was not read with it. */
  async function* readEdited(
    input: Input,
    reads: Reads,
    comment: IssueComment,
    looked: Set<number>,
  ): SourceItems {
    const number = Number(/\/(\d{1,15})$/.exec(comment.issue_url)?.[1])
    if (!Number.isInteger(number) || looked.has(number)) return
    const isPull = comment.html_url.includes('/pull/')
    if (isPull ? !input.config.pull_requests : !input.config.issues) return
    const state = IssueState.safeParse((await input.recall(`issues/${number}`))?.state)
    if (state.success && (state.data.comments ?? '') >= comment.updated_at) return
    looked.add(number)
    yield await items.readNumbered(input, reads, number)
  }

  /** Last changed first, down to those that were read before. */
  async function* readDiscussions(
    input: Input,
    since: string | undefined,
  ): AsyncGenerator<SourceItem, string | undefined, void> {
    let newest: string | undefined
    for await (const page of session(input).github.discussions()) {
      for (const discussion of page) {
        newest ??= discussion.updatedAt
        if (since !== undefined && discussion.updatedAt < since) return newest
        yield await items.discussionItem(input, discussion)
      }
    }
    return newest ?? since
  }

  async function* readChanges(input: Input): SourceItems {
    const reads = await readsOf(input)
    const known = Cursor.safeParse(input.cursor)
    const isKnown = known.success && known.data.visibility === reads.visibility
    const before: Partial<Cursor> = isKnown ? known.data : {}
    const after = reads.issues ? yield* readIssues(input, reads, before) : {}
    if (reads.releases)
      for (const release of await releasesOf(input)) yield await items.releaseItem(input, release)
    const discussions = reads.discussions ? yield* readDiscussions(input, before.discussions) : undefined
    yield {
      kind: 'cursor',
      cursor: { visibility: reads.visibility, ...after, discussions } satisfies Cursor,
    }
    if (!known.success) yield { kind: 'complete' }
  }

  async function* listAll(input: Input): ListedItems {
    const { github } = session(input)
    const reads = await readsOf(input)
    const entry = (known: Known): ListedItem => ({
      externalId: known.externalId,
      changed: markerOf(known, reads),
    })
    if (reads.issues)
      for await (const page of github.allIssues())
        for (const issue of page) if (reads.isChosen(issue)) yield entry(items.knownIssue(issue))
    if (reads.releases)
      for (const release of await releasesOf(input)) yield entry(items.knownRelease(release))
    if (reads.discussions)
      for await (const page of github.discussions())
        for (const discussion of page) yield entry(items.knownDiscussion(discussion))
  }

  return productConnector('github', CONNECT_AGAIN, {
    read: readChanges,
    list: listAll,
    async *readItems(input, externalIds) {
      for (const externalId of externalIds) yield await items.readItem(input, externalId)
    },
    check: accessOf,
  })

  async function accountOf(input: Input): Promise<string> {
    try {
      return (await session(input).github.me()).login
    } catch (error) {
      // The token of an app is nobody's.
      if (error instanceof ApiFailure && error.kind === 'forbidden') return 'a GitHub App'
      throw error
    }
  }

  async function accessOf(input: Input): Promise<SourceAccess> {
    const { github, repository } = session(input)
    const { full_name: name, ...found } = await repository
    const reads = await readsOf(input)
    const seen = (['issues', 'discussions', 'releases'] as const).filter((kind) => reads[kind])
    const missing: string[] = []
    if (!isSignedIn(input))
      missing.push(
        `Without a token GitHub answers 60 requests an hour and shows no discussions. ${CONNECT_AGAIN}`,
      )
    if (input.config.issues && !found.has_issues) missing.push(`Issues are switched off in ${name}.`)
    if (input.config.discussions && !found.has_discussions)
      missing.push(`Discussions are switched off in ${name}.`)
    if (reads.issues) await github.changedIssues(undefined).next()
    if (reads.discussions) await github.discussions().next()
    return {
      account: isSignedIn(input) ? await accountOf(input) : 'not signed in',
      sees: [
        `${name}, which is ${reads.visibility === 'restricted' ? 'not public: what is read is restricted' : 'public'}: ${seen.join(', ') || 'nothing'}`,
      ],
      missing,
    }
  }
}
