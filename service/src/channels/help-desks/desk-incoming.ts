import { z } from 'zod'

/** The longest id of a ticket. */
const MAX_TICKET_ID = 200

/** Something happened to a ticket. What happened is read from the help desk: what a delivery says of it is not used. */
export const DeskIncoming = z.object({
  kind: z.literal('ticket'),
  ticketId: z.string().min(1).max(MAX_TICKET_ID),
})

export type DeskIncoming = z.infer<typeof DeskIncoming>

/** What has to be posted to a help desk, and what it is based on. */
export const DeskPost = z.object({
  ticketId: z.string(),
  etag: z.string(),
  act: z.discriminatedUnion('do', [
    z.object({ do: z.literal('reply'), text: z.string() }),
    z.object({ do: z.literal('note'), text: z.string() }),
    z.object({ do: z.literal('hand_over'), to: z.string(), text: z.string() }),
    z.object({ do: z.literal('mark'), mark: z.literal('unanswered') }),
    z.object({ do: z.literal('open'), subject: z.string(), text: z.string() }),
  ]),
})

export type DeskPost = z.infer<typeof DeskPost>
