import { z } from 'zod'
import { MAX_SENT_CHARACTERS } from '../rest/short-address.ts'

/** Sizes as in other limits of this service: what an API sends is not trusted to be small. */
const Name = z.string().max(10_000)
const Id = z.int()

/** https://developer.zendesk.com/api-reference/help_center/help-center-api/articles/ */
export const Article = z.object({
  id: Id,
  title: Name.nullish().transform((title) => title ?? ''),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ''),
  html_url: z.url({ protocol: /^https?$/ }).max(MAX_SENT_CHARACTERS),
  locale: z.string().max(50),
  draft: z.boolean().default(false),
  section_id: Id.nullish(),
  updated_at: z.string().max(50),
  edited_at: z.string().max(50).nullish(),
  user_segment_id: Id.nullish(),
  user_segment_ids: z.array(Id).max(1_000).nullish(),
})

export type Article = z.infer<typeof Article>

const links = {
  meta: z.object({ has_more: z.boolean() }),
  links: z.object({ next: z.string().nullish() }),
}

export const ArticlePage = z.object({ articles: z.array(Article), ...links })
export const OneArticle = z.object({ article: Article })

/** https://developer.zendesk.com/documentation/help_center/help-center-api/understanding-incremental-article-exports/ */
export const ArticleExport = z.object({
  articles: z.array(Article),
  /** Seconds since 1970. */
  end_time: z.int().nullish(),
  next_page: z.string().nullish(),
})

/** https://developer.zendesk.com/api-reference/help_center/help-center-api/article_attachments/ */
const ArticleFile = z.object({
  id: Id,
  file_name: Name,
  content_url: z.url({ protocol: /^https?$/ }).max(10_000),
  size: z.int().min(0).optional(),
  created_at: z.string().max(50).nullish(),
})
export type ArticleFile = z.infer<typeof ArticleFile>

/** In parts only if there are many. */
export const AttachmentPage = z.object({
  article_attachments: z.array(ArticleFile).max(1_000),
  meta: links.meta.optional(),
  links: links.links.optional(),
})

export const SectionPage = z.object({
  sections: z.array(
    z.object({ id: Id, name: Name, category_id: Id.nullish(), parent_section_id: Id.nullish() }),
  ),
  ...links,
})
export const CategoryPage = z.object({ categories: z.array(z.object({ id: Id, name: Name })), ...links })

export const Me = z.object({
  user: z.object({ id: Id.nullable(), name: Name.nullish(), role: z.string().max(50).nullish() }),
})
