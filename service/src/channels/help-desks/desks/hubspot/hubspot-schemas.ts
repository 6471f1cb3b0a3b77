import { z } from 'zod'

const Id = z.string().min(1).max(200)
/** Numbers in some places, and text in others. */
const Numeric = z.union([z.int(), z.string().max(30)]).transform(String)
const Time = z.string().max(50)

/** A list; the token of its next page may be there although the page is not full, and the next one empty. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .looseObject({
      results: z.array(item).max(1_000),
      paging: z
        .looseObject({ next: z.looseObject({ after: z.string().max(5_000).nullish() }).nullish() })
        .nullish(),
    })
    .transform(({ results: items, paging }) => ({ items, next: paging?.next?.after ?? undefined }))

export const HubspotThread = z.looseObject({
  id: Id,
  /** OPEN or CLOSED. */
  status: z.string().max(50),
  inboxId: Id.nullish(),
  /** Of the user whose thread it is. */
  assignedTo: Id.nullish(),
  spam: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  latestMessageTimestamp: Time.nullish(),
  latestMessageReceivedTimestamp: Time.nullish(),
})
export type HubspotThread = z.infer<typeof HubspotThread>
export const HubspotThreads = listOf(HubspotThread)

const DeliveryIdentifier = z.looseObject({ type: z.string().max(100), value: z.string().max(500) })

const Message = z.looseObject({
  id: Id,
  /** MESSAGE, COMMENT, and what HubSpot notes by itself: ASSIGNMENT, THREAD_STATUS_CHANGE and others. */
  type: z.string().max(100),
  createdAt: Time,
  createdBy: Id.nullish(),
  client: z
    .looseObject({ clientType: z.string().max(50).nullish(), integrationAppId: Numeric.nullish() })
    .nullish(),
  senders: z
    .array(z.looseObject({ actorId: Id.nullish(), deliveryIdentifier: DeliveryIdentifier.nullish() }))
    .max(1_000)
    .nullish(),
  archived: z.boolean().nullish(),
  /** INCOMING or OUTGOING; comments have none. */
  direction: z.string().max(50).nullish(),
  channelId: Id.nullish(),
  channelAccountId: Id.nullish(),
  subject: z.string().nullish(),
  text: z.string().nullish(),
  richText: z.string().nullish(),
  /** NOT_TRUNCATED, TRUNCATED_TO_MOST_RECENT_REPLY or TRUNCATED. */
  truncationStatus: z.string().max(50).nullish(),
})
export type HubspotMessage = z.infer<typeof Message>
export const HubspotMessages = listOf(Message)

export const HubspotOriginal = z.looseObject({ text: z.string().nullish(), richText: z.string().nullish() })

export const HubspotToken = z.looseObject({
  hubId: Numeric,
  appId: Numeric,
  scopes: z.array(z.string().max(200)).max(1_000).nullish(),
})
export type HubspotToken = z.infer<typeof HubspotToken>

export const HubspotNamed = z.looseObject({ id: Id, name: z.string().max(300).nullish() })

export const HubspotRefusal = z.looseObject({
  category: z.string().nullish(),
  errors: z
    .array(
      z.looseObject({
        context: z.looseObject({ requiredGranularScopes: z.array(z.string()).nullish() }).nullish(),
      }),
    )
    .nullish(),
})

/** What a request tells of: of an event only its identity and the id of its thread are used. */
export const HubspotHook = z
  .array(
    z.looseObject({
      eventId: Numeric,
      subscriptionId: Numeric.nullish(),
      portalId: Numeric.nullish(),
      occurredAt: z.number(),
      subscriptionType: z.string().max(200),
      objectId: Numeric,
      messageId: z.string().max(200).nullish(),
    }),
  )
  .max(1_000)
export type HubspotEvent = z.infer<typeof HubspotHook>[number]
