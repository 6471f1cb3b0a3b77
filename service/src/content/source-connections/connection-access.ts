import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.ts'
import { SealError, type Sealer } from '../../platform/secrets/sealed.ts'
import { SourceFailure, type AccountAccess } from '../connectors/connectors.ts'
import type { OAuthPlatform, SourcePlatform } from './oauth-platforms.ts'
import { OAuthFailure, type OAuthApp, type OAuthRequests, type Tokens } from './oauth-requests.ts'
import {
  endRenewal,
  findConnection,
  takeRenewal,
  type SourceConnectionRow,
  type SourceConnectionsDb,
} from './source-connections-store.ts'

const Stored = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
})

const placeOf = (id: string) => ({ table: 'source_connections', row: id, column: 'sealed_tokens' })

export const sealTokens = (sealer: Sealer, id: string, tokens: Tokens): string =>
  sealer.seal(JSON.stringify(tokens), placeOf(id))

/** Undefined if they were sealed with a key that is lost. */
export function openTokens(sealer: Sealer, id: string, sealed: string): Tokens | undefined {
  try {
    const stored = Stored.parse(parseJson(sealer.open(sealed, placeOf(id))))
    return { refreshToken: undefined, expiresAt: undefined, ...stored }
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** A token that ends sooner is renewed before it is used. */
const MIN_LIFE_MS = 60_000

/** A turn of a process that died ends by itself. Longer than a request may take. */
const TURN_MS = 45_000
/** How long others wait for it, and how often they look. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 100

export interface ConnectionAccessDeps {
  db: SourceConnectionsDb
  sealer: Sealer
  requests: Pick<OAuthRequests, 'refresh'>
  now: () => Date
}

export interface ConnectedPlatform {
  id: SourcePlatform
  platform: OAuthPlatform
  /** Undefined: the operator has taken it out of the settings. */
  app: OAuthApp | undefined
}

/**
 * The access of one connection. Tokens are renewed by one at a time, of all processes: where each refresh token works once, the second
 * would end the connection.
 */
export function createConnectionAccess(
  { db, sealer, requests, now }: ConnectionAccessDeps,
  of: { knowledgeBaseId: string; id: string },
  { id: platformId, platform, app }: ConnectedPlatform,
): AccountAccess {
  const { name } = platform
  const connectAgain = `Open this source in the dashboard, and connect ${name} again.`
  const settings = `CITEWELL_CONNECT_${platformId.toUpperCase()}_CLIENT`
  const whatToDo = {
    refused: connectAgain,
    app: `The operator of this service sets ${settings}_SECRET again.`,
    unavailable: 'The next sync tries again.',
  }
  const isUsable = ({ expiresAt }: Tokens) =>
    expiresAt === undefined || expiresAt - now().getTime() > MIN_LIFE_MS

  async function stored(): Promise<{ tokens: Tokens; sealed: string; row: SourceConnectionRow }> {
    const row = await findConnection(db, of)
    const sealed = row?.sealed_tokens ?? null
    if (row === undefined || sealed === null)
      throw new SourceFailure(`The ${name} account of this source is not connected. ${connectAgain}`)
    const tokens = openTokens(sealer, of.id, sealed)
    if (tokens === undefined)
      throw new SourceFailure(`The tokens of ${name} can no longer be decrypted. ${connectAgain}`)
    return { tokens, sealed, row }
  }

  async function renewTokens(sealed: string, refreshToken: string): Promise<Tokens> {
    if (app === undefined)
      throw new SourceFailure(
        `The app for ${name} is no longer in the settings of this service (${settings}_ID). Set it again.`,
      )
    let next: { sealedTokens: string } | 'broken' | 'failed' = 'failed'
    try {
      const tokens = await requests.refresh(platform, app, refreshToken)
      next = { sealedTokens: sealTokens(sealer, of.id, tokens) }
      return tokens
    } catch (error) {
      if (!(error instanceof OAuthFailure)) throw error
      if (error.kind === 'refused') next = 'broken'
      throw new SourceFailure(`${error.message} ${whatToDo[error.kind]}`, { cause: error })
    } finally {
      await endRenewal(db, of, { sealedTokens: sealed, next, now: now() })
    }
  }

  /** A token that is valid and not `refused`; undefined: nothing newer can be had. */
  async function current(refused: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const patience = AbortSignal.timeout(PATIENCE_MS)
    for (;;) {
      signal.throwIfAborted()
      const { tokens, sealed, row } = await stored()
      if (row.status === 'broken')
        throw new SourceFailure(`${name} no longer accepts this connection. ${connectAgain}`)
      if (tokens.accessToken !== refused && isUsable(tokens)) return tokens.accessToken
      if (tokens.refreshToken === undefined)
        return tokens.accessToken === refused ? undefined : tokens.accessToken
      const turn = { sealedTokens: sealed, until: new Date(now().getTime() + TURN_MS), now: now() }
      if (await takeRenewal(db, of, turn)) return (await renewTokens(sealed, tokens.refreshToken)).accessToken
      if (patience.aborted)
        throw new SourceFailure(`The tokens of ${name} are being renewed for too long. Sync it again.`)
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  return {
    account: of.id,
    origins: platform.apiOrigins,
    token: async (signal) => {
      const token = await current(undefined, signal)
      if (token === undefined) throw new SourceFailure(`There is no token of ${name}. ${connectAgain}`)
      return token
    },
    renew: async (refused, signal) => await current(refused, signal),
  }
}
