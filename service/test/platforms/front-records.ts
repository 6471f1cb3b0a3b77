import { z } from 'zod'

/** What the stand-in for Front takes, and what it keeps. */
export const Reply = z.strictObject({
  author_id: z.string().startsWith('tea_'),
  channel_id: z.string().startsWith('cha_').optional(),
  body: z.string().min(1),
  text: z.string().min(1),
  options: z.strictObject({ archive: z.boolean(), tag_ids: z.array(z.string()).optional() }),
})
export const Draft = z.strictObject({
  author_id: z.string().startsWith('tea_'),
  channel_id: z.string().startsWith('cha_'),
  body: z.string().min(1),
  mode: z.enum(['private', 'shared']),
})
export const Comment = z.strictObject({ author_id: z.string().startsWith('tea_'), body: z.string().min(1) })
export const Tags = z.strictObject({ tag_ids: z.array(z.string().startsWith('tag_')).min(1) })
export const Assignee = z.strictObject({ assignee_id: z.string().startsWith('tea_').nullable() })
export const Change = z.strictObject({ inbox_id: z.string().startsWith('inb_') })

export interface Message {
  id: string
  type: string
  is_inbound: boolean
  is_draft: boolean
  draft_mode: string | null
  created_at: number
  author: { id: string } | null
  recipients: { handle: string; role: string }[]
  body: string
  text: string
}

export interface FrontConversationHere {
  id: string
  subject: string
  status: string
  /** Where a company has tickets. */
  status_category?: string
  assignee: { id: string } | null
  inbox: string
  tags: string[]
  channel: string | undefined
  messages: Message[]
  comments: { id: string; author: { id: string } | null; body: string; posted_at: number }[]
}

export interface Event {
  id: string
  /** inbound, outbound, assign, unassign, archive or comment. */
  type: string
  emitted_at: number
  conversation: string
}
