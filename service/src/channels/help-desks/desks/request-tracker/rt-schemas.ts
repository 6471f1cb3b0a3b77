import { z } from 'zod'

/** RT gives ids as numbers in some places and as strings in others. */
const Id = z.union([z.int(), z.string().max(300)]).transform(String)

const Reference = z.looseObject({ id: Id })

const Time = z.string().max(40)

export const RtTickets = z.looseObject({
  items: z.array(z.looseObject({ id: Id, LastUpdated: Time.nullish() })).max(1_000),
})

export const RtTicket = z.looseObject({
  id: Id,
  Subject: z.string().nullish(),
  Status: z.string().max(200).nullish(),
  Queue: z.looseObject({ id: Id, Name: z.string().max(300).nullish() }).nullish(),
  Requestor: z.array(Reference).max(1_000).nullish(),
})

export const RtHistory = z.looseObject({
  items: z
    .array(z.looseObject({ id: Id, Type: z.string().max(100), Creator: Reference.nullish() }))
    .max(1_000),
})

export const RtAttachments = z.looseObject({
  items: z
    .array(
      z.looseObject({
        ContentType: z.string().max(300).nullish(),
        Content: z.string().nullish(),
        Headers: z.string().nullish(),
        Filename: z.string().nullish(),
      }),
    )
    .max(1_000),
})

/** A user or a queue. */
export const RtNamed = z.looseObject({ id: Id })
