import { z } from 'zod'
import type { ConnectorInput } from '../connector.ts'
import { bearerAuthorization, openApiClient, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure, unlessClosed } from '../rest/api-failure.ts'
import { linkedPages } from '../rest/linked-pages.ts'
import { isThreadFull } from '../threads/thread-document.ts'
import { Issue, Me, Member, Note, Project, WikiPage } from './gitlab-schemas.ts'

const NAME = 'GitLab'
const PAGE_SIZE = 100
/** Whoever may do more than a guest: https://docs.gitlab.com/api/members/#roles */
const REPORTER = 20

/** The API of one project, for one reading. */
export function openGitlab(deps: ApiDeps, input: ConnectorInput<{ url: string }>) {
  const { origin, pathname } = new URL(input.config.url)
  const open = (given: typeof input) =>
    openApiClient(deps, given, {
      name: NAME,
      origin,
      headers: () => bearerAuthorization(given.credentials ?? {}),
    })
  const client = open(input)
  const stranger = open({ ...input, credentials: undefined })
  const path = decodeURIComponent(pathname)
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const folder = `/api/v4/projects/${encodeURIComponent(path)}`

  function pages<Item>(place: string, query: Record<string, string>, schema: z.ZodType<Item>) {
    const asked = new URLSearchParams({ per_page: String(PAGE_SIZE), ...query }).toString()
    return linkedPages(client, `${folder}/${place}?${asked}`, z.array(schema).max(PAGE_SIZE), NAME)
  }

  return {
    address: `${origin}${folder}`,
    /** Whether a part of the project is shown without signing in: a GitLab can be closed to strangers, whatever a project says. */
    isOpenToStrangers: async (part: 'issues' | 'wikis'): Promise<boolean> => {
      const read = () => stranger.json(`${folder}/${part}?per_page=1`, z.array(z.unknown()))
      return (await unlessClosed(read)) !== undefined
    },
    project: async (): Promise<Project> => (await client.json(folder, Project)).data,
    me: async () => (await client.json('/api/v4/user', Me)).data,
    /** Oldest first: a list that hardly moves while it is read. */
    allIssues: () => pages('issues', { scope: 'all', order_by: 'created_at', sort: 'asc' }, Issue),
    changedIssues: (since: string | undefined) =>
      pages(
        'issues',
        {
          scope: 'all',
          order_by: 'updated_at',
          sort: 'asc',
          ...(since !== undefined && { updated_after: since }),
        },
        Issue,
      ),
    issue: async (number: number) => (await client.json(`${folder}/issues/${number}`, Issue)).data,
    notes: async (number: number): Promise<Note[]> => {
      const found: Note[] = []
      for await (const page of pages(
        `issues/${number}/notes`,
        { order_by: 'created_at', sort: 'asc' },
        Note,
      )) {
        found.push(...page)
        if (isThreadFull(found.map(({ body }) => body))) break
      }
      return found
    },
    /** Names of the team; empty if the account may not see them. */
    team: async (): Promise<ReadonlySet<string>> => {
      const names = new Set<string>()
      try {
        for await (const page of pages('members/all', {}, Member))
          for (const { username, access_level: level } of page) if (level >= REPORTER) names.add(username)
      } catch (error) {
        const isRefused =
          error instanceof ApiFailure &&
          (error.kind === 'forbidden' || error.kind === 'gone' || error.kind === 'unauthorized')
        if (!isRefused) throw error
      }
      return names
    },
    /** Pages have no time of change, so their text is asked for with the list. */
    wikiPages: async (): Promise<WikiPage[]> =>
      (await client.json(`${folder}/wikis?with_content=1`, z.array(WikiPage).max(20_000))).data,
    /** A page in another format than Markdown, as HTML. */
    renderedPage: async (slug: string): Promise<string> => {
      const place = `${folder}/wikis/${encodeURIComponent(slug.toWellFormed())}?render_html=true`
      return (await client.json(place, WikiPage)).data.content
    },
  }
}
