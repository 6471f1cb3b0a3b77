import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspaceModels } from '../accounts/language-models/language-models.ts'
import { createConnectors, createPageRenderer } from '../content/connectors/connectors.ts'
import { SAMPLE_FOLDER } from '../content/sources/sources.ts'
import { COMPLETE_VECTORS, storedDimensions } from '../content/indexing/indexing.ts'
import { openEmbedderInUse } from '../platform/embedding/embedder-in-use.ts'
import { createEvents } from '../platform/events/events.ts'
import { createFreeSpace } from '../platform/files/free-space.ts'
import { createLocalPaths } from '../platform/files/local-paths.ts'
import { createStoredFiles } from '../platform/files/stored-files.ts'
import type { Metrics } from '../platform/health/metrics.ts'
import type { LanguageModel } from '../platform/llm/language-model.ts'
import { createModelFetch, createOutboundFetch } from '../platform/llm/outbound-fetch.ts'
import type { Log } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { readMasterKeys } from '../platform/secrets/master-key.ts'
import { createPseudonyms } from '../platform/secrets/pseudonym.ts'
import { createSealer } from '../platform/secrets/sealed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { followModels } from './follow-models.ts'
import type { Settings } from './settings.ts'
import type { Surroundings } from './surroundings.ts'

export interface ComposeInput {
  settings: Settings
  dataDirectory: string
  storage: Storage
  log: Log
  /** Folders that sources may read beside those of the settings, at this moment. */
  namedFolders: () => readonly string[]
  surroundings: Surroundings
}

/**
 * One parser keeps up with the embedding model on two cores, and one is what a base has for its syncs: the second is for
 * those of another base, the third for what somebody waits for. They end when there is nothing to do.
 */
const PARSING = { workers: 3, timeLimitMs: 60_000, memoryLimitMb: 400 }

/** Requests at once on one host, while it is quick to answer. */
const PARALLEL_PER_HOST = 4

/** Everything that knows no product: models, the way out, files, queue, events. */
export async function composePlatform(input: ComposeInput, metrics: Metrics) {
  const { settings, dataDirectory, storage, log, surroundings } = input
  const outbound = createOutbound({
    allowPrivateNetwork: settings.allowPrivateNetwork,
    onFailed: ({ reason, host, chosenBy }) =>
      log.info({ reason, host, chosen_by: chosenBy }, 'a host was not reached'),
  })
  const health = followModels({ log, metrics, now: surroundings.now })
  const embedding = await openEmbedderInUse({
    open: async () =>
      await surroundings.createEmbedder(
        { remote: settings.remoteEmbedding, localFolder: settings.localEmbeddingFolder },
        {
          fetch: createOutboundFetch(outbound, 'operator'),
          onCall: health.ofEmbedding.onCall,
          storedDimensions: (keyPrefix) => storedDimensions(storage.db, keyPrefix),
        },
      ),
    mayRecover: settings.remoteEmbedding !== undefined,
    onRecovered: ({ key }) => {
      log.info({ embedding_key: key }, 'the embedding model works now')
      void jobs
        .enqueue(COMPLETE_VECTORS, {})
        .catch((error: unknown) => log.warn({ err: error }, 'vectors are completed within the hour'))
    },
  })
  const model: LanguageModel | undefined =
    settings.languageModel &&
    surroundings.createModel(settings.languageModel, {
      fetch: createModelFetch(outbound, 'operator'),
      onCall: health.ofInstance.onCall,
    })
  const parsing = surroundings.createParsing(PARSING)
  const preparing = surroundings.createPreparing()
  const renderer = createPageRenderer({
    chromiumPath: settings.chromiumPath,
    sandbox: settings.chromiumSandbox,
  })
  const events = createEvents({
    onListenerFailed: (event, error) => log.error({ err: error, event }, 'a listener failed'),
  })
  const jobs = surroundings.createJobs({
    storage,
    onError: (error) => log.error({ err: error }, 'the job queue reports a fault'),
  })
  const masterKeys = readMasterKeys(settings.secretKey, dataDirectory)
  const sealer = createSealer(masterKeys)
  const localPaths = createLocalPaths({
    roots: () => [SAMPLE_FOLDER, ...settings.localPaths, ...input.namedFolders()],
    never: [dataDirectory],
  })
  const files = createStoredFiles({ directory: join(dataDirectory, 'files') })

  const freeSpace = createFreeSpace({
    directories: { data: dataDirectory, temporary: tmpdir() },
    keptBytes: settings.keepFreeMegabytes === undefined ? undefined : settings.keepFreeMegabytes * 1_048_576,
    now: () => performance.now(),
  })

  return {
    freeSpace,
    outbound,
    embedder: embedding.current,
    /** Why the embedding model does not work; undefined where it does. */
    embeddingFault: embedding.fault,
    model,
    parsing,
    preparing,
    renderer,
    events,
    jobs,
    files,
    sealer,
    pseudonymOf: createPseudonyms(masterKeys),
    /** Whether the models of the operator answer. */
    modelHealth: { language: health.ofInstance.health, embedding: health.ofEmbedding.health },
    /** For what has to outlive a change of key. */
    oldestMasterKey: masterKeys.at(-1) ?? masterKeys[0],
    workspaceModels: createWorkspaceModels({
      ownModel: model,
      ownHealth: health.ofInstance.health,
      sealer,
      createModel: surroundings.createModel,
      fetch: createModelFetch(outbound, 'customer'),
      onCall: health.countOfWorkspaces,
      onChange: (workspaceId, trouble) =>
        health.logChange('the language model of a workspace', trouble, { workspace_id: workspaceId }),
      now: surroundings.now,
    }),
    /** Where products are, instead of at their makers'. */
    apiOrigins: surroundings.apiOrigins,
    createConnectors: (listFiles: Parameters<typeof createConnectors>[0]['listFiles']) =>
      createConnectors({
        outbound,
        parsing,
        listFiles,
        renderer,
        parallelPerHost: PARALLEL_PER_HOST,
        localPaths,
        knownHosts: join(dataDirectory, 'ssh-known-hosts'),
        apiOrigins: surroundings.apiOrigins,
        timer: surroundings.sourceTimer,
      }),
    close: async () => {
      await jobs.stop()
      await Promise.all([
        renderer.close(),
        parsing.close(),
        preparing.close(),
        embedding.close(),
        outbound.close(),
      ])
    },
  }
}

export type Platform = Awaited<ReturnType<typeof composePlatform>>
