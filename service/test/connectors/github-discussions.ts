import type { StandInAnswer } from './stand-in-server.ts'

export const PAGE = 'https://github.com/acme/product'

export interface StandInDiscussion {
  number: number
  title: string
  body: string
  word: string
  updated: number
  comments: { id: number; text: string; isAnswer: boolean; replies: { id: number; text: string }[] }[]
}

/** The query of a GraphQL request, and what it asks for. */
export interface GraphqlRequest {
  query: string
  variables: { owner: string; name: string; number?: number; first: number; after: string | null }
}

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

const actor = (login: string) => ({ login, __typename: 'User' })

/** What GitHub's GraphQL endpoint answers to the queries of discussions, as its published schema describes it. */
export function answerGraphql(
  body: GraphqlRequest,
  given: { discussions: readonly StandInDiscussion[]; pageSize: number },
): StandInAnswer {
  const { owner, name, number, first, after } = body.variables
  const failed = (type: string, message: string): StandInAnswer => ({
    body: { data: { repository: null }, errors: [{ type, message, path: ['repository'] }] },
  })
  if (owner !== 'acme' || name !== 'product')
    return failed('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`)
  if (!(first >= 1 && first <= 100)) return failed('EXCESSIVE_PAGINATION', 'Requesting too many records.')
  const part = <Item>(all: readonly Item[]) => {
    const start = after === null ? 0 : Number(atob(after))
    const size = Math.min(first, given.pageSize)
    const nodes = all.slice(start, start + size)
    const hasNextPage = all.length > start + size
    return {
      nodes,
      pageInfo: { hasNextPage, endCursor: nodes.length === 0 ? null : btoa(String(start + size)) },
    }
  }
  const listed = (one: StandInDiscussion) => ({
    number: one.number,
    title: one.title,
    url: `${PAGE}/discussions/${one.number}`,
    updatedAt: iso(one.updated),
    comments: { totalCount: one.comments.length },
  })
  if (number === undefined) {
    const all = given.discussions.toSorted((one, other) => other.updated - one.updated)
    const { nodes, pageInfo } = part(all)
    return { body: { data: { repository: { discussions: { nodes: nodes.map(listed), pageInfo } } } } }
  }
  const one = given.discussions.find((found) => found.number === number)
  if (one === undefined)
    return {
      body: {
        data: { repository: { discussion: null } },
        errors: [
          { type: 'NOT_FOUND', message: `Could not resolve to a Discussion with the number of ${number}.` },
        ],
      },
    }
  const said = (id: number, text: string, login: string, association: string) => ({
    url: `${PAGE}/discussions/${number}#discussioncomment-${id}`,
    body: text,
    isMinimized: false,
    author: actor(login),
    authorAssociation: association,
    createdAt: '2026-02-03T04:05:06Z',
  })
  const { nodes, pageInfo } = part(one.comments)
  const comments = nodes.map((comment) => ({
    ...said(comment.id, comment.text, 'grace', 'MEMBER'),
    isAnswer: comment.isAnswer,
    replies: {
      totalCount: comment.replies.length,
      nodes: comment.replies.map(({ id, text }) => said(id, text, 'ada', 'NONE')),
    },
  }))
  const discussion = {
    ...listed(one),
    ...said(0, one.body, 'ada', 'NONE'),
    url: `${PAGE}/discussions/${number}`,
    isAnswered: one.comments.some(({ isAnswer }) => isAnswer),
    category: { name: 'Q&A' },
    comments: { totalCount: one.comments.length, pageInfo, nodes: comments },
  }
  return { body: { data: { repository: { discussion } } } }
}
