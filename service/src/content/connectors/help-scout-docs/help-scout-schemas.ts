import { z } from 'zod'

const Name = z
  .string()
  .max(10_000)
  .nullish()
  .transform((name) => name ?? '')
const Id = z.string().regex(/^\w{1,60}$/)
const Time = z
  .string()
  .max(50)
  .nullish()
  .transform((time) => time ?? '')
const Address = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .nullish()
  .catch(null)

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ page: z.int(), pages: z.int().min(0), items: z.array(item).max(1_000) })

/** https://developer.helpscout.com/docs-api/objects/site */
export const SitePage = z
  .object({ sites: pageOf(z.object({ id: Id, subDomain: Name, title: Name })) })
  .transform(({ sites }) => sites)

/** https://developer.helpscout.com/docs-api/objects/site-restriction */
export const SiteRestriction = z.object({ enabled: z.boolean() })

/** https://developer.helpscout.com/docs-api/objects/collection */
export const CollectionPage = z
  .object({
    collections: pageOf(
      z.object({ id: Id, siteId: Id.nullish(), visibility: z.string().max(50).nullish(), name: Name }),
    ),
  })
  .transform(({ collections }) => collections)

/** https://developer.helpscout.com/docs-api/objects/article-ref */
export const ArticleRef = z.object({
  id: Id,
  collectionId: Id,
  status: z.string().max(50),
  name: Name,
  publicUrl: Address,
  updatedAt: Time,
  lastPublishedAt: Time,
})
export type ArticleRef = z.infer<typeof ArticleRef>

export const ArticlePage = z.object({ articles: pageOf(ArticleRef) }).transform(({ articles }) => articles)

/** https://developer.helpscout.com/docs-api/objects/article */
export const OneArticle = z.object({
  article: ArticleRef.extend({
    /** HTML. */
    text: z
      .string()
      .nullish()
      .transform((text) => text ?? ''),
  }),
})
