import { createHmac, generateKeyPair, hkdfSync } from 'node:crypto'
import { promisify } from 'node:util'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { createUseRecorder } from '../../platform/storage/last-use.ts'
import type { BrowserSessions, ExternalIdentity, IdentityProvider } from '../sign-in/sign-in.ts'
import { connectFaultPage } from './connect-pages.ts'
import { createConnectRoutes } from './connect-routes.ts'
import { deleteUngranted, findConnection, touchConnection } from './connected-tools-store.ts'
import { createConnectedToolsPages } from './connected-tools-page-routes.ts'
import type { ChosenBases, ConnectedTools } from './connected-tools.ts'
import { createAuthorizationServer } from './create-provider.ts'
import { mountProvider, type MountDeps } from './mount-provider.ts'
import { createOAuthAdapter, hashOf } from './oauth-adapter.ts'
import { personOfToken, type SignedInPerson } from './oauth-access.ts'
import { consumeRecord, deleteExpired, keepClientForever, type OAuthDb } from './oauth-store.ts'
import { resourceMetadata, serverNameOf, type SignInServer } from './protected-resources.ts'
import { isHostAllowed, isRedirectAllowed, type AllowedClients } from './web-clients.ts'

export interface OAuthDeps {
  db: OAuthDb
  sealer: Sealer
  /** All secrets of this room are derived from it. */
  masterKey: string
  now: () => Date
  publicUrl: () => string
  /** `fetch` with the SSRF guard for addresses from untrusted clients. */
  fetch: typeof globalThis.fetch
  identityProviders: readonly IdentityProvider[]
  findSignInServer: (serverName: string) => Promise<SignInServer | undefined>
  /** Resolves the member that a browser is signed in as. */
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: ConnectedTools
  allowedClients: AllowedClients
  newId: () => string
  takeRegistration: MountDeps['takeRegistration']
  takeVisit: MountDeps['takeVisit']
  report: (fault: unknown, doing: string) => void
}

const SWEEP_BATCH_SIZE = 1_000

/** Signing in at MCP servers: the authorization server, its pages, and the lookup of the person behind a token. */
export function createOAuth(deps: OAuthDeps) {
  const { publicUrl } = deps
  const recordUse = createUseRecorder(
    async (use) => await touchConnection(deps.db, use),
    (error) => deps.report(error, 'recording the last use of a connected tool'),
  )
  const keyFor = (use: string) =>
    Buffer.from(hkdfSync('sha256', deps.masterKey, '', `citewell oauth ${use}`, 32)).toString('base64url')
  const cookieKey = keyFor('cookies')
  const readerKey = keyFor('readers')
  let making: Promise<Provider> | undefined

  async function findServer(resource: string): Promise<SignInServer | undefined> {
    const name = serverNameOf(resource, publicUrl())
    return name === undefined ? undefined : await deps.findSignInServer(name)
  }

  const adapterOf = (kind: string) =>
    createOAuthAdapter(kind, {
      ...deps,
      reuseError: () => new Refusal('BAD_REQUEST', { because: 'It was used before.' }),
    })

  async function makeProvider(): Promise<Provider> {
    return await createAuthorizationServer({
      ...deps,
      toolSchemes: deps.allowedClients.toolSchemes,
      publicUrl: publicUrl(),
      cookieKeys: [cookieKey],
      jwks: { keys: [await newSigningKey()] },
      findServer,
      isConnected: async (grantId, serverId) =>
        (await findConnection(deps.db, hashOf(grantId), serverId)) !== undefined,
      renderError: async (title, because) => String(await connectFaultPage(title, because)),
    })
  }

  const provider = async (): Promise<Provider> => {
    making ??= makeProvider()
    return await making
  }

  const readerIdOf = ({ issuer, subject }: ExternalIdentity) =>
    `reader:${createHmac('sha256', readerKey).update(`${issuer}\n${subject}`).digest('base64url')}`

  const mount = mountProvider({ ...deps, provider })
  const connect = createConnectRoutes({
    ...deps,
    provider,
    findServer,
    readerIdOf,
    records: adapterOf,
    consumeInteraction: async (uid) => await consumeRecord(deps.db, 'Interaction', hashOf(uid)),
    csrfKey: keyFor('forms'),
    onConnected: async ({ grantId, clientId, sessionId, ...tool }) => {
      const connected = { ...tool, id: deps.newId(), grantHash: hashOf(grantId) }
      await deps.connectedTools.connect(connected, sessionId)
      await keepClientForever(deps.db, hashOf(clientId))
    },
  })

  const mountMetadata = (app: Hono<HttpEnv>): void => {
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp/:serverName',
      '/mcp/:serverName/.well-known/oauth-protected-resource',
    ]) {
      app.get(path, async (context) => {
        const server = await deps.findSignInServer(context.req.param('serverName') ?? '')
        if (server === undefined)
          throw new Refusal('NOT_FOUND', { because: 'No server at this address uses sign-in.' })
        return context.json(resourceMetadata(publicUrl(), server), 200, {
          'access-control-allow-origin': '*',
        })
      })
    }
  }

  /** Hourly: deletes expired codes, tokens, sessions and unused clients. */
  const sweep: Job = {
    name: 'sweep-oauth',
    schedule: '17 * * * *',
    handle: async (_data, signal) => {
      while (!signal.aborted && (await deleteExpired(deps.db, SWEEP_BATCH_SIZE)) === SWEEP_BATCH_SIZE);
      while (!signal.aborted && (await deleteUngranted(deps.db, SWEEP_BATCH_SIZE)) === SWEEP_BATCH_SIZE);
    },
  }

  return {
    jobs: [sweep],
    pages: [mountMetadata, connect, createConnectedToolsPages(deps), mount],
    /** Whether readers can sign in, which needs an identity provider. */
    offersReaderSignIn: deps.identityProviders.length > 0,
    /** The person who presents a token at a server, and the bases they chose for the tool, looked up at each request. */
    personOfToken: async (
      token: string,
      resource: string,
    ): Promise<(SignedInPerson & ChosenBases) | undefined> => {
      const person = await personOfToken(await provider(), token, resource)
      const server = person === undefined ? undefined : await findServer(resource)
      if (person === undefined || server === undefined) return undefined
      const connection = await findConnection(deps.db, hashOf(person.grantId), server.id)
      if (connection?.account_id !== person.accountId) return undefined
      // A host or scheme that is no longer allowed is refused at its next request.
      if (!isRedirectAllowed(connection.redirect_host, deps.allowedClients)) return undefined
      if (server.signInType === 'portal' && !isHostAllowed(connection.redirect_host, deps.allowedClients))
        return undefined
      recordUse({ id: connection.id, recorded: connection.last_used_at, now: deps.now() })
      return { ...person, readsAll: connection.reads_all, knowledgeBaseIds: connection.knowledge_base_ids }
    },
  }
}

/** Signs nothing: tokens are opaque, and there are no ID tokens. The library requires a key nevertheless. */
async function newSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
}
