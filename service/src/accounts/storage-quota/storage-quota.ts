import { PLANS, type Plan } from '@citewell/contract/limits'
import { Refusal } from '../../kernel/refusal.ts'
import {
  readStoredOfBase,
  readStoredOfWorkspace,
  type StorageQuotaDb,
  type StoredOfWorkspace,
} from './storage-quota-store.ts'

const MB = 1_048_576

/**
 * The storage quota of a workspace: files, documents and their index, approximately. The counter is kept by the database
 * (migration 0027).
 */
export interface StorageQuota {
  /**
   * Call it in the transaction that adds, after adding: it then holds the lock on the counter, so that concurrent additions see each other.
   *
   * @param addedBytes what will be added later; 0 if the transaction has already added it
   * @throws Refusal PLAN_REQUIRED if the workspace would then store more than its quota
   */
  require(db: StorageQuotaDb, knowledgeBaseId: string, addedBytes: number): Promise<void>
  /** Null: no limit. */
  usage(db: StorageQuotaDb, workspaceId: string): Promise<{ bytes: number; limitBytes: number | null }>
}

/** @param limitMegabytes the operator's limit for every workspace; undefined: the limit of its plan; 0: no limit */
export function createStorageQuota({ limitMegabytes }: { limitMegabytes: number | undefined }): StorageQuota {
  function limitOf(plan: Plan): number | null {
    const megabytes = limitMegabytes === undefined ? PLANS[plan].storageMegabytes : limitMegabytes
    return megabytes === null || megabytes === 0 ? null : megabytes * MB
  }

  function refuseAboveLimit({ bytes, plan }: StoredOfWorkspace, addedBytes: number): void {
    const limit = limitOf(plan)
    if (limit === null || bytes + addedBytes <= limit) return
    throw new Refusal('PLAN_REQUIRED', {
      because: `The workspace would exceed its storage quota of ${limit / MB} MB. Delete documents, files or sources, or ask the operator of the service for a higher quota.`,
    })
  }

  return {
    require: async (db, knowledgeBaseId, addedBytes) => {
      const stored = await readStoredOfBase(db, knowledgeBaseId)
      if (stored !== undefined) refuseAboveLimit(stored, addedBytes)
    },
    usage: async (db, workspaceId) => {
      const stored = await readStoredOfWorkspace(db, workspaceId)
      return stored === undefined
        ? { bytes: 0, limitBytes: null }
        : { bytes: stored.bytes, limitBytes: limitOf(stored.plan) }
    },
  }
}
