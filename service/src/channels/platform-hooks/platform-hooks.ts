import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { isStorableText, storableJson } from '../../kernel/storable-text.ts'
import { DAY_MS } from '../../kernel/duration.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { RawGate } from '../../platform/http/endpoint.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { createRowQueue } from '../../platform/jobs/row-queue.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { openedOrNothing, type SealedPlace, type Sealer } from '../../platform/secrets/sealed.ts'
import { findIntegrationById, openCredentials, type IntegrationRow } from '../integrations/integrations.ts'
import { addressOfHook } from './address-of-hook.ts'
import type { HookClaim, HookPlatform, HookRequest, PlatformEvent } from './hook-platform.ts'
import {
  claimEvents,
  deleteOldEvents,
  insertEvent,
  noteLiveReply,
  readHookBase,
  releaseAbandoned,
  settleEvent,
  type ClaimedEvent,
  type PlatformEventsDb,
} from './platform-events-store.ts'
import { createUnstoredLanes } from './unstored-lanes.ts'

export type { HookClaim, HookPlatform, HookRequest, PlatformEvent, ReadDelivery } from './hook-platform.ts'
export { addressOfHook } from './address-of-hook.ts'
export { isRecent, isSigned } from './signed-request.ts'
export { createUnstoredLanes } from './unstored-lanes.ts'
export { readHookBase } from './platform-events-store.ts'

/** A proven request of a platform, and the integration that it is for. */
export interface VerifiedDelivery<Incoming> extends HookRequest {
  integration: IntegrationRow
  platform: HookPlatform<Incoming>
}

/** An event to be handled. */
export interface TakenEvent<Incoming> {
  knowledgeBaseId: string
  integrationId: string
  incoming: Incoming
  /** False with zero retention: nothing of it may be stored. */
  isKept: boolean
  /** What the platform shows of the answer while it is written. */
  live: {
    /** What it is called. Empty: one was begun, and it is not known what it is called. Undefined: nothing was begun. */
    readonly ref: string | undefined
    /** Returns whether this process still has the event. */
    note(ref: string): Promise<boolean>
  }
  /**
   * Marks it as handled. Call it in the transaction that records what follows from it: then both happen, or neither.
   *
   * @throws Error if another process has taken the event over
   */
  finish(transaction: PlatformEventsDb): Promise<void>
}

export interface PlatformHooksDeps<Incoming> {
  db: PlatformEventsDb
  sealer: Sealer
  outbound: Pick<Outbound, 'fetchOutbound'>
  /** The address of this service, as its operator set it. */
  publicUrl: () => string
  now: () => Date
  newId: () => string
  /** Undefined for an integration that no platform is connected to: it takes nothing. */
  platformOf: (integration: IntegrationRow) => HookPlatform<Incoming> | undefined
  /** What an event may be: what was stored is validated again. */
  schema: z.ZodType<Incoming>
  handle: (event: TakenEvent<Incoming>, signal: AbortSignal) => Promise<void>
  /** Called after an event was given up: it will not be handled again. */
  givenUp: (event: TakenEvent<Incoming>) => Promise<void>
  report: (fault: unknown, doing: string) => void
}

/** Longer than any answer takes; after this time a process that handles an event has died. */
export const EVENT_ABANDONED_AFTER_SECONDS = 300

/** An event that fails this often is given up. */
const MAX_ATTEMPTS = 3
/** Answers written at a time, over all platforms: each waits for its model most of the time. */
const AT_ONCE = 40
/** Of one channel: ten busy channels leave each other room. */
const MOST_OF_A_CHANNEL = 4
/** Events in memory that may not be stored: what one process can answer in a few minutes. */
const MOST_UNSTORED = 200
const DRAIN_MS = 2_000
/** After an outage: who asked an hour ago has given up, too. */
const STALE_AFTER_MS = 60 * 60 * 1_000
/** Platforms repeat a delivery for an hour, and a signature is valid for five minutes. */
const KEPT_DAYS = 7
const MAX_ID_LENGTH = 200

const refused = () => new Refusal('UNAUTHENTICATED', { because: 'The proof of this request is not valid.' })

/** A short id as it is; a long one by its hash. */
const bounded = (id: string) =>
  id.length <= MAX_ID_LENGTH && isStorableText(id) ? id : createHash('sha256').update(id).digest('hex')

/**
 * Takes what platforms deliver: verified, stored, acknowledged, and handled afterwards. A delivery that comes again is acknowledged and
 * nothing else.
 */
