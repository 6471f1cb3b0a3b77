import { hash } from 'node:crypto'
import type { SourceConfig } from '@citewell/contract/source-configs'
import { z } from 'zod'
import {
  markerMemory,
  type Connector,
  type ConnectorInput,
  type SourceAccess,
  type SourceItem,
  type VisibilityAtSource,
  type SourceItems,
  type ListedItems,
} from '../connector.ts'
import {
  escapeMarkdown,
  itemFailure,
  oncePerReading,
  parseBody,
  perReading,
  type ApiDeps,
} from '../rest/api-connector.ts'
import { productConnector } from '../rest/product-connector.ts'
import { dateAtSource } from '../rest/product-item.ts'
import { youngMark } from '../rest/young-mark.ts'
import { rereadWindow } from '../threads/reread-window.ts'
import { parseThread, type ThreadMessage } from '../threads/thread-document.ts'
import { openGitlab } from './gitlab-client.ts'
import type { Issue, Note, Project, WikiPage } from './gitlab-schemas.ts'

export type GitlabConfig = SourceConfig<'gitlab'>
type Input = ConnectorInput<GitlabConfig>

const CONNECT_AGAIN =
  'Make a new token in the project (Settings › Access tokens, role Reporter, scope read_api), and enter it here.'

/** A change within the second in which an issue was read must show. */
const YOUNG_MS = 10_000

const Cursor = z.object({
  /** Who sees the project: if that changes, everything is looked at again. */
  visibility: z.string().max(100),
  issues: z.string().max(50).optional(),
})
type Cursor = z.infer<typeof Cursor>

/** What of a project is read, and what of that a stranger may read. */
interface Reads {
  project: Project
  issues: boolean
  wiki: boolean
  areIssuesOpen: boolean
  isWikiOpen: boolean
}

/** Whether everyone may read a part of a project, as far as its settings are told. */
const isOpen = ({ visibility = 'public' }: Project, level = 'enabled') =>
  visibility === 'public' && (level === 'enabled' || level === 'public')

const urlOfPage = ({ web_url: url }: Project, { slug }: WikiPage) =>
  `${url}/-/wikis/${slug.toWellFormed().split('/').map(encodeURIComponent).join('/')}`

