import { PAGE } from './github-discussions.ts'

export const PLACE = '/repos/acme/product'

export interface StandInComment {
  id: number
  text: string
  login: string
  association: string
  isBot: boolean
  /** Seconds since 1970. */
  updated: number
}

export interface StandInIssue {
  number: number
  title: string
  body: string
  /** What changed last. */
  word: string
  isPull: boolean
  isClosed: boolean
  updated: number
  comments: StandInComment[]
}

export interface StandInRelease {
  id: number
  tag: string
  word: string
  isDraft: boolean
}

export const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')
export const user = (login: string, isBot = false) => ({
  login,
  id: login.length,
  type: isBot ? 'Bot' : 'User',
  html_url: `https://github.com/${login}`,
})

export const presentIssue = (issue: StandInIssue, origin: string) => ({
  id: issue.number + 9_000,
  number: issue.number,
  url: `${origin}${PLACE}/issues/${issue.number}`,
  html_url: `${PAGE}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}`,
  title: issue.title,
  body: issue.body,
  state: issue.isClosed ? 'closed' : 'open',
  state_reason: issue.isClosed ? 'not_planned' : null,
  user: user('ada'),
  author_association: 'NONE',
  labels: [{ id: 1, name: 'area: *keys*', color: 'fff' }],
  comments: issue.comments.length,
  created_at: iso(1_759_999_000),
  updated_at: iso(issue.updated),
  closed_at: null,
  locked: false,
  ...(issue.isPull && { pull_request: { url: `${origin}${PLACE}/pulls/${issue.number}` } }),
})

export const presentComment = (issue: StandInIssue, comment: StandInComment, origin: string) => ({
  id: comment.id,
  url: `${origin}${PLACE}/issues/comments/${comment.id}`,
  html_url: `${PAGE}/${issue.isPull ? 'pull' : 'issues'}/${issue.number}#issuecomment-${comment.id}`,
  issue_url: `${origin}${PLACE}/issues/${issue.number}`,
  body: comment.text,
  user: user(comment.login, comment.isBot),
  author_association: comment.association,
  created_at: '2026-03-04T05:06:07Z',
  updated_at: iso(comment.updated),
})

export const presentRelease = ({ id, tag, word: said, isDraft }: StandInRelease) => ({
  id,
  name: `Product ${tag}`,
  tag_name: tag,
  body: `## Changes\n\n- The word of this release is ${said}.`,
  html_url: `${PAGE}/releases/tag/${tag}`,
  draft: isDraft,
  prerelease: false,
  created_at: '2026-01-01T00:00:00Z',
  published_at: isDraft ? null : '2026-01-02T00:00:00Z',
})
