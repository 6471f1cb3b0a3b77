import { existsSync } from 'node:fs'
import type { SetupCodeRenewal } from '../accounts/workspaces/workspaces.ts'
import { createIdentityProvider } from '../channels/sign-in/sign-in.ts'
import { COMPLETE_VECTORS } from '../content/indexing/indexing.ts'
import { createMetrics } from '../platform/health/metrics.ts'
import { conditionOf } from '../platform/health/call-health.ts'
import type { Condition } from '../platform/health/readiness.ts'
import { createIdempotency } from '../platform/http/idempotency/idempotency.ts'
import { createOpenStreams } from '../platform/http/open-streams.ts'
import { serveHttp, type HttpServer } from '../platform/http/serve-http.ts'
import { createSockets } from '../platform/http/sockets.ts'
import { createOutboundFetch } from '../platform/llm/outbound-fetch.ts'
import { createRateLimits } from '../platform/rate-limits/rate-limits.ts'
import { composeApp } from './compose-app.ts'
import { composeConnections, composeSocketLimits } from './compose-connections.ts'
import { composeMcp } from './compose-mcp.ts'
import { composePlatform, type ComposeInput, type Platform } from './compose-platform.ts'
import { composeRooms } from './compose-rooms.ts'
import { composeRoutes } from './compose-routes.ts'
import { composeSignIn } from './compose-sign-in.ts'
import { composeSockets } from './compose-sockets.ts'
import { diagnose, UNSET_PROXY } from './diagnose.ts'
import { endRooms } from './end-rooms.ts'
import { createWorkRecovery } from './recover-work.ts'
import { createRoomParts } from './room-parts.ts'
import { createStorageCondition } from './storage-condition.ts'
import { VERSION } from './version.ts'

/** Puts the service together; nothing runs yet. Read with `compose-platform.ts`, `compose-rooms.ts`, `compose-routes.ts`, `compose-app.ts`. */
export async function composeService(input: ComposeInput) {
  const { settings, storage, dataDirectory, log, surroundings } = input
  const stopping = new AbortController()
  const metrics = createMetrics()
  const platform = await composePlatform(input, metrics)
  const parts = createRoomParts(input, platform, { stopping: stopping.signal, publicUrl: () => publicUrl })
  const rooms = composeRooms(parts)
  const condition = createStorageCondition({ storage, freeSpace: platform.freeSpace, now: surroundings.now })
  for (const place of ['data', 'temporary'] as const) {
    metrics.gauge(`${place}_free_bytes`, `Free bytes on the disk of ${place} files.`, async () => {
      const { freeBytes } = await platform.freeSpace.read(place)
      return freeBytes
    })
  }
  metrics.gauge(
    'workspace_models_in_trouble',
    'Workspaces whose own language model does not answer.',
    platform.workspaceModels.countInTrouble,
  )
  const openStreams = createOpenStreams()
  const executeShared: Parameters<typeof createRateLimits>[0]['executeShared'] =
    storage.engine === 'postgres' ? (text, values) => storage.execute(text, values) : undefined
  const rateLimits = await createRateLimits({ isOn: settings.hasRateLimits, executeShared })
  const ownRateLimits = await createRateLimits({ isOn: settings.hasRateLimits, executeShared: undefined })
  const publicLimits = {
    rateLimits,
    limits: settings.publicRateLimits,
    trustedProxies: settings.trustedProxies,
  }
  let server: HttpServer | undefined
  let publicUrl = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  const isStopping = () => stopping.signal.aborted || server?.isStopping() === true

  const fetchForOperator = createOutboundFetch(platform.outbound, 'operator')
  const identityProviders = settings.signInProviders.map((provider) =>
    createIdentityProvider(provider, { fetch: fetchForOperator }),
  )
  const signIn = composeSignIn({
    ...input,
    report: parts.report,
    platform,
    rooms,
    identityProviders,
    // Whoever switches off the limits of the API does not mean that passwords may be guessed.
    attempts: await createRateLimits({ isOn: true, executeShared }),
    trustedProxies: settings.trustedProxies,
    publicUrl: () => publicUrl,
  })
  const routes = composeRoutes({
    storage,
    rooms,
    publicLimits,
    offersMcpSignIn: settings.signInProviders.length > 0,
    idempotency: createIdempotency({
      db: storage.db,
      sealer: platform.sealer,
      now: surroundings.now,
      report: parts.report,
    }),
    surroundings,
    publicUrl: () => publicUrl,
    report: parts.report,
    callerOfSession: (headers) => signIn.browserSessions.callerOf(headers),
    ownAccountRoutes: signIn.routes,
    health: {
      metrics,
      isStopping,
      checks: readinessOf(input, platform, condition),
      restartReason: condition.restartReason,
      metricsToken: settings.metricsToken,
    },
    diagnose: async ({ auditsActivity }) =>
      await diagnose({
        auditActivity: auditsActivity ? rooms.auditActivity : undefined,
        engine: storage.engine,
        lexical: storage.lexical,
        dataDirectory,
        freeSpace: await platform.freeSpace.read('data'),
        storageState: storage.state().is,
        inspectIndex: rooms.indexing.inspectIndex,
        embedding: embeddingOf(platform),
        languageModel: platform.model?.name,
        modelHealth: platform.modelHealth,
        tryOutBrowser: () => platform.renderer.selfTest(),
        trustedProxies: settings.trustedProxies,
      }),
  })
  const mcp = composeMcp({
    ...input,
    report: parts.report,
    platform,
    rooms,
    identityProviders,
    browserSessions: signIn.browserSessions,
    publicLimits,
    ownRateLimits,
    version: VERSION,
    publicUrl: () => publicUrl,
  })
  const { app, prepareFiles } = composeApp({
    ...input,
    platform,
    rooms,
    signIn,
    mcp,
    routes,
    publicLimits,
    openStreams,
    isStopping,
    onAnswered: metrics.observeRequest,
    report: parts.report,
    stopping: stopping.signal,
    publicUrl: () => publicUrl,
  })
  const recovery = createWorkRecovery({ rooms, engine: storage.engine, log })

  return {
    /** What it is made of; tests read it, and give the rooms what nobody can send them. */
    rooms,
    platform,
    openStreams,
    notices: noticesOf(input, platform),
    /** What an earlier version stored in clear. */
    sealStoredCredentials: rooms.sealStoredCredentials,
    bootstrap: (renewsSetupCode: SetupCodeRenewal) =>
      rooms.workspaces.bootstrap({
        bootstrapToken: settings.bootstrapToken,
        plan: settings.plan,
        renewsSetupCode,
      }),
    /** The token for commands on this machine: the one that lies there, as long as it is valid; else a new one. */
    operatorToken: async (known: string | undefined) => {
      const isValid =
        known !== undefined &&
        (await rooms.accessTokens.authenticate(known).then(
          () => true,
          () => false,
        ))
      return isValid ? known : await rooms.workspaces.createOperatorToken()
    },
    fetch: async (request: Request) => await app.fetch(request),
    startJobs: async (works: boolean) => {
      await platform.jobs.start([...rooms.jobs, ...mcp.jobs, ...signIn.jobs], works)
      if (!works) return
      await recovery.begin()
      // The model may be another one than before.
      await platform.jobs.enqueue(COMPLETE_VECTORS, {})
    },
    /** @param given.preparesPages builds the widget and the dashboard in the background, if they have to be built: else the first page that wants them waits */
    listen: async (given?: { preparesPages: boolean }) => {
      if (given?.preparesPages === true) prepareFiles()
      server = await serveHttp({
        sockets: createSockets({
          routes: composeSockets({ rooms, publicLimits, report: parts.report, surroundings }),
          ...(surroundings.socketTimes !== undefined && { times: surroundings.socketTimes }),
          log,
          openStreams,
          isStopping,
          ...composeSocketLimits(settings),
        }),
        ...composeConnections(settings),
        fetch: async (request, bindings) => await app.fetch(request, bindings),
        host: settings.host,
        port: settings.port,
        openStreams,
      })
      publicUrl = settings.publicUrl ?? server.address
      return server
    },
    close: async () => {
      recovery.end()
      stopping.abort(new Error('The service is shutting down.'))
      await endRooms(rooms)
      await platform.close()
    },
  }
}

