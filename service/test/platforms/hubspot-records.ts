import { z } from 'zod'

/** What the stand-in for HubSpot takes, and what it keeps. */
const DeliveryIdentifier = z.strictObject({ type: z.literal('HS_EMAIL_ADDRESS'), value: z.email() })
export const Post = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('MESSAGE'),
    text: z.string().min(1),
    richText: z.string().min(1).optional(),
    senderActorId: z.string().regex(/^A-\d+$/),
    channelId: z.literal('1002'),
    channelAccountId: z.string().min(1),
    recipients: z
      .array(
        z.strictObject({
          recipientField: z.enum(['TO', 'CC', 'BCC']),
          deliveryIdentifiers: z.array(DeliveryIdentifier).length(1),
        }),
      )
      .min(1),
    subject: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('COMMENT'),
    text: z.string().min(1),
    richText: z.string().min(1).optional(),
  }),
])
export const Patch = z.strictObject({ status: z.enum(['OPEN', 'CLOSED']) })
export const Assignee = z.strictObject({ actorId: z.string().regex(/^A-\d+$/) })
export const TokenKey = z.strictObject({ tokenKey: z.string() })

export interface MessageHere {
  id: string
  type: string
  conversationsThreadId: string
  createdAt: string
  createdBy: string
  client: { clientType: string; integrationAppId?: number }
  senders: { actorId?: string; deliveryIdentifier?: { type: string; value: string } }[]
  recipients: unknown[]
  archived: boolean
  direction?: string
  channelId?: string
  channelAccountId?: string
  subject?: string
  text?: string
  richText?: string
  truncationStatus?: string
  assignedTo?: string
}

export interface ThreadHere {
  id: string
  status: string
  inboxId: string
  assignedTo: string | undefined
  spam: boolean
  archived: boolean
  address: string
  latestMessageTimestamp: string
  latestMessageReceivedTimestamp: string
  messages: MessageHere[]
  originals: Map<string, string>
}

/** A thread as HubSpot shows it: without what was said. */
export const shown = (thread: ThreadHere) => ({
  id: thread.id,
  status: thread.status,
  inboxId: thread.inboxId,
  assignedTo: thread.assignedTo,
  spam: thread.spam,
  archived: thread.archived,
  latestMessageTimestamp: thread.latestMessageTimestamp,
  latestMessageReceivedTimestamp: thread.latestMessageReceivedTimestamp,
  originalChannelId: '1002',
  associatedContactId: '101',
})

/** What a webhook tells of a new thread. Its ids of events are no identity. */
export function eventsOf(
  id: string,
  thread: ThreadHere | undefined,
  of: { portalId: number; appId: number },
) {
  const message = thread?.messages.findLast(({ type }) => type === 'MESSAGE')
  const event = {
    ...of,
    eventId: 1,
    subscriptionId: 22,
    occurredAt: Date.parse(message?.createdAt ?? '') || 1,
    attemptNumber: 0,
    objectId: Number(id),
    changeSource: 'CRM',
  }
  const about = { messageId: message?.id ?? 'none', messageType: 'MESSAGE' }
  return [
    { ...event, subscriptionType: 'conversation.creation', changeFlag: 'NEW' },
    { ...event, ...about, subscriptionType: 'conversation.newMessage', changeFlag: 'NEW_MESSAGE' },
  ]
}
