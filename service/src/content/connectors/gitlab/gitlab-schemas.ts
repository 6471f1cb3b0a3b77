import { z } from 'zod'

/** Sizes as in other limits of this service: what an API sends is not trusted to be small. */
const Name = z.string().max(10_000)
const Time = z.string().max(50)
const Address = z.url({ protocol: /^https?$/ }).max(2_048)
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '')
const User = z
  .object({ username: z.string().max(300), bot: z.boolean().default(false) })
  .nullish()
  .transform((user) => user ?? undefined)
const Level = z.string().max(50).optional()

/** https://docs.gitlab.com/api/projects/#get-a-single-project */
export const Project = z.object({
  path_with_namespace: Name,
  web_url: Address,
  /** Strangers are not told it, nor the levels. */
  visibility: z.string().max(50).optional(),
  issues_access_level: Level,
  wiki_access_level: Level,
})
export type Project = z.infer<typeof Project>

/** https://docs.gitlab.com/api/issues/ */
export const Issue = z.object({
  iid: z.int(),
  title: Name,
  description: Text,
  state: z.string().max(50),
  labels: z.array(Name).max(1_000),
  web_url: Address,
  confidential: z.boolean().default(false),
  created_at: Time,
  updated_at: Time,
  author: User,
  user_notes_count: z.int().default(0),
})
export type Issue = z.infer<typeof Issue>

/** https://docs.gitlab.com/api/notes/ */
export const Note = z.object({
  id: z.int(),
  body: Text,
  author: User,
  created_at: Time,
  /** What GitLab wrote itself: a label was added. */
  system: z.boolean().default(false),
  /** For the team of the project only. */
  internal: z.boolean().default(false),
  confidential: z.boolean().default(false),
})
export type Note = z.infer<typeof Note>

/** https://docs.gitlab.com/api/members/ */
export const Member = z.object({ username: z.string().max(300), access_level: z.int() })

/** https://docs.gitlab.com/api/wikis/ */
export const WikiPage = z.object({
  slug: z.string().min(1).max(2_000),
  title: Name,
  format: z.string().max(50).default('markdown'),
  content: Text,
})
export type WikiPage = z.infer<typeof WikiPage>

export const Me = z.object({ username: z.string().max(300) })
