import { createHmac, generateKeyPair, hkdfSync } from 'node:crypto'
import { promisify } from 'node:util'
import type { Hono } from 'hono'
import type { Provider } from 'oidc-provider'
import { Refusal } from '../../kernel/refusal.ts'
import type { HttpEnv } from '../../platform/http/http-app.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import type { BrowserSessions, OutsideIdentity, OutsideProvider } from '../sign-in/sign-in.ts'
import { connectFaultPage } from './connect-pages.ts'
import { createConnectRoutes } from './connect-routes.ts'
import { deleteUngranted, findConnection, recordUse } from './connected-tools-store.ts'
import { createConnectedToolsPages } from './connected-tools-page-routes.ts'
import type { ChosenBases, ConnectedTools } from './connected-tools.ts'
import { createAuthorizationServer } from './create-provider.ts'
import { mountProvider, type MountDeps } from './mount-provider.ts'
import { createOAuthAdapter, hashOf } from './oauth-adapter.ts'
import { personBehind, type SignedInPerson } from './oauth-access.ts'
import { consumeRecord, deleteExpired, keepClient, type OAuthDb } from './oauth-store.ts'
import { resourceMetadata, serverNameOf, type SignInServer } from './protected-resources.ts'
import { isHostAllowed, isRedirectKept, type AllowedClients } from './web-clients.ts'

export interface OAuthDeps {
  db: OAuthDb
  sealer: Sealer
  /** Everything here that has to be a secret is made from it. */
  masterKey: string
  now: () => Date
  publicUrl: () => string
  /** The guarded way out, for addresses that strangers name. */
  fetch: typeof globalThis.fetch
  outsideProviders: readonly OutsideProvider[]
  findSignInServer: (serverName: string) => Promise<SignInServer | undefined>
  /** Which member a browser is signed in as. */
  browserSessions: Pick<BrowserSessions, 'personOf'>
  connectedTools: ConnectedTools
  allowedClients: AllowedClients
  newId: () => string
  takeRegistration: MountDeps['takeRegistration']
  takeVisit: MountDeps['takeVisit']
  report: (fault: unknown, doing: string) => void
}

const SWEPT_AT_ONCE = 1_000

/** Signing in at MCP servers: the authorization server, its pages, and who is behind a token. */
export function createOAuth(deps: OAuthDeps) {
  const { publicUrl } = deps
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
      usedTwice: () => new Refusal('BAD_REQUEST', { because: 'It was used before.' }),
    })

  async function makeProvider(): Promise<Provider> {
    return await createAuthorizationServer({
      ...deps,
      toolSchemes: deps.allowedClients.toolSchemes,
      publicUrl: publicUrl(),
      cookieKeys: [cookieKey],
      jwks: { keys: [await newSigningKey()] },
      findServer,
      renderError: async (title, because) => String(await connectFaultPage(title, because)),
    })
  }

  const provider = async (): Promise<Provider> => {
    making ??= makeProvider()
    return await making
  }

  const readerIdOf = ({ issuer, subject }: OutsideIdentity) =>
    `reader:${createHmac('sha256', readerKey).update(`${issuer}\n${subject}`).digest('base64url')}`

  const mount = mountProvider({ ...deps, provider })
  const connect = createConnectRoutes({
    ...deps,
    provider,
    findServer,
    readerIdOf,
    records: adapterOf,
    useUp: async (uid) => await consumeRecord(deps.db, 'Interaction', hashOf(uid)),
    csrfKey: keyFor('forms'),
    onConnected: async ({ grantId, clientId, sessionId, ...tool }) => {
      const connected = { ...tool, id: deps.newId(), grantHash: hashOf(grantId) }
      await deps.connectedTools.connect(connected, sessionId)
      await keepClient(deps.db, hashOf(clientId))
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
          throw new Refusal('NOT_FOUND', { because: 'Nobody signs in to a server at this address.' })
        return context.json(resourceMetadata(publicUrl(), server), 200, {
          'access-control-allow-origin': '*',
        })
      })
    }
  }

  /** Once an hour: codes, tokens, sessions and unused clients that are no good any more. */
  const sweep: Job = {
    name: 'sweep-oauth',
    schedule: '17 * * * *',
    concurrency: 1,
    handle: async (_data, signal) => {
      while (!signal.aborted && (await deleteExpired(deps.db, SWEPT_AT_ONCE)) === SWEPT_AT_ONCE);
      while (!signal.aborted && (await deleteUngranted(deps.db, SWEPT_AT_ONCE)) === SWEPT_AT_ONCE);
    },
  }

  return {
    jobs: [sweep],
    pages: [mountMetadata, connect, createConnectedToolsPages(deps), mount],
    /** Whether readers can sign in at all. */
    offersReaders: deps.outsideProviders.length > 0,
    /** Who presents a token at a server, and what they chose for the tool: as it is at this moment. */
    personBehind: async (
      token: string,
      resource: string,
    ): Promise<(SignedInPerson & ChosenBases) | undefined> => {
      const person = await personBehind(await provider(), token, resource)
      const server = person === undefined ? undefined : await findServer(resource)
      if (person === undefined || server === undefined) return undefined
      const connection = await findConnection(deps.db, hashOf(person.grantId), server.id)
      if (connection?.account_id !== person.accountId) return undefined
      // What is taken off the lists is out at its next request.
      if (!isRedirectKept(connection.redirect_host, deps.allowedClients)) return undefined
      if (server.signInType === 'portal' && !isHostAllowed(connection.redirect_host, deps.allowedClients))
        return undefined
      if (connection.is_use_due) await recordUse(deps.db, person.accountId, connection.id)
      return {
        ...person,
        readsAll: connection.reads_all,
        knowledgeBaseIds: connection.knowledge_base_ids,
      }
    },
  }
}

export type OAuth = ReturnType<typeof createOAuth>

/** Signs nothing: tokens are opaque, and nobody is told who a reader is. The authorization server wants a key all the same. */
async function newSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2_048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }
}
