import { createHash, randomBytes } from 'node:crypto'
import { CONNECTED_TYPES } from '@citewell/contract/source-configs'
import type { SOURCE_PLATFORMS } from '@citewell/contract/closed-lists'
import { createBaseRecords, createRecordBases } from '../../accounts/base-records/base-records.ts'
import type { BaseHooks, KnowledgeBases } from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import type { AccountAccess } from '../connectors/connectors.ts'
import { createConnectionAccess, openTokens, sealTokens } from './connection-access.ts'
import { OAUTH_PLATFORMS, type OAuthPlatform, type SourcePlatform } from './oauth-platforms.ts'
import {
  addressFor,
  createOAuthRequests,
  OAuthFailure,
  type OAuthApp,
  type OAuthRequestsDeps,
} from './oauth-requests.ts'
import {
  deleteConnection,
  deleteForgotten,
  findConnection,
  insertConnection,
  setState,
  storeTokens,
  takeState,
  type SourceConnectionRow,
  type SourceConnectionsDb,
} from './source-connections-store.ts'

export type { SourceConnectionRow } from './source-connections-store.ts'

/** The apps of the operator, by platform. */
export type OAuthApps = Partial<Record<SourcePlatform, OAuthApp>>

export const sourceConnectionHooks: BaseHooks = {
  // By its platform: an account is named by a person's e-mail address, which the activity log would keep for ever.
  records: [{ noun: 'source-connections', table: 'source_connections', name: 'platform' }],
}

export interface SourceConnectionsDeps extends Pick<OAuthRequestsDeps, 'outbound'> {
  db: SourceConnectionsDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  sealer: Sealer
  apps: OAuthApps
  /** See `Surroundings`: of `accounts.google.com` and other hosts, where they are instead. */
  apiOrigins: Partial<Record<string, string>>
  publicUrl: () => string
  newId: () => string
  now: () => Date
}

/** How long a person may take at the platform. */
const STATE_MINUTES = 10
/** A connection that nobody has allowed is forgotten after this long. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000

const verifierPlace = (id: string) => ({ table: 'source_connections', row: id, column: 'sealed_verifier' })

/** A connecting that began: where the browser goes next. */
export interface StartedRow {
  row: SourceConnectionRow
  authorizeUrl: string
}

/** What a browser came back with. */
export interface CameBack {
  platform: string
  state: string
  code: string | undefined
  /** The platform's own reason if there is no code. */
  error: string | undefined
}

const PLATFORMS = Object.entries(OAUTH_PLATFORMS) as [SourcePlatform, OAuthPlatform][]

