import { z } from 'zod'
import { MAX_SENT_CHARACTERS } from '../rest/short-address.ts'

const Id = z.string().min(1).max(100)
const Address = z.url({ protocol: /^https?$/ }).max(MAX_SENT_CHARACTERS)
const Cursor = z.string().max(2_000).nullable()

export const RichText = z.object({
  type: z.string().max(50).default('text'),
  plain_text: z.string().default(''),
  href: z.string().max(10_000).nullish(),
  annotations: z
    .object({
      bold: z.boolean().default(false),
      italic: z.boolean().default(false),
      strikethrough: z.boolean().default(false),
      code: z.boolean().default(false),
    })
    .optional(),
})
export type RichText = z.infer<typeof RichText>

const Named = z.object({ name: z.string().max(2_000).nullish() }).nullish()

/** A value of a page in a database: of the kinds that are not read, only the name of the kind is kept. */
export const Property = z.object({
  type: z.string().max(50),
  title: z.array(RichText).optional().catch(undefined),
  rich_text: z.array(RichText).optional().catch(undefined),
  number: z.number().nullish().catch(undefined),
  checkbox: z.boolean().optional().catch(undefined),
  url: z.string().max(10_000).nullish().catch(undefined),
  select: Named.catch(undefined),
  status: Named.catch(undefined),
  multi_select: z
    .array(z.object({ name: z.string().max(2_000) }))
    .optional()
    .catch(undefined),
  date: z
    .object({ start: z.string().max(100), end: z.string().max(100).nullish() })
    .nullish()
    .catch(undefined),
})
export type Property = z.infer<typeof Property>

/** https://developers.notion.com/reference/page */
export const Page = z.object({
  object: z.literal('page'),
  id: Id,
  last_edited_time: z.string().max(50),
  in_trash: z.boolean().default(false),
  url: Address,
  public_url: Address.nullish(),
  properties: z.record(z.string().max(2_000), Property),
})
export type Page = z.infer<typeof Page>

/** Results that are not whole pages (an integration may see only that they exist) have no properties: they are left out. */
export const SearchResult = z.object({
  results: z
    .array(z.union([Page, z.object({ object: z.string() })]))
    .max(100)
    .transform((found) => found.flatMap((one) => ('properties' in one ? [one] : []))),
  next_cursor: Cursor,
  has_more: z.boolean(),
})

/** Its own fields are under the name of its type. */
export const NotionBlock = z
  .object({ id: Id, type: z.string().max(100), has_children: z.boolean().default(false) })
  .catchall(z.unknown())
export type NotionBlock = z.infer<typeof NotionBlock>

/** Where a block or page is; other kinds of places are not looked at. https://developers.notion.com/reference/parent-object */
const Parent = z.object({ type: z.string().max(50), block_id: Id.optional(), page_id: Id.optional() })
export const PlacedBlock = z.object({ parent: Parent })

/** A copy of a block that is kept in step with its original: https://developers.notion.com/reference/block#synced-block */
export const SyncedCopy = z.object({ synced_from: z.object({ block_id: Id }) })

export const BlockList = z.object({
  results: z.array(NotionBlock).max(100),
  next_cursor: Cursor,
  has_more: z.boolean(),
})

export const Bot = z.object({
  name: z.string().max(2_000).nullish(),
  bot: z.object({ workspace_name: z.string().max(2_000).nullish() }).nullish(),
})
