import type { Thread, ThreadMessage } from '../threads/thread-document.ts'
import { escapeMarkdown } from '../rest/api-connector.ts'
import type { Discussion, Issue, IssueComment, Release } from './github-schemas.ts'

interface User {
  login: string
  type: string
}

interface Said {
  author: User | undefined
  association: string
  at: string
  body: string
  url: string
  mark?: string | undefined
}

const MAINTAINERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

function roleOf({ author, association }: Said, opener: User | undefined): string {
  if (MAINTAINERS.has(association)) return 'Maintainer'
  if (author !== undefined && author.login === opener?.login) return 'Author'
  return association === 'CONTRIBUTOR' ? 'Contributor' : 'Participant'
}

/** Reminders of stale issues, reports of builds: no part of the conversation. */
const isBot = (author: User | undefined) => author?.type === 'Bot'

function messageOf(said: Said, opener: User | undefined): ThreadMessage {
  return {
    role: roleOf(said, opener),
    name: said.author?.login,
    at: said.at,
    mark: said.mark,
    anchor: URL.parse(said.url)?.hash.slice(1) || undefined,
    body: { markdown: said.body },
  }
}

export const isPullRequest = ({ pull_request: pull }: Issue) => pull !== undefined && pull !== null

const plainList = (names: readonly string[]) => names.map(escapeMarkdown).join(', ')

/** @param place the full name of the repository */
export function threadOfIssue(
  issue: Issue,
  comments: readonly IssueComment[],
  { place, showsNames }: { place: string; showsNames: boolean },
): Thread {
  const labels = issue.labels
    .map((label) => (typeof label === 'string' ? label : (label.name ?? '')))
    .filter((label) => label !== '')
  const what = isPullRequest(issue) ? 'Pull request' : 'Issue'
  const reason = issue.state_reason ? ` as ${issue.state_reason.replaceAll('_', ' ')}` : ''
  const about = [
    `${what} #${issue.number}, ${escapeMarkdown(issue.state + (issue.state === 'closed' ? reason : ''))}.`,
    ...(labels.length === 0 ? [] : [`Labels: ${plainList(labels)}.`]),
  ]
  const opening: Said = {
    author: issue.user,
    association: issue.author_association,
    at: issue.created_at,
    body: issue.body,
    url: issue.html_url,
  }
  const answers = comments
    .filter((comment) => !isBot(comment.user))
    .map((comment): Said => ({
      author: comment.user,
      association: comment.author_association,
      at: comment.created_at,
      body: comment.body,
      url: comment.html_url,
    }))
  return {
    title: issue.title,
    url: issue.html_url,
    path: [place, isPullRequest(issue) ? 'Pull requests' : 'Issues'],
    about: about.join(' '),
    messages: [opening, ...answers].map((said) => messageOf(said, issue.user)),
    showsNames,
  }
}

const MANY_REPLIES = 'Of the replies to one comment the first 100 are read.'

export function threadOfDiscussion(
  discussion: Discussion,
  { place, showsNames }: { place: string; showsNames: boolean },
): Thread {
  const said = (one: {
    author: User | undefined
    authorAssociation: string
    createdAt: string
    body: string
    url: string
    isAnswer?: boolean
  }): Said => ({
    author: one.author,
    association: one.authorAssociation,
    at: one.createdAt,
    body: one.body,
    url: one.url,
    mark: one.isAnswer === true ? 'accepted answer' : undefined,
  })
  const answers = discussion.comments.nodes
    .flatMap((comment) => [comment, ...comment.replies.nodes])
    .filter((one) => !one.isMinimized && !isBot(one.author))
  const isCut = discussion.comments.nodes.some(
    ({ replies: { totalCount, nodes } }) => (totalCount ?? 0) > nodes.length,
  )
  const state = discussion.isAnswered === true ? ', answered' : ''
  return {
    title: discussion.title,
    url: discussion.url,
    path: [place, 'Discussions', discussion.category?.name ?? ''],
    about: `Discussion #${discussion.number}${state}.`,
    ...(isCut && { leftOut: [MANY_REPLIES] }),
    messages: [discussion, ...answers].map((one) => messageOf(said(one), discussion.author)),
    showsNames,
  }
}

/** A release has one text and no one who said it. */
export const titleOfRelease = ({ name, tag_name: tag }: Release) =>
  name === null || name === undefined || name.trim() === '' || name === tag
    ? `Release ${tag}`
    : `${name} (${tag})`