/** Accounts at other platforms that sources are read with. */
export function createSourceConnections(deps: SourceConnectionsDeps) {
  const { db, knowledgeBases, sealer, apps, apiOrigins, publicUrl, newId, now } = deps
  const placed = (address: string) => {
    const { host, pathname, search } = new URL(address)
    const origin = apiOrigins[host]
    return origin === undefined ? address : `${origin}${pathname}${search}`
  }
  const requests = createOAuthRequests({ outbound: deps.outbound, now: () => now().getTime(), placed })
  const records = {
    db,
    knowledgeBases,
    newId,
    now,
    table: 'source_connections',
    noun: 'connected account',
  } as const
  const bases = createRecordBases(records)
  const { list, get } = createBaseRecords(records)
  const redirectUrl = (platform: string) => `${publicUrl()}/connect-source/${platform}`

  function platformOf(id: string): { platform: OAuthPlatform; app: OAuthApp | undefined } | undefined {
    const found = PLATFORMS.find(([name]) => name === id)
    return found === undefined ? undefined : { platform: found[1], app: apps[found[0]] }
  }

  function requireApp(id: string): { platform: OAuthPlatform; app: OAuthApp } {
    const found = platformOf(id)
    if (found?.app !== undefined) return { platform: found.platform, app: found.app }
    throw new Refusal('CONFLICT', {
      because: `This service has no app for ${found?.platform.name ?? id}. Its operator sets CITEWELL_CONNECT_${id.toUpperCase()}_CLIENT_ID and CITEWELL_CONNECT_${id.toUpperCase()}_CLIENT_SECRET.`,
    })
  }

  /** Whom the platform sends back: a token has no browser. */
  function sessionOf(caller: Caller): string {
    if (caller.session !== undefined) return caller.session.id
    throw new Refusal('CONFLICT', {
      because: 'An account is connected in the dashboard, by a member who is signed in with a browser.',
    })
  }

  async function begin(caller: Caller, of: { knowledgeBaseId: string; id: string }, platformId: string) {
    const sessionId = sessionOf(caller)
    const { platform, app } = requireApp(platformId)
    const [state, verifier] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url'))
    if (state === undefined || verifier === undefined) throw new Error('There is no randomness.')
    const begun = {
      stateHash: hashSecret(state),
      sealedVerifier: sealer.seal(verifier, verifierPlace(of.id)),
      sessionId,
      until: new Date(now().getTime() + STATE_MINUTES * 60_000),
    }
    const row = await setState(db, of, begun, now())
    if (row === undefined) throw bases.notFound()
    const address = new URL(placed(addressFor(platform.authorizeUrl, app)))
    const parameters = {
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUrl(platformId),
      ...(platform.scopes.length > 0 && { scope: platform.scopes.join(platform.scopeSeparator) }),
      state,
      ...platform.authorizeParameters,
      ...(platform.hasPkce && {
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }),
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return { row, authorizeUrl: address.href } satisfies StartedRow
  }

  return {
    list,
    get,
    /** The platforms whose accounts can be connected, if the operator has set an app. */
    platforms: async (caller: Caller, knowledgeBaseId: string) => {
      await knowledgeBases.open(caller, knowledgeBaseId, 'member')
      return PLATFORMS.map(([platform, { name }]) => ({
        platform,
        name,
        is_set_up: apps[platform] !== undefined,
        redirect_url: redirectUrl(platform),
      }))
    },
    /** Begins to connect an account. */
    start: async (
      caller: Caller,
      knowledgeBaseId: string,
      { platform }: { platform: (typeof SOURCE_PLATFORMS)[number] },
    ): Promise<StartedRow> => {
      const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
      sessionOf(caller)
      requireApp(platform)
      const of = { knowledgeBaseId: base.id, id: newId() }
      await deleteForgotten(db, base.id, new Date(now().getTime() - FORGOTTEN_MS))
      await insertConnection(db, of, { platform, now: now() })
      return await begin(caller, of, platform)
    },
    /** Begins to connect it again; its sources keep it. */
    restart: async (caller: Caller, id: string): Promise<StartedRow> => {
      const base = await bases.openActive(caller, id, 'config')
      const row = await findConnection(db, { knowledgeBaseId: base.id, id })
      if (row === undefined) throw bases.notFound()
      return await begin(caller, { knowledgeBaseId: base.id, id }, row.platform)
    },
    /**
     * Finishes what `start` or `restart` began, in the browser that comes back.
     *
     * @throws Refusal BAD_REQUEST if it was not begun by this session, was finished already, or took too long; and if the platform refused
     */
    finish: async (caller: Caller, { platform: id, state, code, error }: CameBack): Promise<string> => {
      const taken =
        caller.session === undefined
          ? undefined
          : await takeState(db, {
              stateHash: hashSecret(state),
              sessionId: caller.session.id,
              platform: id,
              now: now(),
            })
      if (taken === undefined)
        throw new Refusal('BAD_REQUEST', {
          because:
            'This was not begun in this browser, was finished already, or took too long. Connect the account again.',
        })
      const { connection, sealedVerifier } = taken
      // The right to change the base may have been taken away meanwhile.
      const base = await knowledgeBases.openActive(caller, connection.knowledge_base_id, 'config')
      const { platform, app } = requireApp(id)
      if (code === undefined)
        throw new Refusal('BAD_REQUEST', {
          because:
            error === 'access_denied'
              ? `It was not allowed at ${platform.name}. Nothing is connected.`
              : `${platform.name} did not connect the account (${(error ?? 'no reason').replaceAll(/[^\w .-]/g, '').slice(0, 100)}).`,
        })
      try {
        const tokens = await requests.exchange(platform, app, {
          code,
          verifier: sealer.open(sealedVerifier, verifierPlace(connection.id)),
          redirectUrl: redirectUrl(id),
        })
        const account = (await requests.accountOf(platform, tokens)) ?? null
        const sealedTokens = sealTokens(sealer, connection.id, tokens)
        const of = { knowledgeBaseId: base.id, id: connection.id }
        if (!(await storeTokens(db, of, { sealedTokens, account, now: now() }))) throw bases.notFound()
        return account === null ? platform.name : `${platform.name} (${account})`
      } catch (fault) {
        if (!(fault instanceof OAuthFailure)) throw fault
        throw new Refusal('BAD_REQUEST', { because: fault.message, cause: fault })
      }
    },
    /** Disconnects it: the platform is asked to take it back, and the tokens are forgotten whatever it says. */
    remove: async (caller: Caller, id: string): Promise<void> => {
      const base = await bases.open(caller, id, 'config')
      const row = await deleteConnection(db, { knowledgeBaseId: base.id, id })
      const found = row === undefined ? undefined : platformOf(row.platform)
      const sealed = row?.sealed_tokens ?? null
      const tokens = sealed === null ? undefined : openTokens(sealer, id, sealed)
      if (found?.app !== undefined && tokens !== undefined)
        await requests.revoke(found.platform, found.app, tokens)
    },
    /** Requires that the base has this connection, and that it fits the type of source. */
    require: async (knowledgeBaseId: string, id: string, type: string): Promise<void> => {
      const row = await findConnection(db, { knowledgeBaseId, id })
      const refuse = (message: string) =>
        new Refusal('BAD_REQUEST', {
          because: `connection_id ${message}`,
          details: [{ path: 'connection_id', message }],
        })
      if (row === undefined) throw refuse('is not a connected account of this knowledge base')
      if (row.platform !== CONNECTED_TYPES[type])
        throw refuse('is not an account that this type of source is read with')
      if (row.status === 'pending')
        throw refuse('is not connected yet: nobody has allowed it at the platform')
    },
    /** What a sync or a preview reads with. */
    accessOf: (knowledgeBaseId: string, id: string, type: string): AccountAccess | undefined => {
      const platformId = CONNECTED_TYPES[type]
      const found = platformId === undefined ? undefined : platformOf(platformId)
      if (platformId === undefined || found === undefined) return undefined
      return createConnectionAccess(
        { db, sealer, requests, now },
        { knowledgeBaseId, id },
        { id: platformId, ...found },
      )
    },
  }
}

export type SourceConnections = ReturnType<typeof createSourceConnections>