/** Reads the issues and the wiki of a GitLab project. */
export function createGitlabConnector(deps: ApiDeps): Connector<GitlabConfig> {
  const session = perReading((input: Input) => openGitlab(deps, input))
  const teamOf = oncePerReading(CONNECT_AGAIN, async (input: Input) => await session(input).team())
  const wikiOf = oncePerReading(CONNECT_AGAIN, async (input: Input) => await session(input).wikiPages())

  const readsOf = oncePerReading(CONNECT_AGAIN, async (input: Input): Promise<Reads> => {
    const gitlab = session(input)
    const project = await gitlab.project()
    const issues = input.config.issues && project.issues_access_level !== 'disabled'
    const wiki = input.config.wiki && project.wiki_access_level !== 'disabled'
    const isOpenPart = async (part: 'issues' | 'wikis', level: string | undefined) =>
      isOpen(project, level) && (await gitlab.isOpenToStrangers(part))
    return {
      project,
      issues,
      wiki,
      areIssuesOpen: issues && (await isOpenPart('issues', project.issues_access_level)),
      isWikiOpen: wiki && (await isOpenPart('wikis', project.wiki_access_level)),
    }
  })

  const visibilityOfIssue = ({ areIssuesOpen }: Reads, { confidential }: Issue) =>
    areIssuesOpen && !confidential ? ('as-source' as const) : ('restricted' as const)
  const visibilityOfPage = ({ isWikiOpen }: Reads): VisibilityAtSource =>
    isWikiOpen ? 'as-source' : 'restricted'

  const idOfIssue = ({ iid }: Issue) => `issues/${iid}`
  const idOfPage = ({ slug }: WikiPage) => `wikis/${slug}`

  /** Without signing in, GitLab shows everyone the issues of a public project, and nobody what was said about them. */
  const readsComments = ({ credentials }: Input) => credentials?.token !== undefined

  function versionOfIssue(input: Input, issue: Issue): string {
    const at = Date.parse(issue.updated_at) || 0
    return JSON.stringify([
      issue.updated_at,
      issue.user_notes_count,
      youngMark(issue.updated_at, YOUNG_MS, deps.now()),
      rereadWindow(idOfIssue(issue), at, deps.now()),
      readsComments(input),
    ])
  }
  const versionOfPage = ({ title, content }: WikiPage) => hash('sha256', JSON.stringify([title, content]))

  const marker = (visibility: string, version: string) => JSON.stringify([visibility, version])

  /** An item, if it is not as it was: who sees it may have changed with its text the same. */
  async function itemOf(
    input: Input,
    known: { externalId: string; url: string; version: string; visibility: VisibilityAtSource },
    read: () => Promise<Pick<SourceItem & { kind: 'document' }, 'document' | 'modifiedAt'>>,
  ): Promise<SourceItem> {
    const { externalId, url, version, visibility } = known
    const memory = markerMemory(externalId, marker(visibility, version))
    const before = (await input.recall(externalId))?.etag
    if (before === marker('as-source', version) || before === marker('restricted', version))
      return { kind: 'unchanged', externalId, memory, visibility }
    try {
      return { kind: 'document', externalId, url, ...(await read()), memory, visibility }
    } catch (error) {
      return itemFailure(error, { externalId, url, visibility })
    }
  }

  function messagesOf(issue: Issue, notes: readonly Note[], team: ReadonlySet<string>): ThreadMessage[] {
    const message = (
      { author, created_at: at }: Pick<Note, 'author' | 'created_at'>,
      markdown: string,
      anchor?: string,
    ): ThreadMessage => {
      const name = author?.username
      const isTeam = name !== undefined && team.has(name)
      const isAuthor = name !== undefined && name === issue.author?.username
      const role = isAuthor ? 'Author' : 'Participant'
      return { role: isTeam ? 'Maintainer' : role, name, at, anchor, body: { markdown } }
    }
    const said = notes.filter(
      (note) => !note.system && !note.internal && !note.confidential && note.author?.bot !== true,
    )
    return [
      message(issue, issue.description),
      ...said.map((note) => message(note, note.body, `note_${note.id}`)),
    ]
  }

  async function issueItem(input: Input, issue: Issue): Promise<SourceItem> {
    const reads = await readsOf(input)
    const known = {
      externalId: idOfIssue(issue),
      url: issue.web_url,
      version: versionOfIssue(input, issue),
      visibility: visibilityOfIssue(reads, issue),
    }
    return await itemOf(input, known, async () => {
      const team = await teamOf(input)
      const hasNotes = issue.user_notes_count > 0 && readsComments(input)
      const notes = hasNotes ? await session(input).notes(issue.iid) : []
      const labels = issue.labels.map(escapeMarkdown).join(', ')
      const state = issue.state === 'opened' ? 'open' : issue.state
      const document = await parseThread(deps, input, {
        title: issue.title,
        url: issue.web_url,
        path: [reads.project.path_with_namespace, 'Issues'],
        about: `Issue #${issue.iid}, ${escapeMarkdown(state)}.${labels === '' ? '' : ` Labels: ${labels}.`}`,
        messages: messagesOf(issue, notes, team),
        showsNames: input.config.show_names,
      })
      return { document, modifiedAt: dateAtSource(issue.updated_at) }
    })
  }

  async function pageItem(input: Input, page: WikiPage): Promise<SourceItem> {
    const reads = await readsOf(input)
    const url = urlOfPage(reads.project, page)
    const known = {
      externalId: idOfPage(page),
      url,
      version: versionOfPage(page),
      visibility: visibilityOfPage(reads),
    }
    return await itemOf(input, known, async () => ({
      document: await parseBody(deps, input, {
        title: page.title,
        url,
        path: [reads.project.path_with_namespace, 'Wiki'],
        body: await bodyOfPage(input, page),
      }),
      modifiedAt: undefined,
    }))
  }

  /** Only Markdown can be read as it was written. */
  const bodyOfPage = async (input: Input, { slug, format, content }: WikiPage) =>
    format === 'markdown' ? { markdown: content } : { html: await session(input).renderedPage(slug) }

  async function readItem(input: Input, externalId: string): Promise<SourceItem> {
    const gitlab = session(input)
    const reads = await readsOf(input)
    const [kind, id = ''] = externalId.split('/', 2)
    try {
      if (kind === 'issues' && reads.issues) return await issueItem(input, await gitlab.issue(Number(id)))
      const page = reads.wiki ? (await wikiOf(input)).find((one) => idOfPage(one) === externalId) : undefined
      return page === undefined ? { kind: 'removed', externalId } : await pageItem(input, page)
    } catch (error) {
      return itemFailure(error, { externalId, url: `${gitlab.address}/${externalId}` })
    }
  }

  async function* readChanges(input: Input): SourceItems {
    const reads = await readsOf(input)
    const visibility = `${reads.areIssuesOpen} ${reads.isWikiOpen}`
    const known = Cursor.safeParse(input.cursor)
    let issues = known.success && known.data.visibility === visibility ? known.data.issues : undefined
    let count = 0
    if (reads.issues) {
      for await (const page of session(input).changedIssues(issues)) {
        count += page.length
        yield { kind: 'discovered', count }
        for (const issue of page) yield await issueItem(input, issue)
        issues = page.at(-1)?.updated_at ?? issues
        yield { kind: 'cursor', cursor: { visibility, issues } satisfies Cursor }
      }
    }
    if (reads.wiki) for (const page of await wikiOf(input)) yield await pageItem(input, page)
    yield { kind: 'cursor', cursor: { visibility, issues } satisfies Cursor }
    if (!known.success) yield { kind: 'complete' }
  }

  async function* listAll(input: Input): ListedItems {
    const reads = await readsOf(input)
    if (reads.issues)
      for await (const page of session(input).allIssues())
        for (const issue of page)
          yield {
            externalId: idOfIssue(issue),
            changed: marker(visibilityOfIssue(reads, issue), versionOfIssue(input, issue)),
          }
    if (reads.wiki)
      for (const page of await wikiOf(input))
        yield { externalId: idOfPage(page), changed: marker(visibilityOfPage(reads), versionOfPage(page)) }
  }

  async function check(input: Input): Promise<SourceAccess> {
    const gitlab = session(input)
    const { project, ...reads } = await readsOf(input)
    const isSignedIn = input.credentials?.token !== undefined
    const part = (name: string, open: boolean) => `${name} (${open ? 'public' : 'restricted'})`
    const seen = [
      ...(reads.issues ? [part('issues', reads.areIssuesOpen)] : []),
      ...(reads.wiki ? [part('wiki', reads.isWikiOpen)] : []),
    ]
    if (reads.issues) await gitlab.changedIssues(undefined).next()
    if (reads.wiki) await wikiOf(input)
    return {
      account: isSignedIn ? (await gitlab.me()).username : 'not signed in',
      sees: [`${project.path_with_namespace}: ${seen.join(', ') || 'nothing'}`],
      missing: isSignedIn
        ? []
        : [
            `Without a token only what everyone may read is read, at the pace of a visitor, and no comments of issues. ${CONNECT_AGAIN}`,
          ],
    }
  }

  return productConnector('gitlab', CONNECT_AGAIN, {
    read: readChanges,
    list: listAll,
    async *readItems(input, externalIds) {
      for (const externalId of externalIds) yield await readItem(input, externalId)
    },
    check,
  })
}
