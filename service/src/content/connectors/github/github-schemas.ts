import { z } from 'zod'

/** Sizes as in other limits of this service: what an API sends is not trusted to be small. */
const Name = z.string().max(10_000)
const Time = z.string().max(50)
const Address = z.url({ protocol: /^https?$/ }).max(2_048)
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

/** Null: the account was deleted. */
const User = z
  .object({ login: z.string().max(200), type: z.string().max(50).default('User') })
  .nullish()
  .transform((user) => user ?? undefined)

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
export const Repository = z.object({
  full_name: Name,
  private: z.boolean(),
  visibility: z.string().max(50).optional(),
  has_issues: z.boolean().default(true),
  has_discussions: z.boolean().default(false),
})
export type Repository = z.infer<typeof Repository>

/** https://docs.github.com/en/rest/issues/issues: pull requests are among them. */
export const Issue = z.object({
  number: z.int(),
  title: Name,
  body: Text,
  html_url: Address,
  state: z.string().max(50),
  state_reason: z.string().max(50).nullish(),
  user: User,
  author_association: z.string().max(50).default('NONE'),
  labels: z.array(z.union([Name, z.object({ name: Name.nullish() })])).max(1_000),
  comments: z.int(),
  created_at: Time,
  updated_at: Time,
  pull_request: z.unknown().optional(),
})
export type Issue = z.infer<typeof Issue>

export const IssueComment = z.object({
  id: z.int(),
  body: Text,
  issue_url: Address,
  html_url: Address,
  user: User,
  author_association: z.string().max(50).default('NONE'),
  created_at: Time,
  updated_at: Time,
})
export type IssueComment = z.infer<typeof IssueComment>

/** https://docs.github.com/en/rest/releases/releases */
export const Release = z.object({
  id: z.int(),
  name: Name.nullish(),
  tag_name: Name,
  body: Text,
  html_url: Address,
  draft: z.boolean(),
  prerelease: z.boolean().default(false),
  published_at: Time.nullish(),
})
export type Release = z.infer<typeof Release>

export const Me = z.object({ login: z.string().max(200) })

const Actor = z
  .object({ login: z.string().max(200), __typename: z.string().max(50).default('User') })
  .nullish()
  .transform((actor) => {
    if (!actor) return undefined
    const { login, __typename: type } = actor
    return { login, type }
  })

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().max(2_000).nullish() })

const discussionFields = {
  number: z.int(),
  title: Name,
  url: Address,
  updatedAt: Time,
  comments: z.object({ totalCount: z.int() }),
}
export const ListedDiscussion = z.object(discussionFields)
export type ListedDiscussion = z.infer<typeof ListedDiscussion>

const said = {
  body: Text,
  author: Actor,
  authorAssociation: z.string().max(50).default('NONE'),
  createdAt: Time,
}

const DiscussionReply = z.object({ ...said, url: Address, isMinimized: z.boolean().default(false) })
const DiscussionComment = DiscussionReply.extend({
  isAnswer: z.boolean().default(false),
  replies: z.object({ totalCount: z.int().nullish(), nodes: z.array(DiscussionReply).max(100) }),
})

export const Discussion = z.object({
  ...discussionFields,
  ...said,
  isAnswered: z.boolean().nullish(),
  category: z.object({ name: Name }).nullish(),
  comments: z.object({ totalCount: z.int(), pageInfo: PageInfo, nodes: z.array(DiscussionComment).max(100) }),
})
export type Discussion = z.infer<typeof Discussion>

const errors = z
  .array(z.object({ type: z.string().max(100).nullish(), message: Name.nullish() }))
  .max(100)
  .optional()

export const DiscussionsAnswer = z.object({
  errors,
  data: z
    .object({
      repository: z
        .object({ discussions: z.object({ pageInfo: PageInfo, nodes: z.array(ListedDiscussion).max(100) }) })
        .nullish(),
    })
    .nullish(),
})

export const DiscussionAnswer = z.object({
  errors,
  data: z.object({ repository: z.object({ discussion: Discussion.nullish() }).nullish() }).nullish(),
})

export type GraphqlErrors = z.infer<typeof errors>