export function createPlatformHooks<Incoming>(deps: PlatformHooksDeps<Incoming>) {
  const { db, sealer, outbound, publicUrl, now, newId, platformOf, schema, handle, givenUp, report } = deps

  const bodyPlace = (integrationId: string, deliveryId: string): SealedPlace => ({
    table: 'platform_events',
    row: `${integrationId} ${deliveryId}`,
    column: 'sealed_body',
  })

  /** What cannot be checked is not proven. */
  async function isProven(platform: HookPlatform<Incoming>, claim: HookClaim): Promise<boolean> {
    try {
      return await platform.verify(claim)
    } catch (fault) {
      report(fault, 'checking the proof of a platform')
      return false
    }
  }

  /** 401 without a reason, whatever is wrong: strangers do not learn which integrations there are. */
  const gate: RawGate<VerifiedDelivery<Incoming>> = async ({ params, request, rawBody, signal }) => {
    const integration = await findIntegrationById(db, String(params['integration_id']))
    const platform = integration === undefined ? undefined : platformOf(integration)
    const credentials = integration && openedOrNothing(() => openCredentials(sealer, integration))
    if (integration === undefined || platform === undefined || credentials === undefined) throw refused()
    const { headers } = request
    const { fetchOutbound } = outbound
    const { config } = integration
    const hookUrl = addressOfHook(publicUrl(), integration.id)
    const claim = { headers, rawBody, hookUrl, credentials, config, now: now(), fetchOutbound, signal }
    if (!(await isProven(platform, claim))) throw refused()
    return { headers, rawBody, integration, platform }
  }

  const claimedOf = (row: Parameters<typeof insertEvent>[1], claim: string): ClaimedEvent => ({
    ...row,
    claim,
  })

  /** Stores an event, and has it handled, unless it is a repetition. */
  async function take(
    integration: IntegrationRow,
    event: PlatformEvent<Incoming>,
    base: { keepsNothing: boolean },
  ): Promise<void> {
    const deliveryId = bounded(event.deliveryId)
    const body = storableJson(event.incoming)
    const claim = newId()
    const row = {
      knowledge_base_id: integration.knowledge_base_id,
      integration_id: integration.id,
      delivery_id: deliveryId,
      lane: bounded(event.lane),
      channel: bounded(event.channel ?? event.lane),
      sealed_body: base.keepsNothing ? null : sealer.seal(body, bodyPlace(integration.id, deliveryId)),
      // What may not be stored stays with the process that received it.
      status: base.keepsNothing ? ('handling' as const) : ('received' as const),
      attempts: base.keepsNothing ? 1 : 0,
      claim: base.keepsNothing ? claim : null,
      claimed_at: base.keepsNothing ? now() : null,
      error: null,
      live_ref: null,
      received_at: now(),
      updated_at: now(),
    }
    if (!(await insertEvent(db, row))) return
    if (base.keepsNothing) await beginUnstored(claimedOf(row, claim), schema.parse(parseJson(body)))
    else queue.wake()
  }

  /** Takes a proven delivery. Returns the body for the platform. */
  async function receive(delivery: VerifiedDelivery<Incoming>): Promise<Record<string, unknown>> {
    const { integration, platform, headers, rawBody } = delivery
    const base = await readHookBase(db, integration.knowledge_base_id)
    const isOn = integration.enabled && base.isActive
    const { reply, event } = platform.read({ headers, rawBody, isOn })
    // If the process ends in between, the platform tells again, and those that were taken are repetitions.
    if (isOn) for (const one of [event ?? []].flat()) await take(integration, one, base)
    return reply
  }

  /** Takes what came over a connection that this service opened. */
  async function takeHeard(integrationId: string, event: PlatformEvent<Incoming>): Promise<void> {
    const integration = await findIntegrationById(db, integrationId)
    if (integration?.enabled !== true) return
    const base = await readHookBase(db, integration.knowledge_base_id)
    if (base.isActive) await take(integration, event, base)
  }

  const unstored = createUnstoredLanes({
    atOnce: AT_ONCE,
    mostOfAChannel: MOST_OF_A_CHANNEL,
    most: MOST_UNSTORED,
  })
  const ending = new AbortController()

  async function beginUnstored(event: ClaimedEvent, incoming: Incoming): Promise<void> {
    const { integration_id: id, lane, channel } = event
    const isTaken = unstored.add({ lane: `${id} ${lane}`, channel: `${id} ${channel}` }, () =>
      workUnstored(event, incoming).catch((fault) => report(fault, 'settling an event of a platform')),
    )
    if (isTaken) return
    await settleEvent(db, event, { status: 'failed', error: 'Too many events were waiting.', now: now() })
  }

  async function workUnstored(event: ClaimedEvent, incoming: Incoming): Promise<void> {
    // By then another process may have given it up.
    if (now().getTime() - event.received_at.getTime() > EVENT_ABANDONED_AFTER_SECONDS * 1_000) {
      await settleEvent(db, event, { status: 'failed', error: 'It waited too long.', now: now() })
      return
    }
    const given = taken(event, incoming, false)
    try {
      ending.signal.throwIfAborted()
      await handle(given, ending.signal)
    } catch (fault) {
      await giveUp(event, given, 'It could not be handled.')
      report(fault, 'handling an event of a platform')
    }
  }

  function taken(event: ClaimedEvent, incoming: Incoming, isKept: boolean): TakenEvent<Incoming> {
    const live: { ref: string | undefined; note: (ref: string) => Promise<boolean> } = {
      ref: event.live_ref ?? undefined,
      note: async (ref: string) => {
        const isOurs = await noteLiveReply(db, event, ref, now())
        if (isOurs) live.ref = ref
        return isOurs
      },
    }
    return {
      knowledgeBaseId: event.knowledge_base_id,
      integrationId: event.integration_id,
      incoming,
      isKept,
      live,
      finish: async (transaction) => {
        if (await settleEvent(transaction, event, { status: 'done', now: now() })) return
        throw new Error('The event was taken over by another process.')
      },
    }
  }

  /** Marks an event as failed for good; then nobody else handles it. */
  async function giveUp(event: ClaimedEvent, given: TakenEvent<Incoming>, error: string): Promise<void> {
    if (!(await settleEvent(db, event, { status: 'failed', error, now: now() }))) return
    await givenUp(given).catch((fault: unknown) => report(fault, 'ending an event of a platform'))
  }

  function incomingOf({ integration_id, delivery_id, sealed_body }: ClaimedEvent): Incoming | undefined {
    if (sealed_body === null) return undefined
    const place = bodyPlace(integration_id, delivery_id)
    const opened = openedOrNothing(() => sealer.open(sealed_body, place))
    return opened === undefined ? undefined : schema.safeParse(parseJson(opened)).data
  }

  async function work(event: ClaimedEvent, signal: AbortSignal): Promise<void> {
    const isStale = now().getTime() - event.received_at.getTime() > STALE_AFTER_MS
    const incoming = incomingOf(event)
    if (incoming === undefined) {
      const error = 'Its stored form cannot be read.'
      await settleEvent(db, event, { status: 'failed', error, now: now() })
      return
    }
    const given = taken(event, incoming, true)
    if (isStale) return await giveUp(event, given, 'It waited too long.')
    try {
      await handle(given, signal)
    } catch (fault) {
      const isLast = !signal.aborted && event.attempts >= MAX_ATTEMPTS
      if (isLast) await giveUp(event, given, 'It could not be handled.')
      else await settleEvent(db, event, { status: 'received', now: now() })
      if (!signal.aborted) report(fault, 'handling an event of a platform')
    }
  }

  const queue = createRowQueue<ClaimedEvent>({
    claim: (most) => claimEvents(db, { most, mostOfAChannel: MOST_OF_A_CHANNEL, claim: newId(), now: now() }),
    work,
    atOnce: AT_ONCE,
    drainMs: DRAIN_MS,
    report,
    doing: 'handling an event of a platform',
  })

  const upkeep: Job = {
    name: 'forget-platform-events',
    schedule: '37 * * * *',
    handle: async () => {
      await deleteOldEvents(db, new Date(now().getTime() - KEPT_DAYS * DAY_MS))
    },
  }

  return {
    gate,
    receive,
    takeHeard,
    jobs: [upkeep],
    /** Handles what a crash interrupted, and what waits. Pass 0 if no other process can be at work. */
    recover: async (abandonedAfterSeconds: number): Promise<void> => {
      await releaseAbandoned(db, new Date(now().getTime() - abandonedAfterSeconds * 1_000), now())
      queue.wake()
    },
    stop: async (): Promise<void> => {
      ending.abort(new Error('The service is shutting down.'))
      await queue.stop()
      await unstored.drained()
    },
  }
}

export type PlatformHooks<Incoming> = ReturnType<typeof createPlatformHooks<Incoming>>
