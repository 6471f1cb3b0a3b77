import { z } from 'zod'

/** https://docs.slack.dev/reference/methods */
const id = z.string().min(1).max(100)
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/)

/** Errors come with status 200. */
export const Refused = z.object({
  ok: z.literal(false),
  error: z.string().max(200),
  needed: z.string().max(500).optional(),
})

const Next = z.object({ next_cursor: z.string().max(1_000).optional() }).optional()

export const Channel = z.object({
  id,
  name: z.string().max(200).default(''),
  is_private: z.boolean().default(false),
  is_ext_shared: z.boolean().default(false),
  is_member: z.boolean().default(false),
})
export type Channel = z.infer<typeof Channel>

export const ChannelList = z.object({
  ok: z.literal(true),
  channels: z.array(Channel).max(2_000),
  response_metadata: Next,
})

export const ChannelInfo = z.object({ ok: z.literal(true), channel: Channel })

export const Message = z.object({
  type: z.string().max(50).optional(),
  subtype: z.string().max(100).optional(),
  ts,
  thread_ts: ts.optional(),
  user: z.string().max(100).optional(),
  bot_id: z.string().max(100).optional(),
  text: z.string().max(100_000).default(''),
  reply_count: z.number().optional(),
  latest_reply: z.string().max(50).optional(),
  edited: z.object({ ts: z.string().max(50).optional() }).optional(),
  attachments: z
    .array(
      z.object({ text: z.string().max(100_000).optional(), fallback: z.string().max(100_000).optional() }),
    )
    .max(200)
    .optional(),
})
export type Message = z.infer<typeof Message>

export const MessageList = z.object({
  ok: z.literal(true),
  messages: z.array(Message).max(2_000),
  has_more: z.boolean().optional(),
  response_metadata: Next,
})

export const AuthTest = z.object({
  ok: z.literal(true),
  url: z.string().max(500),
  team: z.string().max(500).default(''),
  user: z.string().max(500).default(''),
})

export const UserInfo = z.object({
  ok: z.literal(true),
  user: z.object({
    name: z.string().max(200).default(''),
    profile: z
      .object({ display_name: z.string().max(200).default(''), real_name: z.string().max(200).default('') })
      .optional(),
  }),
})
