import { z } from 'zod'
import { MAX_SENT_CHARACTERS } from '../rest/short-address.ts'

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

const Links = z.object({ next: z.string().max(10_000).nullish(), base: Address.nullish() }).default({})

/** A file at a page. https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content---attachments/ */
const Attachment = z
  .object({
    id: z.string().regex(/^(?:att)?\d{1,20}$/),
    title: Name,
    version: z.object({ number: z.int() }),
    extensions: z.object({ fileSize: z.number().min(0).nullish() }).nullish(),
    /** With the name of the file in it, of which a character may take nine. */
    _links: z.object({ download: z.string().max(10_000).nullish().catch(undefined) }).default({}),
  })
  .transform(({ _links: links, ...file }) => ({ ...file, links }))
export type FileAtPage = z.infer<typeof Attachment>

export const AttachmentPage = z
  .object({ results: z.array(Attachment).max(1_000), _links: Links })
  .transform(({ results, _links: links }) => ({ results, links }))

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
    children: z.object({ attachment: AttachmentPage.nullish() }).nullish(),
    body: z.object({ storage: z.object({ value: z.string() }).nullish() }).nullish(),
    _links: z.object({ webui: z.string().max(MAX_SENT_CHARACTERS).nullish() }).default({}),
  })
  .transform(({ _links: links, ...content }) => ({ ...content, links }))
export type Content = z.infer<typeof Content>
export type Restrictions = z.infer<typeof Restrictions> | null | undefined

/** https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/#api-wiki-rest-api-content-search-get */
export const ContentPage = z
  .object({ results: z.array(Content).max(1_000), _links: Links })
  .transform(({ results, _links: links }) => ({ results, links }))

/** The same for a stranger, of whom only the ids are of interest. */
export const IdPage = z
  .object({ results: z.array(z.object({ id: Id })).max(1_000), _links: Links })
  .transform(({ results, _links: links }) => ({ results, links }))

export const CurrentUser = z.object({ displayName: Name.nullish(), type: z.string().max(50).nullish() })
