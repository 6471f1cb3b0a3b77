import { Refusal } from '../../kernel/refusal.ts'
import { hasScope, isMember, mayAdminister, type Caller } from '../permissions/permissions.ts'
import {
  listEntries,
  type ActivityReaderDb,
  type ListedEntry,
  type ReadActivity,
} from './activity-log-store.ts'

export type { ActivityTables } from './activity-log-store.ts'
export { auditActivity, type ActivityAudit } from './audit-activity.ts'
export { recordAboutPerson, recordActivity, type Actor } from './record-activity.ts'
export { createChangeRecorder, type RecordLocation } from './record-changes.ts'

export function createActivityLog({ db }: { db: ActivityReaderDb }) {
  /** The activity of a workspace, newest first, for its owners and admins. */
  async function list(caller: Caller, read: ReadActivity): Promise<ListedEntry[]> {
    if (!isMember(caller, read.workspaceId))
      throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    if (!hasScope(caller, 'read') || !mayAdminister(caller, read.workspaceId))
      throw new Refusal('FORBIDDEN', { because: 'Only owners and admins may read the activity log.' })
    return await listEntries(db, read)
  }

  return { list }
}

export type ActivityLog = ReturnType<typeof createActivityLog>
