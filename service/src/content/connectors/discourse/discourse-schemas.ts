import { z } from 'zod'

/** Sizes as in other limits of this service: what an API sends is not trusted to be small. */
const Name = z.string().max(10_000)
const Time = z.string().max(50)
const Id = z.int()

/** https://docs.discourse.org/#tag/Site */
export const Site = z.object({
  categories: z
    .array(
      z.object({
        id: Id,
        name: Name,
        parent_category_id: Id.nullish(),
        read_restricted: z.boolean().default(false),
      }),
    )
    .max(10_000),
})
export type Site = z.infer<typeof Site>

/** https://docs.discourse.org/#tag/Topics */
const topicFields = {
  id: Id,
  title: Name,
  slug: z.string().max(2_000).default('-'),
  category_id: Id.nullish(),
  posts_count: z.int(),
}

export const ListedTopic = z.object({
  ...topicFields,
  archetype: z.string().max(50).default('regular'),
  visible: z.boolean().default(true),
  bumped_at: Time.nullish().transform((time) => time ?? ''),
})
export type ListedTopic = z.infer<typeof ListedTopic>

export const TopicList = z.object({
  topic_list: z.object({
    more_topics_url: z.string().max(2_048).nullish(),
    topics: z.array(ListedTopic).max(1_000),
  }),
})

export const Post = z.object({
  id: Id,
  username: z.string().max(200),
  created_at: Time,
  cooked: z
    .string()
    .nullish()
    .transform((html) => html ?? ''),
  /** 1: a message; 2 and 3: what a moderator did; 4: a whisper, for the team only. */
  post_type: z.int(),
  staff: z.boolean().default(false),
  hidden: z.boolean().default(false),
  deleted_at: Time.nullish(),
  user_deleted: z.boolean().default(false),
  accepted_answer: z.boolean().default(false),
})
export type Post = z.infer<typeof Post>

/** The first posts, and the ids of all. */
export const Topic = z.object({
  ...topicFields,
  archetype: z.string().max(50).default('regular'),
  visible: z.boolean().default(true),
  closed: z.boolean().default(false),
  deleted_at: Time.nullish(),
  /** Only lists have the time of the last activity: it is the later of these. */
  created_at: Time,
  last_posted_at: Time.nullish(),
  tags: z
    .array(z.union([Name, z.object({ name: Name })]))
    .max(100)
    .nullish(),
  post_stream: z.object({ posts: z.array(Post).max(1_000), stream: z.array(Id).max(100_000) }),
})
export type Topic = z.infer<typeof Topic>

export const MorePosts = z.object({ post_stream: z.object({ posts: z.array(Post).max(1_000) }) })

export const CurrentSession = z.object({ current_user: z.object({ username: z.string().max(200) }) })