function readinessOf(
  { storage }: ComposeInput,
  platform: Platform,
  condition: ReturnType<typeof createStorageCondition>,
): Record<string, () => Promise<Condition> | Condition> {
  return {
    storage: condition.storage,
    disk: condition.disk,
    embedding: () =>
      platform.embeddingFault() !== undefined
        ? { is: 'degraded', because: 'the embedding model does not work: words alone are searched' }
        : conditionOf(platform.modelHealth.embedding, 'words alone are searched'),
    ...(platform.model !== undefined && {
      language_model: () =>
        conditionOf(platform.modelHealth.language, 'questions that need it are not answered'),
    }),
    word_search: () =>
      storage.lexical === 'bm25'
        ? { is: 'up' }
        : { is: 'degraded', because: 'the extension pg_textsearch is missing: pages rank worse' },
    queue: async () => {
      await storage.execute('select 1 from pgboss.version')
      return { is: 'up' }
    },
  }
}

function embeddingOf({ embedder, embeddingFault }: Platform): { key: string } | { reason: string } {
  const reason = embeddingFault()
  const model = embedder()
  return reason === undefined && model !== undefined ? model : { reason: reason ?? 'unknown' }
}

/** What whoever starts the service should know. */
function noticesOf({ storage, settings }: ComposeInput, platform: Platform): string[] {
  const notices: string[] = []
  if (settings.trustedProxies === 'unset') notices.push(UNSET_PROXY)
  for (const path of settings.localPaths) {
    if (!existsSync(path)) notices.push(`CITEWELL_LOCAL_PATHS lists ${path}, where there is nothing.`)
  }
  const embeddingFault = platform.embeddingFault()
  if (embeddingFault !== undefined) {
    notices.push(
      settings.remoteEmbedding === undefined
        ? `no embedding model could be loaded, so words alone are searched: ${embeddingFault}`
        : `the embedding model does not answer, and words alone are searched until it does: ${embeddingFault}`,
    )
  }
  if (storage.lexical === 'full-text')
    notices.push("the server has no pg_textsearch, so words are ranked by PostgreSQL's own full text")
  return notices
}
