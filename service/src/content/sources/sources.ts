import type { Permission } from '@citewell/contract/endpoint'
import { WRITTEN_SOURCE_TYPES } from '@citewell/contract/source-configs'
import { NewSource, type SourceChange } from '@citewell/contract/sources'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import {
  lockType,
  nextTime,
  type BaseHooks,
  type KnowledgeBaseRow,
  type KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { StoredFiles } from '../../platform/files/stored-files.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import type { Connector, Connectors } from '../connectors/connectors.ts'
import type { SourceConnections } from '../source-connections/source-connections.ts'
import { requireSourceGroup } from '../source-groups/source-groups.ts'
import {
  cancelSyncsOfBase,
  isOfSomeAddresses,
  type SourceToSync,
  type SyncRow,
  type Syncs,
} from '../syncs/syncs.ts'
import { refreshJob } from './refresh-sources.ts'
import { makeDueIfChanged } from './refresh-store.ts'
import { addressOf, changedAddress, refuseUnreadable } from './source-config.ts'
import { sealCredentials } from './source-credentials.ts'
import { sourceCredentials } from './credentials-of-sync.ts'
import { SAMPLE_SOURCE } from './sample-source.ts'
import { sweepFilesJob } from './source-files.ts'
import {
  deleteSource,
  findLastSyncs,
  findSource,
  findSourceWithBase,
  insertSource,
  listSources,
  listSourcesToRead,
  lockSource,
  setDocumentsVisibility,
  updateSource,
  type CountedSource,
  type SourceRow,
  type SourcesDb,
} from './sources-store.ts'
import { countRecords } from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export { SAMPLE_FOLDER, SAMPLE_SOURCE } from './sample-source.ts'
export { presentUploadedFile } from './present-uploaded-file.ts'
export { listUploadedFiles } from './source-files.ts'
export { sealStoredCredentials } from './seal-stored-credentials.ts'
export { createUploads, type Uploads } from './upload-files.ts'

export interface SourcesDeps {
  db: SourcesDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  syncs: Pick<Syncs, 'request'>
  files: StoredFiles
  events: Events
  sealer: Sealer
  connections: Pick<SourceConnections, 'require'>
  checkSource: Connectors['checkSource']
  newId: () => string
  now: () => Date
}

export interface SourceWithSync {
  source: CountedSource
  lastSync: SyncRow | undefined
}

/** An archived base reads nothing. */
export const sourceHooks: BaseHooks = {
  records: [{ noun: 'sources', table: 'sources', name: 'name' }],
  owned: [{ counts: 'sources', count: countRecords('sources') }],
  onArchived: cancelSyncsOfBase,
}

/** What a sync reads: the source, with the settings of its base. Undefined if the source is gone, or if it is a push source. */
export async function findSourceToSync(
  db: SourcesDb,
  connectorOf: (type: string) => Connector<unknown> | undefined,
  { sealer, accessOf }: { sealer: Sealer; accessOf: SourceConnections['accessOf'] },
  of: { knowledgeBaseId: string; sourceId: string },
): Promise<SourceToSync | undefined> {
  const found = await findSourceWithBase(db, of.knowledgeBaseId, of.sourceId)
  const connector = found === undefined ? undefined : connectorOf(found.type)
  if (found === undefined || connector === undefined) return undefined
  return {
    config: found.config,
    connector,
    ...sourceCredentials({ db, sealer }, { ...of, sealed: found.sealed_credentials }),
    access:
      found.connection_id === null
        ? undefined
        : accessOf(of.knowledgeBaseId, found.connection_id, found.type),
    language: found.language ?? undefined,
    respectRobotsTxt: found.respect_robots_txt,
    isActive: found.base_status === 'active',
    workspaceId: found.workspace_id,
  }
}

const orAsBefore = <Value>(given: Value | undefined, before: Value): Value =>
  given === undefined ? before : given

/** What is pushed to a source is no sync. */
function refuseHoldOfWritten(type: string, drop: number | null | undefined): void {
  if (!WRITTEN_SOURCE_TYPES.has(type) || (drop ?? null) === null) return
  const message = 'must be null: documents are pushed to this type of source, without a sync'
  throw wrongField('hold_back_drop', message)
}

export function createSources(deps: SourcesDeps) {
  const { db, knowledgeBases, syncs, events, sealer, connections, checkSource, newId, now } = deps
  const bases = createRecordBases({ db, knowledgeBases, table: 'sources', noun: 'source' })

  /** The source and its base, if the caller has this permission: see `knowledgeBases.open`. */
  async function open(
    caller: Caller,
    sourceId: string,
    permission: Permission,
  ): Promise<{ source: CountedSource; base: KnowledgeBaseRow }> {
    const base = await bases.open(caller, sourceId, permission)
    return { source: await sourceIn(base.id, sourceId), base }
  }

  /** The same for changes: an archived base refuses them. */
  async function openActive(
    caller: Caller,
    sourceId: string,
    permission: Permission,
  ): Promise<{ source: CountedSource; base: KnowledgeBaseRow }> {
    const base = await bases.openActive(caller, sourceId, permission)
    return { source: await sourceIn(base.id, sourceId), base }
  }

  async function sourceIn(knowledgeBaseId: string, sourceId: string): Promise<CountedSource> {
    const source = await findSource(db, knowledgeBaseId, sourceId)
    if (source === undefined) throw bases.notFound()
    return source
  }

  async function withSyncs(knowledgeBaseId: string, sources: CountedSource[]): Promise<SourceWithSync[]> {
    const ids = sources.map((source) => source.id)
    const lastSyncs = await findLastSyncs(db, knowledgeBaseId, ids)
    return sources.map((source) => ({ source, lastSync: lastSyncs.get(source.id) }))
  }

  async function get(caller: Caller, sourceId: string): Promise<SourceWithSync> {
    const { source } = await open(caller, sourceId, 'member')
    const lastSyncs = await findLastSyncs(db, source.knowledge_base_id, [source.id])
    return { source, lastSync: lastSyncs.get(source.id) }
  }

  async function list(
    caller: Caller,
    knowledgeBaseId: string,
    page: PageRequest & { type?: string | undefined },
  ): Promise<SourceWithSync[]> {
    await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    return await withSyncs(knowledgeBaseId, await listSources(db, { ...page, knowledgeBaseId }))
  }

  async function requireGroup(
    transaction: SourcesDb,
    knowledgeBaseId: string,
    groupId: string | null,
  ): Promise<void> {
    if (groupId !== null) await requireSourceGroup(transaction, knowledgeBaseId, groupId)
  }

  /** Creates a source, without reading it yet. Documents of an internal base are always restricted. */
  async function create(caller: Caller, knowledgeBaseId: string, given: NewSource): Promise<SourceWithSync> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    refuseHoldOfWritten(given.type, given.hold_back_drop)
    const connectionId = given.connection_id ?? null
    const { config, credentials } = addressOf(given.type, given.config, given.credentials, {
      isWhole: true,
      isConnected: connectionId !== null,
    })
    await refuseUnreadable(checkSource, given.type, config)
    if (connectionId !== null) await connections.require(base.id, connectionId, given.type)
    const id = newId()
    const row: SourceRow = {
      knowledge_base_id: knowledgeBaseId,
      id,
      name: given.name,
      type: given.type,
      config,
      sealed_credentials: sealCredentials(sealer, id, credentials),
      connection_id: connectionId,
      version_label: given.version_label,
      source_group_id: given.source_group_id,
      visibility: base.type === 'internal' ? 'restricted' : given.visibility,
      refresh: given.refresh,
      hold_back_drop: given.hold_back_drop ?? null,
      next_refresh_at: WRITTEN_SOURCE_TYPES.has(given.type) ? null : nextTime(given.refresh, now()),
      created_at: now(),
      updated_at: now(),
    }
    await db.transaction().execute(async (transaction: SourcesDb) => {
      await requireGroup(transaction, knowledgeBaseId, row.source_group_id)
      await insertSource(transaction, row)
    })
    return { source: await sourceIn(knowledgeBaseId, id), lastSync: undefined }
  }

  /**
   * Changes the given fields. Group and version label are stored on the source only, so they apply immediately to what is indexed. So does
   * its visibility, except to documents that were made public or restricted individually.
   */
  async function change(caller: Caller, sourceId: string, changes: SourceChange): Promise<SourceWithSync> {
    const { base, source } = await openActive(caller, sourceId, 'config')
    refuseHoldOfWritten(source.type, changes.hold_back_drop)
    let isMoved = false
    if (changes.config !== undefined)
      await refuseUnreadable(checkSource, source.type, changedAddress(source, changes, sealer).config)
    const connectionId = changes.connection_id ?? null
    if (connectionId !== null) await connections.require(base.id, connectionId, source.type)
    const changed = await db.transaction().execute(async (transaction: SourcesDb) => {
      const type = await lockType(transaction, base.id)
      const before = await lockSource(transaction, base.id, sourceId)
      if (before === undefined) throw bases.notFound()
      if (changes.source_group_id !== undefined)
        await requireGroup(transaction, base.id, changes.source_group_id)
      const refresh = changes.refresh ?? before.refresh
      const after: SourceRow = {
        ...before,
        name: changes.name ?? before.name,
        ...((changes.config !== undefined || changes.credentials !== undefined) &&
          changedAddress(before, changes, sealer)),
        connection_id: orAsBefore(changes.connection_id, before.connection_id),
        version_label: orAsBefore(changes.version_label, before.version_label),
        source_group_id: orAsBefore(changes.source_group_id, before.source_group_id),
        visibility:
          type === 'internal' && changes.visibility === 'public'
            ? before.visibility
            : (changes.visibility ?? before.visibility),
        refresh,
        hold_back_drop: orAsBefore(changes.hold_back_drop, before.hold_back_drop),
        next_refresh_at:
          refresh === before.refresh || WRITTEN_SOURCE_TYPES.has(before.type)
            ? before.next_refresh_at
            : nextTime(refresh, now()),
        updated_at: now(),
      }
      await updateSource(transaction, after)
      isMoved = after.source_group_id !== before.source_group_id
      if (after.visibility === before.visibility) return []
      const of = { knowledgeBaseId: base.id, sourceId, visibility: after.visibility, now: now() }
      return await setDocumentsVisibility(transaction, of)
    })
    if (isMoved) events.announce('content.changed', { knowledgeBaseId: base.id })
    // One changed document is enough to tell subscribers that the public documents of the base have changed.
    const [documentId] = changed
    if (documentId !== undefined)
      events.announce('document.visibility-changed', { knowledgeBaseId: base.id, documentId })
    return await get(caller, sourceId)
  }

  /** Deletes a source, its documents and their index entries; a running sync of it stops. */
  async function remove(caller: Caller, sourceId: string): Promise<void> {
    const { base } = await openActive(caller, sourceId, 'config')
    await deleteSource(db, base.id, sourceId)
    events.announce('content.changed', { knowledgeBaseId: base.id })
  }

  /**
   * Starts a sync of a source, or returns the one in progress.
   * @throws Refusal CONFLICT if that one reads some addresses only, and the whole source is asked for
   */
  async function requestSync(
    caller: Caller,
    sourceId: string,
    options: { acceptsDeletions?: boolean; onlyAddresses?: readonly string[] } = {},
  ): Promise<SyncRow> {
    const { source, base } = await openActive(caller, sourceId, 'config')
    if (WRITTEN_SOURCE_TYPES.has(source.type))
      throw new Refusal('CONFLICT', {
        because: 'This source cannot be synced: its documents are pushed to it.',
      })
    await refuseUnreadable(checkSource, source.type, source.config)
    return await requestOne(base.id, sourceId, options)
  }

  async function requestOne(
    knowledgeBaseId: string,
    sourceId: string,
    options: { acceptsDeletions?: boolean; onlyAddresses?: readonly string[] } = {},
  ): Promise<SyncRow> {
    const sync = await syncs.request(knowledgeBaseId, sourceId, options)
    if (options.onlyAddresses === undefined && isOfSomeAddresses(sync))
      throw new Refusal('CONFLICT', {
        because:
          'This source is reading again what failed, and nothing else. Wait for the end of that sync, or cancel it.',
      })
    // It reads the source as it was when it began. If it was changed since, another sync follows.
    if (sync.status === 'running' && sync.started_at !== null)
      await makeDueIfChanged(db, { knowledgeBaseId, sourceId, since: sync.started_at, now: now() })
    return sync
  }

  /** Starts a sync of each source that is not written; one that may not be read keeps no other waiting. */
  async function requestAll(
    caller: Caller,
    knowledgeBaseId: string,
  ): Promise<{ started: SyncRow[]; refused: { sourceId: string; error: string }[] }> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const started: SyncRow[] = []
    const refused: { sourceId: string; error: string }[] = []
    for (const { id, type, config } of await listSourcesToRead(db, base.id)) {
      try {
        await refuseUnreadable(checkSource, type, config)
        started.push(await requestOne(base.id, id))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.push({ sourceId: id, error: error.message })
      }
    }
    return { started, refused }
  }

  /** Adds the guide of Citewell as a source, and begins to read it. */
  async function addSample(caller: Caller, knowledgeBaseId: string): Promise<void> {
    const { source } = await create(caller, knowledgeBaseId, NewSource.parse(SAMPLE_SOURCE))
    await requestSync(caller, source.id)
  }

  const jobs: Job[] = [refreshJob(deps), sweepFilesJob(deps)]

  return { open, openActive, get, list, create, change, remove, requestSync, requestAll, addSample, jobs }
}

export type Sources = ReturnType<typeof createSources>
