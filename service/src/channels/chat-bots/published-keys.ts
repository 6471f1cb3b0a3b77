import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { requestJson } from '../../platform/outbound/request-json.ts'

const OpenIdDocument = z.looseObject({ issuer: z.string().max(500), jwks_uri: z.string().max(2_000) })

const Keys = z.looseObject({
  keys: z
    .array(
      z.looseObject({
        kid: z.string().max(300).optional(),
        kty: z.string().max(20),
        n: z.string().max(2_000).optional(),
        e: z.string().max(20).optional(),
        endorsements: z.array(z.string().max(200)).max(200).optional(),
      }),
    )
    .max(200),
})

export interface PublishedKey {
  key: KeyObject
  /** The channels whose requests it may sign. */
  endorsements: readonly string[]
}

interface Known {
  /** When they were last tried to be read, in milliseconds. */
  at: number
  /** When they were read: keys of before serve as long as new ones cannot be had. */
  readAt: number
  isFailed: boolean
  keys: Promise<ReadonlyMap<string, PublishedKey>>
}

export interface KeyRequest {
  /** The document that names the address of the keys, and whose they are; or that address, if there is no such document. */
  from: { openIdUrl: string; issuer: string } | { keysUrl: string }
  now: Date
  fetchOutbound: Outbound['fetchOutbound']
  signal: AbortSignal
}

const TIMEOUT_MS = 10_000
const KEPT_MS = 24 * 60 * 60 * 1_000
/** Keys that cannot be read anew are used no longer than this. */
const KEPT_AT_MOST_MS = 3 * KEPT_MS
/** A key that is not known may be new; strangers must not have them fetched with each request. */
const LEAST_AGE_MS = 60_000
const MOST_ISSUERS = 20

async function read(address: string, request: KeyRequest): Promise<unknown> {
  const { status, body } = await requestJson(address, { timeoutMs: TIMEOUT_MS }, request)
  if (status !== 200) throw new Error(`The published keys could not be read (HTTP ${status}).`)
  return body
}

async function keysUrlOf(request: KeyRequest): Promise<string> {
  const { from } = request
  if ('keysUrl' in from) return from.keysUrl
  const document = OpenIdDocument.parse(await read(from.openIdUrl, request))
  // The document and its keys come from one place.
  if (
    document.issuer !== from.issuer ||
    URL.parse(document.jwks_uri)?.origin !== new URL(from.openIdUrl).origin
  )
    throw new Error('The published keys are not those of the issuer.')
  return document.jwks_uri
}

const nameOf = ({ from }: KeyRequest) => ('keysUrl' in from ? from.keysUrl : from.openIdUrl)

async function readKeys(request: KeyRequest): Promise<ReadonlyMap<string, PublishedKey>> {
  const { keys } = Keys.parse(await read(await keysUrlOf(request), request))
  const usable = keys.flatMap(({ kid, kty, n, e, endorsements = [] }): [string, PublishedKey][] =>
    kid === undefined || kty !== 'RSA' || n === undefined || e === undefined
      ? []
      : [[kid, { key: createPublicKey({ key: { kty, n, e }, format: 'jwk' }), endorsements }]],
  )
  return new Map(usable)
}

/** The keys that a platform publishes for the proofs of its requests: read at most once a minute, kept for a day, and for three if they cannot be read. */
export function createPublishedKeys() {
  const known = new Map<string, Known>()

  function load(request: KeyRequest, before?: Known): Known {
    const now = request.now.getTime()
    // Another request may wait for them when this one has ended.
    const read = readKeys({ ...request, signal: AbortSignal.timeout(2 * TIMEOUT_MS) })
    const loaded: Known = { at: now, readAt: now, isFailed: false, keys: read }
    if (before !== undefined && now - before.readAt < KEPT_AT_MOST_MS) {
      loaded.keys = read.catch(() => {
        loaded.readAt = before.readAt
        return before.keys
      })
    } else {
      read.catch(() => {
        loaded.isFailed = true
      })
    }
    if (known.size >= MOST_ISSUERS) known.clear()
    known.set(nameOf(request), loaded)
    return loaded
  }

  /** Undefined if it is not published. @throws Error if the keys cannot be read */
  return async (kid: string, request: KeyRequest): Promise<PublishedKey | undefined> => {
    const found = known.get(nameOf(request))
    const age = found === undefined ? Infinity : request.now.getTime() - found.at
    const lastsMs = found?.isFailed === true ? LEAST_AGE_MS : KEPT_MS
    const current = age > lastsMs ? load(request, found) : found
    if (current === undefined) return undefined
    const key = (await current.keys).get(kid)
    if (key !== undefined || current !== found || age < LEAST_AGE_MS) return key
    return (await load(request, found).keys).get(kid)
  }
}

export type PublishedKeys = ReturnType<typeof createPublishedKeys>
