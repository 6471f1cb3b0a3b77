import { z } from 'zod'

const Name = z
  .string()
  .max(10_000)
  .nullish()
  .transform((name) => name ?? '')
const Id = z.int().min(1)
const Time = z.string().max(50)

/** https://developers.freshdesk.com/api/#solutions */
export const Categories = z.array(z.object({ id: Id, name: Name })).max(1_000)

export const Folders = z
  .array(
    z.object({
      id: Id,
      name: Name,
      /** 1: everyone; 2: those who sign in; 3: agents; 4: some companies; others came later. */
      visibility: z.int().nullish(),
      sub_folders_count: z.int().nullish(),
    }),
  )
  .max(1_000)
export type Folder = z.infer<typeof Folders>[number]

export const Article = z.object({
  id: Id,
  folder_id: Id.nullish(),
  title: Name,
  /** HTML. */
  description: z
    .string()
    .nullish()
    .transform((description) => description ?? ''),
  /** 1: draft; 2: published. */
  status: z.int(),
  updated_at: Time,
})
export type Article = z.infer<typeof Article>
export const Articles = z.array(Article).max(1_000)

export const Agent = z.object({ contact: z.object({ name: Name, email: Name }).nullish() })
