import { PLANS, type Plan } from '@citewell/contract/limits'
import { Refusal } from '../../kernel/refusal.ts'
import {
  readStoredAround,
  readStoredOf,
  type StorageQuotaDb,
  type StoredOfWorkspace,
} from './storage-quota-store.ts'

export type { StorageQuotaDb } from './storage-quota-store.ts'

const MB = 1_048_576

/**
 * How much a workspace may store: files, documents, and the index that is made of them, about. The counter is kept by the storage
 * (migration 0027).
 */
export interface StorageQuota {
  /**
   * Asked in the transaction that adds, after it has: it holds the counter by then, so that two that add at once see each other.
   *
   * @param addedBytes what is about to be added; 0 where the transaction has added it
   * @throws Refusal PLAN_REQUIRED where the workspace then stores more than it may
   */
  require(db: StorageQuotaDb, knowledgeBaseId: string, addedBytes: number): Promise<void>
  /** Null: no limit. */
  usage(db: StorageQuotaDb, workspaceId: string): Promise<{ bytes: number; limitBytes: number | null }>
}

/** @param limitMegabytes the operator's number for every workspace; undefined: what its plan says; 0: no limit */
export function createStorageQuota({ limitMegabytes }: { limitMegabytes: number | undefined }): StorageQuota {
  function limitOf(plan: Plan): number | null {
    const megabytes = limitMegabytes === undefined ? PLANS[plan].storageMegabytes : limitMegabytes
    return megabytes === null || megabytes === 0 ? null : megabytes * MB
  }

  function refuseOver({ bytes, plan }: StoredOfWorkspace, addedBytes: number): void {
    const limit = limitOf(plan)
    if (limit === null || bytes + addedBytes <= limit) return
    throw new Refusal('PLAN_REQUIRED', {
      because: `The workspace would store more than the ${limit / MB} MB that it may. Delete documents, files or sources, or ask whoever runs the service for more.`,
    })
  }

  return {
    require: async (db, knowledgeBaseId, addedBytes) => {
      const stored = await readStoredAround(db, knowledgeBaseId)
      if (stored !== undefined) refuseOver(stored, addedBytes)
    },
    usage: async (db, workspaceId) => {
      const stored = await readStoredOf(db, workspaceId)
      return stored === undefined
        ? { bytes: 0, limitBytes: null }
        : { bytes: stored.bytes, limitBytes: limitOf(stored.plan) }
    },
  }
}
