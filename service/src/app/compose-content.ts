import type { StorageQuota } from '../accounts/storage-quota/storage-quota.ts'
import { createAddresses } from '../content/addresses/addresses.ts'
import { createPreviewSlots, type Connector } from '../content/connectors/connectors.ts'
import { createCustomAnswers } from '../content/custom-answers/custom-answers.ts'
import { createDocuments, createPush, createUploadedFiles } from '../content/documents/documents.ts'
import { createWordIndexRepair, type Indexing } from '../content/indexing/indexing.ts'
import { mediaTypeOfKeptFile } from '../content/parsing/parsing.ts'
import { createSearch } from '../content/search/search.ts'
import { createSourceConnections } from '../content/source-connections/source-connections.ts'
import { createSourceGroups } from '../content/source-groups/source-groups.ts'
import {
  createSources,
  createUploads,
  findSourceToSync,
  listUploadedFiles,
  sealStoredCredentials,
} from '../content/sources/sources.ts'
import { createSyncHolds, createSyncs } from '../content/syncs/syncs.ts'
import type { AccountRooms } from './compose-accounts.ts'
import type { RoomParts } from './room-parts.ts'

/** What is known: sources, syncs, documents, the index and search. */
export function composeContent(
  { db, now, newId, log, settings, platform, publicUrl }: RoomParts,
  { knowledgeBases }: AccountRooms,
  { storageQuota, indexing }: { storageQuota: StorageQuota; indexing: Indexing },
) {
  const { embedder, parsing, events, jobs, files, freeSpace, sealer } = platform
  const common = { db, newId, now }
  const ofBases = { ...common, knowledgeBases, events }
  const addresses = createAddresses({ publicUrl })
  const connectors = platform.createConnectors((sourceId) => listUploadedFiles({ db, files }, sourceId))
  const connectorOf = (type: string) =>
    connectors.connectorOf(type as Parameters<typeof connectors.connectorOf>[0]) as
      | Connector<unknown>
      | undefined
  const sourceConnections = createSourceConnections({
    ...ofBases,
    sealer,
    outbound: platform.outbound,
    apps: settings.connectApps,
    apiOrigins: platform.apiOrigins,
    publicUrl,
  })
  const syncs = createSyncs({
    ...common,
    freeSpace,
    indexing,
    jobs,
    events,
    log,
    findSource: (knowledgeBaseId, sourceId) =>
      findSourceToSync(
        db,
        connectorOf,
        { sealer, accessOf: sourceConnections.accessOf },
        { knowledgeBaseId, sourceId },
      ),
  })
  const sources = createSources({
    ...ofBases,
    syncs,
    files,
    sealer,
    connections: sourceConnections,
    checkSource: connectors.checkSource,
  })
  const parse = parsing.parse.bind(parsing)
  return {
    addresses,
    connectors,
    previewSlots: createPreviewSlots({ isCounted: settings.hasRateLimits }),
    indexing,
    syncs,
    sourceConnections,
    syncHolds: createSyncHolds({ db, indexing, now }),
    sources,
    sealStoredCredentials: () => sealStoredCredentials(db, sealer, now),
    uploads: createUploads({
      ...common,
      freeSpace,
      storageQuota,
      sources,
      syncs,
      files,
      mediaTypeOf: mediaTypeOfKeptFile,
    }),
    sourceGroups: createSourceGroups(ofBases),
    documents: createDocuments({ ...ofBases, indexing }),
    uploadedFiles: createUploadedFiles({ ...ofBases, indexing }),
    push: createPush({ ...common, freeSpace, sources, indexing, events, parse }),
    customAnswers: createCustomAnswers({ ...ofBases, indexing, publicUrl, parse }),
    /** Without the settings of the base for readers' text: see `privateSearch`. */
    ownSearch: createSearch({
      db,
      embedder,
      addressOf: addresses.addressOf,
      onEmbedderFailed: (error) => log.warn({ err: error }, 'a question was searched by its words alone'),
      onWordIndexFailed: createWordIndexRepair({ db, now, log }),
    }),
  }
}

export type ContentRooms = ReturnType<typeof composeContent>
