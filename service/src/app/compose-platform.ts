import { join } from 'node:path'
import { createConnectors } from '../content/connectors/connectors.ts'
import { createParsing } from '../content/parsing/parsing.ts'
import { createEmbedder } from '../platform/embedding/create-embedder.ts'
import { createEvents } from '../platform/events/events.ts'
import { createLocalPaths } from '../platform/files/local-paths.ts'
import { createStoredFiles } from '../platform/files/stored-files.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import type { LanguageModel } from '../platform/llm/language-model.ts'
import { createOpenAiCompatibleModel } from '../platform/llm/openai-compatible-model.ts'
import { createOutboundFetch } from '../platform/llm/outbound-fetch.ts'
import type { Log } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { readMasterKeys } from '../platform/secrets/master-key.ts'
import { createPseudonyms } from '../platform/secrets/pseudonym.ts'
import { createSealer } from '../platform/secrets/sealed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Settings } from './settings.ts'
import { createWorkspaceModels } from './workspace-models.ts'

export interface ComposeInput {
  settings: Settings
  dataDirectory: string
  storage: Storage
  log: Log
  /** Folders that sources may read beside those of the settings, at this moment. */
  namedFolders: () => readonly string[]
}

/** One parser thread keeps up with the embedding model on two cores; a second one would only slow that down. */
const PARSING = { workers: 1, timeLimitMs: 60_000, memoryLimitMb: 512 }

/** Requests at once on one host, while it is quick to answer. */
const PARALLEL_PER_HOST = 4

/** Everything that knows no product: models, the way out, files, queue, events. */
export async function composePlatform(input: ComposeInput) {
  const { settings, dataDirectory, storage, log } = input
  const outbound = createOutbound({ allowPrivateNetwork: settings.allowPrivateNetwork })
  const outboundFetch = createOutboundFetch(outbound, 'operator')
  const { embedder, reason } = await createEmbedder(
    {
      remote: settings.remoteEmbedding,
      localFolder: settings.localEmbeddingFolder,
      cacheDirectory: join(dataDirectory, 'models'),
    },
    { fetch: outboundFetch },
  )
  const model: LanguageModel | undefined =
    settings.languageModel && createOpenAiCompatibleModel(settings.languageModel, { fetch: outboundFetch })
  const parsing = createParsing(PARSING)
  const events = createEvents({
    onListenerFailed: (event, error) => log.error({ err: error, event }, 'a listener failed'),
  })
  const jobs = createJobs({
    storage,
    onError: (error) => log.error({ err: error }, 'the job queue reports a fault'),
  })
  const masterKeys = readMasterKeys(settings.secretKey, dataDirectory)
  const sealer = createSealer(masterKeys)
  const localPaths = createLocalPaths({
    roots: () => [...settings.localPaths, ...input.namedFolders()],
    never: [dataDirectory],
  })
  const files = createStoredFiles({ directory: join(dataDirectory, 'files') })

  return {
    outbound,
    embedder,
    /** Why there is no embedder; undefined where there is one. */
    embeddingFault: reason,
    model,
    parsing,
    events,
    jobs,
    files,
    sealer,
    pseudonymOf: createPseudonyms(masterKeys),
    /** For what has to outlive a change of key. */
    oldestMasterKey: masterKeys.at(-1) ?? masterKeys[0],
    workspaceModels: createWorkspaceModels({
      ownModel: model,
      sealer,
      fetch: createOutboundFetch(outbound, 'customer'),
    }),
    createConnectors: (listFiles: Parameters<typeof createConnectors>[0]['listFiles']) =>
      createConnectors({
        outbound,
        parsing,
        listFiles,
        chromiumPath: settings.chromiumPath,
        parallelPerHost: PARALLEL_PER_HOST,
        localPaths,
        knownHosts: join(dataDirectory, 'ssh-known-hosts'),
      }),
    close: async () => {
      await jobs.stop()
      await Promise.all([parsing.close(), embedder?.close(), outbound.close()])
    },
  }
}

export type Platform = Awaited<ReturnType<typeof composePlatform>>
