import { setTimeout as delay } from 'node:timers/promises'
import { parseJson } from '../../../kernel/json.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Sealer } from '../../secrets/sealed.ts'
import {
  claimKey,
  findRequest,
  forgetRequest,
  storeResponse,
  type IdempotencyDb,
} from './idempotency-store.ts'
import { bodyHashOf, requestHashOf, type KeyedRequest } from './request-hash.ts'

export interface IdempotencyDeps {
  db: IdempotencyDb
  sealer: Sealer
  now: () => Date
  /** Called when a response could not be stored; its request has taken effect nevertheless. */
  report: (fault: unknown, doing: string) => void
}

export interface Done {
  value: unknown
  /** The response is that of an earlier request. */
  isReplay: boolean
}

/** How long a response is kept for the same key. */
const RETENTION_MS = 24 * 3_600_000

/** How long a request waits for an earlier one with the same key. */
const WAIT_MS = 10_000
const POLL_MS = 25

const place = (id: string) => ({ table: 'idempotent_requests', row: id, column: 'sealed_answer' })

const header = 'Idempotency-Key'

/** Makes a request with an idempotency key take effect once, however often and to however many processes it is sent. */
export function createIdempotency({ db, sealer, now, report }: IdempotencyDeps) {
  async function first(id: string, run: () => Promise<unknown>): Promise<Done> {
    let value: unknown
    try {
      value = await run()
    } catch (error) {
      await forgetRequest(db, id)
      throw error
    }
    try {
      await storeResponse(db, id, sealer.seal(JSON.stringify(value), place(id)))
    } catch (error) {
      report(error, 'storing the response to a request with an idempotency key')
    }
    return { value, isReplay: false }
  }

  /** The response to an earlier request with this key; undefined if it was refused and so did nothing. */
  async function earlier(id: string, bodyHash: string, signal: AbortSignal): Promise<Done | undefined> {
    const givenUpAt = performance.now() + WAIT_MS
    for (;;) {
      const request = await findRequest(db, id)
      if (request === undefined) return undefined
      if (request.body_hash !== bodyHash)
        throw new Refusal('CONFLICT', { because: `This ${header} was already used with another body.` })
      if (request.sealed_answer !== null)
        return { value: parseJson(sealer.open(request.sealed_answer, place(id))), isReplay: true }
      if (performance.now() > givenUpAt) {
        // Its process may have died after the work and before storing the response: only the caller can check.
        throw new Refusal('CONFLICT', {
          because: `An earlier request with this ${header} has not been answered. Check whether it took effect, then use another key.`,
        })
      }
      await delay(POLL_MS, undefined, { signal })
    }
  }

  return {
    /**
     * Runs a request, or returns the response of the earlier request with its key.
     *
     * @throws Refusal CONFLICT if the key was used with another body, or the earlier request does not finish
     */
    once: async (request: KeyedRequest, signal: AbortSignal, run: () => Promise<unknown>): Promise<Done> => {
      const id = requestHashOf(request)
      const bodyHash = bodyHashOf(request.body)
      for (;;) {
        const time = now()
        const claim = { id, bodyHash, now: time, forgottenBefore: new Date(time.getTime() - RETENTION_MS) }
        if (await claimKey(db, claim)) return await first(id, run)
        const done = await earlier(id, bodyHash, signal)
        if (done !== undefined) return done
      }
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>
