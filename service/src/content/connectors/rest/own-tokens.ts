import { z } from 'zod'
import { OutboundFailure } from '../../../platform/outbound/outbound-failure.ts'
import { SourceFailure, type AccountAccess } from '../connector.ts'
import type { ApiDeps } from './api-connector.ts'

/** How an application gets tokens with its own credentials, without a person (RFC 6749, 4.4; RFC 7523). */
export interface OwnTokens {
  /** Names the application, for what is shared by all that use it. */
  account: string
  /** The name of the product, for messages. */
  name: string
  tokenUrl: string
  /** Where the tokens are sent. */
  origins: readonly string[]
  /** The fields of a request, made anew for each: an assertion is of its moment. */
  fields: () => Record<string, string>
  /** What to do if it is refused: a sentence for the owner. */
  ifRefused: string
}

const MAX_BYTES = 65_536
const TIMEOUT_MS = 15_000
/** A token that ends sooner is renewed before it is used. */
const MIN_LIFE_MS = 60_000
/** Of a token whose end is not told. */
const USUAL_LIFE_SECONDS = 600

const Answer = z.object({
  access_token: z
    .string()
    .max(20_000)
    .regex(/^[\x20-\x7E]+$/),
  expires_in: z.coerce.number().min(0).max(1e9).optional(),
})
const Failure = z.object({ error: z.string().max(200), error_description: z.string().max(2_000).optional() })

/** Access with tokens that an application asks for itself, kept for one reading. */
export function ownTokens(deps: Pick<ApiDeps, 'outbound' | 'now'>, given: OwnTokens): AccountAccess {
  let kept: { token: string; until: number } | undefined

  async function ask(signal: AbortSignal): Promise<string> {
    const asked = deps.now()
    let text: string
    let status: number
    try {
      const response = await deps.outbound.fetchOutbound(given.tokenUrl, {
        chosenBy: 'customer',
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(given.fields()).toString(),
        signal,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        followRedirects: false,
      })
      status = response.status
      text = await response.text()
    } catch (cause) {
      if (!(cause instanceof OutboundFailure)) throw cause
      throw new SourceFailure(`${given.name} could not be asked for a token: ${cause.message}`, { cause })
    }
    const answer = parsed(text)
    const tokens = Answer.safeParse(answer)
    if (tokens.success) {
      const { access_token: token, expires_in: seconds = USUAL_LIFE_SECONDS } = tokens.data
      kept = { token, until: asked + seconds * 1_000 }
      return token
    }
    // What it says then is about itself, and not about the credentials.
    const isItsFault = status >= 500 || status === 429
    const refusal = Failure.safeParse(isItsFault ? undefined : answer)
    const why = refusal.success
      ? ` (${(refusal.data.error_description ?? refusal.data.error)
          .replaceAll(/[\p{C}\s]+/gu, ' ')
          .slice(0, 300)
          .replace(/[.]$/, '')})`
      : ''
    throw new SourceFailure(
      refusal.success
        ? `${given.name} does not accept the credentials of this source${why}. ${given.ifRefused}`
        : `${given.name} answered ${isItsFault ? `${status} instead of` : 'something else than'} a token. Sync it again.`,
    )
  }

  return {
    account: given.account,
    origins: given.origins,
    token: async (signal) =>
      kept !== undefined && kept.until - deps.now() > MIN_LIFE_MS ? kept.token : await ask(signal),
    renew: async (refused, signal) => {
      if (kept !== undefined && kept.token !== refused) return kept.token
      return await ask(signal)
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
