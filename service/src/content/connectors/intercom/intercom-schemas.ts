import { z } from 'zod'

const Name = z
  .string()
  .max(10_000)
  .nullish()
  .transform((name) => name ?? '')
const Address = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .nullish()
  .catch(null)
const Id = z.union([z.string().regex(/^[\w-]{1,60}$/), z.int()]).transform(String)
/** Some versions of the API send numbers of pages as text. */
const Count = z.coerce.number().int().min(0)

const Pages = z.object({ page: Count, total_pages: Count }).nullish()

const Content = z.object({
  title: Name,
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ''),
  state: z.string().max(50).nullish(),
  /** Seconds since 1970. */
  updated_at: z.int().nullish(),
  url: Address,
})
export type Content = z.infer<typeof Content>

/** https://developers.intercom.com/docs/references/2.16/rest-api/api.intercom.io/articles */
export const Article = Content.extend({
  id: Id,
  /** Of the collection; without one, it is in no list of the help center. */
  parent_id: z.union([z.string().max(60), z.int()]).nullish(),
  default_locale: z.string().max(20).nullish(),
  /** By locale; `type` is among them. A locale that was never written is null. */
  translated_content: z
    .record(z.string().max(50), z.unknown())
    .nullish()
    .transform((translated) => translated ?? {}),
})
export type Article = z.infer<typeof Article>

/** An article in one language; undefined if it does not have it. */
export const contentIn = (article: Article, locale: string | null): Content | undefined => {
  if (locale === null || locale === article.default_locale) return article
  return Content.safeParse(article.translated_content[locale]).data
}

export const ArticlePage = z.object({ data: z.array(Article).max(250), pages: Pages })

/** https://developers.intercom.com/docs/references/2.16/rest-api/api.intercom.io/help-center */
export const CollectionPage = z.object({
  data: z
    .array(z.object({ id: Id, name: Name, parent_id: z.union([z.string().max(60), z.int()]).nullish() }))
    .max(250),
  pages: Pages,
})

export const Me = z.object({ name: Name, app: z.object({ name: Name }).nullish() })
