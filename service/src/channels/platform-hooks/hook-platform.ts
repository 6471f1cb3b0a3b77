import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../integrations/integrations.ts'

/** A request of a platform, as it came. */
export interface HookRequest {
  headers: Headers
  rawBody: Uint8Array
}

/** Something that a platform tells, to be handled once. */
export interface PlatformEvent<Incoming> {
  /** The platform's own id: a second delivery with it is a repetition. */
  deliveryId: string
  /** Events of one lane are handled one after the other, such as the messages of a conversation. */
  lane: string
  /** Where many lanes are busy at once, such as the threads of a channel: it keeps no other waiting. Absent: the lane itself. */
  channel?: string
  incoming: Incoming
}

export interface ReadDelivery<Incoming> {
  /** The body that the platform wants to get immediately. */
  reply: Record<string, unknown>
  /** Undefined if there is nothing to do; several, where a platform tells of several at once. */
  event?: PlatformEvent<Incoming> | readonly PlatformEvent<Incoming>[] | undefined
}

/** A request with everything that decides whether it is the platform's. */
export interface HookClaim extends HookRequest {
  /** The public address that its owner was told, for platforms that sign the address: never that which a request names. */
  hookUrl: string
  credentials: Credentials
  config: Record<string, unknown>
  now: Date
  /** For platforms that publish the keys of their proofs. */
  fetchOutbound: Outbound['fetchOutbound']
  signal: AbortSignal
}

/** How a platform proves its requests, and what they mean. */
export interface HookPlatform<Incoming> {
  /** Whether the request was made by the platform, for the integration with these credentials, now. */
  verify(given: HookClaim): boolean | Promise<boolean>
  /** Only after `verify`. Anything that it does not know is nothing to do. */
  read(given: HookRequest & { isOn: boolean }): ReadDelivery<Incoming>
}
