import { hash } from 'node:crypto'
import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import { markerMemory, type ConnectorInput, type PageMemory, type SourceItem } from '../connector.ts'
import { itemFailure, parseBody, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { dateAtSource } from '../rest/product-item.ts'
import { youngMark } from '../rest/young-mark.ts'
import { rereadWindow } from '../threads/reread-window.ts'
import { parseThread } from '../threads/thread-document.ts'
import { openGithub } from './github-client.ts'
import type { Issue, IssueComment, ListedDiscussion, Release, Repository } from './github-schemas.ts'
import { isPullRequest, threadOfDiscussion, threadOfIssue, titleOfRelease } from './github-threads.ts'

export type GithubConfig = SourceConfig<'github'>
type Input = ConnectorInput<GithubConfig>

/** Times are cut to the second: a change within the second in which an issue was read would not show. */
const YOUNG_MS = 10_000

/** Characters of the notes of all releases: they are kept until the end of a reading. */
const MAX_RELEASE_CHARACTERS = 50_000_000

/** What the memory of an issue has besides its marker: when a comment of it was last edited. */
export const IssueState = z.object({ comments: z.string().max(50).optional() })

/** What is known of an item before its text is fetched. */
export interface Known {
  externalId: string
  url: string
  /** Changes with its text. */
  version: string
}

const isPublic = ({ private: isPrivate, visibility }: Repository) =>
  !isPrivate && (visibility === undefined || visibility === 'public')

/** The documents of a repository at GitHub. */
export function createGithubItems(deps: ApiDeps) {
  const session = perReading((input: Input) => {
    const github = openGithub(deps, input)
    const repository = github.repository()
    const isOpen = repository.then(async (found) => isPublic(found) && (await github.isOpenToStrangers()))
    // Awaited by whoever needs it; a failure that nobody awaits must not end the process.
    isOpen.catch(() => undefined)
    return { github, repository, isOpen }
  })

  const isSignedIn = ({ credentials, access }: Input) =>
    access !== undefined || credentials?.token !== undefined

  async function readsOf(input: Input) {
    const repository = await session(input).repository
    const { config } = input
    return {
      issues: (config.issues || config.pull_requests) && repository.has_issues,
      isChosen: (issue: Issue) => (isPullRequest(issue) ? config.pull_requests : config.issues),
      releases: config.releases,
      // Only GraphQL has them, and it answers nobody without a token.
      discussions: config.discussions && repository.has_discussions && isSignedIn(input),
      visibility: (await session(input).isOpen) ? ('as-source' as const) : ('restricted' as const),
      place: repository.full_name,
      showsNames: config.show_names,
    }
  }
  type Reads = Awaited<ReturnType<typeof readsOf>>

  const versionOf = (changedAt: string, ...more: unknown[]): string =>
    JSON.stringify([changedAt, youngMark(changedAt, YOUNG_MS, deps.now()), ...more])

  const knownIssue = (issue: Issue): Known => ({
    externalId: `issues/${issue.number}`,
    url: issue.html_url,
    version: versionOf(issue.updated_at, issue.comments),
  })
  const knownDiscussion = ({ number, url, updatedAt, comments }: ListedDiscussion): Known => ({
    externalId: `discussions/${number}`,
    url,
    // GitHub does not say whether an edited comment changes the time of its discussion.
    version: versionOf(
      updatedAt,
      comments.totalCount,
      rereadWindow(`discussions/${number}`, Date.parse(updatedAt), deps.now()),
    ),
  })
  const knownRelease = (release: Release): Known => ({
    externalId: `releases/${release.id}`,
    url: release.html_url,
    version: hash(
      'sha256',
      JSON.stringify([release.name, release.tag_name, release.body, release.published_at]),
    ),
  })

  const markerOf = ({ version }: Known, { visibility, showsNames }: Reads) =>
    JSON.stringify([visibility, version, showsNames])

  /** An item, if it is not as it was: who sees it may have changed with its text the same. */
  async function itemOf(
    input: Input,
    known: Known,
    read: (memory: PageMemory) => Promise<SourceItem & { kind: 'document' }>,
    isForced = false,
  ): Promise<SourceItem> {
    const { externalId, url } = known
    const reads = await readsOf(input)
    const { visibility } = reads
    const before = await input.recall(externalId)
    const memory = { ...markerMemory(externalId, markerOf(known, reads)), state: before?.state ?? {} }
    const isSame = (['as-source', 'restricted'] as const).some(
      (seen) => before?.etag === markerOf(known, { ...reads, visibility: seen }),
    )
    if (isSame && !isForced) return { kind: 'unchanged', externalId, memory, visibility }
    try {
      return { ...(await read(memory)), visibility }
    } catch (error) {
      return itemFailure(error, { externalId, url, visibility })
    }
  }

  const newestOf = (comments: readonly IssueComment[]) =>
    comments.reduce((newest, { updated_at: at }) => (at > newest ? at : newest), '')

  const issueItem = async (input: Input, issue: Issue, isForced = false) =>
    await itemOf(
      input,
      knownIssue(issue),
      async (memory) => {
        const { github } = session(input)
        const comments = issue.comments === 0 ? [] : await github.comments(issue.number)
        const { place } = await readsOf(input)
        const thread = threadOfIssue(issue, comments, { place, showsNames: input.config.show_names })
        return {
          kind: 'document',
          externalId: memory.url,
          url: issue.html_url,
          document: await parseThread(deps, input, thread),
          modifiedAt: dateAtSource(issue.updated_at),
          memory: { ...memory, state: { comments: newestOf(comments) } satisfies z.infer<typeof IssueState> },
        }
      },
      isForced,
    )

  const discussionItem = async (input: Input, listed: ListedDiscussion) =>
    await itemOf(input, knownDiscussion(listed), async (memory) => {
      const discussion = await session(input).github.discussion(listed.number)
      const { place } = await readsOf(input)
      const thread = threadOfDiscussion(discussion, { place, showsNames: input.config.show_names })
      return {
        kind: 'document',
        externalId: memory.url,
        url: discussion.url,
        document: await parseThread(deps, input, thread),
        modifiedAt: dateAtSource(discussion.updatedAt),
        memory,
      }
    })

  const releaseItem = async (input: Input, release: Release): Promise<SourceItem> =>
    await itemOf(input, knownRelease(release), async (memory) => {
      const { place } = await readsOf(input)
      const document = await parseBody(deps, input, {
        title: titleOfRelease(release),
        url: release.html_url,
        body: { markdown: release.body },
        path: [place, release.prerelease ? 'Prereleases' : 'Releases'],
      })
      return {
        kind: 'document',
        externalId: memory.url,
        url: release.html_url,
        document,
        modifiedAt: dateAtSource(release.published_at),
        memory,
      }
    })

  /** They have no time of change, so all of them are fetched, once for each reading. */
  const releasesOf = perReading(async (input: Input) => {
    const found: Release[] = []
    let characters = 0
    for await (const page of session(input).github.releases()) {
      found.push(...page.filter((one) => !one.draft))
      characters += page.reduce((sum, { body }) => sum + body.length, 0)
      if (characters > MAX_RELEASE_CHARACTERS)
        throw new ApiFailure('unexpected', 'GitHub lists longer notes of releases than are read.')
    }
    return found
  })

  async function readNumbered(input: Input, reads: Reads, number: number): Promise<SourceItem> {
    const { github } = session(input)
    const externalId = `issues/${number}`
    const url = `${github.address}/issues/${number}`
    try {
      const issue = await github.issue(number)
      if (reads.isChosen(issue)) return await issueItem(input, issue, true)
      return { kind: 'removed', externalId }
    } catch (error) {
      // Moved to another repository; that this one has not moved is known by now.
      if (error instanceof ApiFailure && error.status === 301) return { kind: 'removed', externalId }
      return itemFailure(error, { externalId, url, visibility: reads.visibility })
    }
  }

  async function readItem(input: Input, externalId: string): Promise<SourceItem> {
    const { github } = session(input)
    const reads = await readsOf(input)
    const [kind, id = ''] = externalId.split('/', 2)
    const number = Number(id)
    if (kind === 'issues' && reads.issues) return await readNumbered(input, reads, number)
    const url = `${github.address}/${externalId}`
    try {
      if (kind === 'discussions' && reads.discussions)
        return await discussionItem(input, await github.discussion(number))
      if (kind === 'releases' && reads.releases) {
        const release = await github.release(number)
        if (!release.draft) return await releaseItem(input, release)
      }
    } catch (error) {
      return itemFailure(error, { externalId, url, visibility: reads.visibility })
    }
    return { kind: 'removed', externalId }
  }

  return {
    session,
    isSignedIn,
    readsOf,
    knownIssue,
    knownDiscussion,
    knownRelease,
    markerOf,
    issueItem,
    discussionItem,
    releaseItem,
    releasesOf,
    readNumbered,
    readItem,
  }
}

type GithubItems = ReturnType<typeof createGithubItems>
export type Reads = Awaited<ReturnType<GithubItems['readsOf']>>
