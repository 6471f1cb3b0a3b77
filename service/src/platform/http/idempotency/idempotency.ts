import { setTimeout as delay } from 'node:timers/promises'
import { parseJson } from '../../../kernel/json.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Sealer } from '../../secrets/sealed.ts'
import { claimKey, findRequest, forgetRequest, keepAnswer, type IdempotencyDb } from './idempotency-store.ts'
import { bodyHashOf, requestHashOf, type KeyedRequest } from './request-hash.ts'

export interface IdempotencyDeps {
  db: IdempotencyDb
  sealer: Sealer
  now: () => Date
  /** An answer that could not be kept: its request is done all the same. */
  report: (fault: unknown, doing: string) => void
}

export interface Done {
  value: unknown
  /** An earlier request did it; this is its answer again. */
  isReplay: boolean
}

/** How long an answer is kept for the same key. */
const KEPT_MS = 24 * 3_600_000

/** How long a request waits for an earlier one with its key. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 25

const place = (id: string) => ({ table: 'idempotent_requests', row: id, column: 'sealed_answer' })

const header = 'Idempotency-Key'

/** Makes a request that names a key happen once, however often, and in how many processes at once, it is sent. */
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
      await keepAnswer(db, id, sealer.seal(JSON.stringify(value), place(id)))
    } catch (error) {
      report(error, 'keeping the answer of a request with an idempotency key')
    }
    return { value, isReplay: false }
  }

  /** The answer that an earlier request with this key got; undefined where it was refused, and so did nothing. */
  async function earlier(id: string, bodyHash: string, signal: AbortSignal): Promise<Done | undefined> {
    const givenUpAt = performance.now() + WAIT_MS
    for (;;) {
      const request = await findRequest(db, id)
      if (request === undefined) return undefined
      if (request.body_hash !== bodyHash) {
        throw new Refusal('CONFLICT', { because: `This ${header} was already used with another body.` })
      }
      if (request.sealed_answer !== null) {
        return { value: parseJson(sealer.open(request.sealed_answer, place(id))), isReplay: true }
      }
      if (performance.now() > givenUpAt) {
        // Its process may have died between doing and saying so: only a look at what is there can tell.
        throw new Refusal('CONFLICT', {
          because: `An earlier request with this ${header} has not been answered. Look whether it took effect, then use another key.`,
        })
      }
      await delay(LOOK_EVERY_MS, undefined, { signal })
    }
  }

  return {
    /**
     * Runs it, or gives the answer of the request that already did.
     *
     * @throws Refusal CONFLICT where the key came with another body, or the first request does not end
     */
    once: async (request: KeyedRequest, signal: AbortSignal, run: () => Promise<unknown>): Promise<Done> => {
      const id = requestHashOf(request)
      const bodyHash = bodyHashOf(request.body)
      for (;;) {
        const time = now()
        const claim = { id, bodyHash, now: time, forgottenBefore: new Date(time.getTime() - KEPT_MS) }
        if (await claimKey(db, claim)) return await first(id, run)
        const done = await earlier(id, bodyHash, signal)
        if (done !== undefined) return done
      }
    },
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>
