import { z } from 'zod'

const Name = z.string().max(10_000)
const Id = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))
const Time = z.string().max(50)
const Named = z.object({ name: Name.nullish() }).nullish()
const Person = z.object({ accountId: z.string().max(300).nullish() }).nullish()

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-attachments/ */
const Attachment = z.object({
  id: Id,
  filename: Name,
  size: z.number().min(0).nullish(),
  created: Time.nullish(),
})

/** Files at one issue; later ones are left out. */
export const MAX_ATTACHMENTS = 2_000

/** What tells whether an issue has to be read again, and who may see it. */
export const IssueFacts = z.object({
  id: Id,
  key: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,100}-\d{1,20}$/),
  fields: z.object({
    updated: Time,
    security: z.object({ id: z.union([z.string().max(50), z.int()]) }).nullish(),
    attachment: z
      .array(z.unknown())
      // One more tells that there are more.
      .transform((files) => files.slice(0, MAX_ATTACHMENTS + 1))
      .pipe(z.array(Attachment))
      .nullish(),
  }),
})
export type IssueFacts = z.infer<typeof IssueFacts>

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-post */
export const FoundIssues = z.object({
  issues: z.array(IssueFacts).max(5_000),
  nextPageToken: z.string().max(10_000).nullish(),
  isLast: z.boolean().nullish(),
})

export const Comment = z.object({
  author: Person,
  created: Time.nullish(),
  /** Atlassian Document Format. */
  body: z.unknown().optional(),
  /** For some roles or groups only. */
  visibility: z.unknown().optional(),
  /** False: an internal note of a service project. */
  jsdPublic: z.boolean().nullish(),
})
export type Comment = z.infer<typeof Comment>

export const CommentPage = z.object({ comments: z.array(Comment).max(5_000), total: z.int().nullish() })

export const Issue = IssueFacts.extend({
  fields: IssueFacts.shape.fields.extend({
    summary: Name.nullish(),
    /** Atlassian Document Format. */
    description: z.unknown().optional(),
    comment: CommentPage.nullish(),
    project: z.object({ key: z.string().max(300), name: Name.nullish() }),
    issuetype: Named,
    status: Named,
    resolution: Named,
    priority: Named,
    labels: z.array(Name).max(1_000).nullish(),
    components: z
      .array(z.object({ name: Name.nullish() }))
      .max(1_000)
      .nullish(),
    fixVersions: z
      .array(z.object({ name: Name.nullish() }))
      .max(1_000)
      .nullish(),
    reporter: Person,
    assignee: Person,
  }),
})
export type Issue = z.infer<typeof Issue>

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-bulkfetch-post */
export const FetchedIssues = z.object({
  issues: z.array(Issue).max(1_000),
  /** Issues that could not be sent this time; those that are not found are in neither list. */
  issueErrors: z
    .array(z.object({ id: z.union([z.string().max(100), z.int()]).nullish(), errorMessage: Name.nullish() }))
    .max(1_000)
    .nullish(),
})

export const Myself = z.object({ displayName: Name.nullish() })
