import { z } from 'zod'

/** Ids of conversations, messages and events are short words. */
const Id = z.string().min(1).max(100)

const SwitchboardIntegration = z.looseObject({
  id: Id,
  name: z.string().max(300).nullish(),
  integrationId: Id.nullish(),
})

export const MessagingConversation = z.looseObject({
  conversation: z.looseObject({
    id: Id,
    type: z.string().max(50).nullish(),
    activeSwitchboardIntegration: SwitchboardIntegration.nullish(),
  }),
})

const Message = z.looseObject({
  id: Id,
  received: z.string().max(40).nullish(),
  author: z.looseObject({ type: z.string().max(50) }),
  content: z.looseObject({ type: z.string().max(50), text: z.string().nullish() }),
  source: z.looseObject({ type: z.string().max(100).nullish() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  deleted: z.boolean().nullish(),
})

export type MessagingMessage = z.infer<typeof Message>

export const MessagingMessages = z.looseObject({
  messages: z.array(Message).max(200),
  meta: z.looseObject({ hasMore: z.boolean().nullish(), beforeCursor: Id.nullish() }).nullish(),
})

export const MessagingApp = z.looseObject({
  app: z.looseObject({ id: Id, displayName: z.string().max(300).nullish() }),
})

export const Switchboards = z.looseObject({
  switchboards: z.array(z.looseObject({ id: Id, enabled: z.boolean().nullish() })).max(100),
})

export const SwitchboardIntegrations = z.looseObject({
  switchboardIntegrations: z
    .array(SwitchboardIntegration.extend({ nextSwitchboardIntegrationId: Id.nullish() }))
    .max(1_000),
})

/** A delivery: of each event only its id, what it is, who wrote, and the conversation are used. */
export const MessagingHook = z.looseObject({
  events: z
    .array(
      z.looseObject({
        id: Id,
        type: z.string().max(100),
        payload: z.looseObject({
          conversation: z.looseObject({ id: Id }).nullish(),
          message: z.looseObject({ author: z.looseObject({ type: z.string().max(50) }) }).nullish(),
        }),
      }),
    )
    .max(200),
})

export type MessagingHook = z.infer<typeof MessagingHook>
