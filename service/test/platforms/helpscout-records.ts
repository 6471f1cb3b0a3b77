import { z } from 'zod'

/** What the stand-in for Help Scout takes, and what it keeps. */
const Customer = z.strictObject({ id: z.int().positive() })
const Status = z.enum(['active', 'pending', 'closed', 'open', 'spam'])
export const Reply = z.strictObject({
  customer: Customer,
  text: z.string().min(1),
  draft: z.literal(true).optional(),
  status: Status.optional(),
  assignTo: z.int().nullable().optional(),
})
export const Note = z.strictObject({ text: z.string().min(1), status: Status.optional() })
export const Tags = z.strictObject({ tags: z.array(z.string().min(1)) })
export const Patch = z.strictObject({
  op: z.literal('replace'),
  path: z.literal('/assignTo'),
  value: z.int(),
})
export const Grant = z.strictObject({
  grant_type: z.literal('client_credentials'),
  client_id: z.string(),
  client_secret: z.string(),
})

export interface Person {
  id: number
  type: 'customer' | 'user' | 'team'
  email: string
}

export interface Thread {
  id: number
  type: string
  status: string
  state: string
  action: { type?: string }
  body: string
  source: { type: string; via: string }
  createdBy: Person
  createdAt: string
}

export interface HelpscoutConversationHere {
  id: number
  type: string
  status: string
  state: string
  subject: string
  mailboxId: number
  assignee: Person | undefined
  primaryCustomer: Person
  tags: string[]
  createdAt: number
  modifiedAt: number
  waitingSince: string | undefined
  all: Thread[]
  sources: Map<number, string>
}

/** Those that count: neither drafts nor what Help Scout notes. */
export const threadsOf = ({ all }: HelpscoutConversationHere): Thread[] =>
  all.filter(({ type, state }) => type !== 'lineitem' && state === 'published')

/** A conversation as Help Scout shows it: without the time of its last change. */
export const shown = (chat: HelpscoutConversationHere, isEmbedded: boolean) => ({
  id: chat.id,
  number: chat.id - 900,
  threads: threadsOf(chat).length,
  type: chat.type,
  folderId: 5,
  status: chat.status,
  state: chat.state,
  subject: chat.subject,
  mailboxId: chat.mailboxId,
  createdAt: new Date(chat.createdAt).toISOString(),
  ...(chat.assignee !== undefined && { assignee: chat.assignee }),
  primaryCustomer: chat.primaryCustomer,
  tags: chat.tags.map((tag, at) => ({ id: at + 1, color: '#929499', tag })),
  ...(chat.waitingSince !== undefined && { customerWaitingSince: { time: chat.waitingSince } }),
  _embedded: isEmbedded ? { threads: chat.all.toReversed() } : {},
})
