import { z } from 'zod'

/** Opcodes of the gateway: docs.discord.com, "Opcodes and Status Codes". */
export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
} as const

/**
 * GUILD_MESSAGES (1 << 9). It is not privileged. Without MESSAGE_CONTENT (1 << 15), which is, `content` is empty except in messages that
 * mention the app: those are all that is read ("Message Content Intent").
 */
export const INTENTS = 1 << 9

/** What comes over the connection. */
export const GatewayFrame = z.looseObject({
  op: z.int(),
  d: z.unknown().optional(),
  s: z.int().min(0).nullish(),
  t: z.string().max(100).nullish(),
})

export type GatewayFrame = z.infer<typeof GatewayFrame>

/** Discord's interval is about 41 seconds. A much shorter one would use up the 120 frames a minute that it takes. */
export const Hello = z.looseObject({ heartbeat_interval: z.number().min(500).max(600_000) })

export const Ready = z.looseObject({
  session_id: z.string().min(1).max(500),
  resume_gateway_url: z.string().max(2_000),
  user: z.looseObject({ id: z.string().regex(/^\d{1,25}$/) }),
})

/** The answer of `GET /gateway/bot`. */
export const GatewayBot = z.looseObject({
  url: z.string().max(2_000),
  session_start_limit: z.looseObject({
    remaining: z.int(),
    /** Milliseconds until all starts are there again. */
    reset_after: z.number().min(0).catch(0),
  }),
})

/** Where a connection ended, so that the next one begins there. */
export const Session = z.object({
  id: z.string(),
  /** The bot itself. */
  bot: z.string(),
  url: z.string(),
  /** Everything up to this event is stored. */
  seq: z.int(),
  /** Connections in a row that could not continue it. */
  fruitless: z.int(),
})

export type Session = z.infer<typeof Session>
