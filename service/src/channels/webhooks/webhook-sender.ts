import { createSlots, type SlotLimits } from './delivery-slots.ts'
import { postDelivery, type PostDeps } from './post-delivery.ts'
import {
  claimDeliveries,
  finishDelivery,
  markLostAsUnknown,
  cancelStale,
  type ClaimedDelivery,
  type SendQueueDb,
} from './send-queue-store.ts'

export interface WebhookSenderDeps extends PostDeps {
  db: SendQueueDb
  slots: SlotLimits
}

// A slot is an open socket, which is cheap; the webhooks of one base cannot fill all slots.
export const DEFAULT_SLOTS: SlotLimits = { perOrigin: 4, inAll: 1_000 }

/** The timeout of a receiver is 10 s: an attempt without an outcome after this time has lost its process. */
export const LOST_AFTER_SECONDS = 30

/** A delivery that waits longer than this behind others is outdated. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1_000

/** Grace period for in-flight attempts when the service stops. */
const DRAIN_MS = 2_000

export interface WebhookSender {
  /** Sends pending deliveries as far as slots are free. Called when something was recorded; every worker also calls `recover`. */
  wake(): void
  /** Gives up on attempts that a crash interrupted, and sends what is pending. Pass 0 if no other process can be at work. */
  recover(lostAfterSeconds: number): Promise<void>
  /** Claims nothing more; in-flight attempts get two seconds, and count as unknown after that. */
  stop(): Promise<void>
}

/**
 * Sends deliveries, each at most once: a delivery is marked before it is sent, and is never sent again if the mark is found after a crash.
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { db, now, report } = deps
  const slots = createSlots(deps.slots)
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const ending = new AbortController()
  let pumping: Promise<void> | undefined
  let isAskedAgain = false

  async function send(delivery: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await postDelivery(delivery, deps, stopping.signal)
      await finishDelivery(db, delivery, outcome, now())
    } catch (fault) {
      report(fault, 'storing the outcome of a webhook delivery')
    } finally {
      slots.release(delivery.origin)
      wake()
    }
  }

  async function pump(): Promise<void> {
    while (!ending.signal.aborted && !slots.isFull()) {
      const taken: string[] = []
      const take = (origin: string) => {
        const isTaken = slots.take(origin)
        if (isTaken) taken.push(origin)
        return isTaken
      }
      let found
      try {
        found = await claimDeliveries(db, { busyOrigins: slots.busyOrigins(), take, now: now() })
      } catch (fault) {
        for (const origin of taken) slots.release(origin)
        throw fault
      }
      for (const delivery of found.claimed) {
        const sending = send(delivery)
        inFlight.add(sending)
        void sending.finally(() => inFlight.delete(sending))
      }
      if (found.isEmpty) return
    }
  }

  function wake(): void {
    if (ending.signal.aborted) return
    if (pumping !== undefined) {
      isAskedAgain = true
      return
    }
    pumping = pump()
      .catch((fault: unknown) => report(fault, 'looking for webhook deliveries'))
      .finally(() => {
        pumping = undefined
        if (!isAskedAgain) return
        isAskedAgain = false
        wake()
      })
  }

  async function recover(lostAfterSeconds: number): Promise<void> {
    const time = now()
    await markLostAsUnknown(db, new Date(time.getTime() - lostAfterSeconds * 1_000), time)
    await cancelStale(db, new Date(time.getTime() - STALE_AFTER_MS), time)
    wake()
  }

  async function stop(): Promise<void> {
    ending.abort()
    const timer = setTimeout(() => stopping.abort(new Error('The service is shutting down.')), DRAIN_MS)
    await pumping
    await Promise.all(inFlight)
    clearTimeout(timer)
  }

  return { wake, recover, stop }
}
