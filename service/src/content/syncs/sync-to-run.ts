import type { SharedSlots } from '../../platform/fairness/shared-slots.ts'
import type { FreeSpace } from '../../platform/files/free-space.ts'
import type { AccountAccess, Connector, SourceCredentials } from '../connectors/connectors.ts'
import type { Indexing } from '../indexing/indexing.ts'
import type { SyncsDb } from './syncs-store.ts'

export interface RunSyncDeps {
  db: SyncsDb
  /** Undefined: disk space is not checked. */
  freeSpace?: Pick<FreeSpace, 'reserve'> | undefined
  indexing: Indexing
  now: () => Date
  /** Documents indexed at the same time, in addition to one for each sync. */
  inFlight: SharedSlots
  log: { warn(fields: object, message: string): void }
}

export interface SyncToRun extends Omit<SourceToSync, 'isActive'> {
  knowledgeBaseId: string
  syncId: string
  sourceId: string
  lease: string
  /** Reads these addresses again, and nothing else; undefined: the whole source. */
  onlyAddresses: readonly string[] | undefined
  /** Its documents stay invisible until they are measured: see `sync-holds.ts`. */
  isHeld: boolean
}

/** The source as a sync needs it, provided by `SyncsDeps.findSource`. */
export interface SourceToSync {
  config: unknown
  connector: Connector<unknown>
  /** Its credentials, opened; throws a `SourceFailure` if they were sealed with a key that is lost. */
  openCredentials(): SourceCredentials | undefined
  /** The connected account that it is read with. */
  access: AccountAccess | undefined
  /** Stores renewed credentials; throws a `SourceFailure` if the owner changed them meanwhile. */
  saveCredentials(next: SourceCredentials): Promise<void>
  language: string | undefined
  respectRobotsTxt: boolean
  workspaceId: string
  /** False for an archived base, which runs no syncs. */
  isActive: boolean
}
