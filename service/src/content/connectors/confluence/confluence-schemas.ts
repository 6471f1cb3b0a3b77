import { z } from 'zod'

const Name = z.string().max(10_000)
const Address = z.string().max(2_048)
const Id = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/))

const Holders = z.object({ results: z.array(z.unknown()), size: z.int().nullish() })

/** Who may read it, if not everyone who may read the space. */
const Restrictions = z.object({
  read: z.object({ restrictions: z.object({ user: Holders, group: Holders }) }),
})

export const Content = z
  .object({
    id: Id,
    type: z.string().max(50).default('page'),
    title: Name.nullish().transform((title) => title ?? ''),
    status: z.string().max(50).default('current'),
    space: z.object({ key: z.string().max(300), name: Name.nullish() }).nullish(),
    version: z.object({ number: z.int(), when: z.string().max(50).nullish() }),
    /** Outermost first. A trashed or hidden one may come without what was asked for. */
    ancestors: z
      .array(z.object({ title: Name.nullish(), restrictions: Restrictions.nullish().catch(null) }))
      .max(200)
      .optional(),
    restrictions: Restrictions.nullish().catch(null),
    body: z.object({ storage: z.object({ value: z.string() }).nullish() }).nullish(),
    _links: z.object({ webui: Address.nullish() }).default({}),
  })
  .transform(({ _links: links, ...content }) => ({ ...content, links }))
export type Content = z.infer<typeof Content>
export type Restrictions = z.infer<typeof Restrictions> | null | undefined

const Links = z.object({ next: z.string().max(10_000).nullish(), base: Address.nullish() }).default({})

/** https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get */
export const ContentPage = z
  .object({ results: z.array(Content).max(1_000), _links: Links })
  .transform(({ results, _links: links }) => ({ results, links }))

/** The same for a stranger, of whom only the ids are of interest. */
export const IdPage = z
  .object({ results: z.array(z.object({ id: Id })).max(1_000), _links: Links })
  .transform(({ results, _links: links }) => ({ results, links }))

export const CurrentUser = z.object({
  displayName: Name.nullish(),
  type: z.string().max(50).nullish(),
})
