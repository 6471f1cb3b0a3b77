import type { NewWorkspace } from '@citewell/contract/workspaces'
import type { PageRequest } from '../../kernel/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { WholeDb } from '../../platform/storage/tables.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import type { Members } from '../members/members.ts'
import type { Caller } from '../permissions/permissions.ts'
import {
  findCountedWorkspace,
  insertWorkspace,
  listAllWorkspaces,
  type CountedWorkspace,
} from './instance-workspaces-store.ts'

export interface InstanceWorkspacesDeps {
  db: WholeDb
  members: Pick<Members, 'invite'>
  newId: () => string
  now: () => Date
}

/** Only the operator looks beyond workspaces of their own. */
function requireOperator(caller: Caller): void {
  if (caller.isOperator !== true) throw new Refusal('FORBIDDEN')
}

/** All workspaces of this installation, for its operator. */
export function createInstanceWorkspaces({ db, members, newId, now }: InstanceWorkspacesDeps) {
  async function list(caller: Caller, page: PageRequest): Promise<CountedWorkspace[]> {
    requireOperator(caller)
    return await listAllWorkspaces(db, page)
  }

  /** Makes a workspace and invites its first owner, both or neither. Until they join, it has no member. */
  async function create(
    caller: Caller,
    given: NewWorkspace,
  ): Promise<{ workspace: CountedWorkspace; email: string; code: string; expiresAt: Date }> {
    requireOperator(caller)
    const id = newId()
    const invited = await db.transaction().execute(async (transaction: WholeDb) => {
      await insertWorkspace(transaction, { id, name: given.name, plan: given.plan, now: now() })
      await recordActivity(transaction, {
        workspaceId: id,
        actor: caller,
        action: 'workspace.created',
        target: { type: 'workspace', id, name: given.name },
        details: { plan: given.plan },
        at: now(),
      })
      // The operator acts as an owner for this one invitation.
      const asOwner: Caller = { ...caller, workspaces: [{ id, role: 'owner' }] }
      return await members.invite(asOwner, id, { email: given.owner_email, role: 'owner' }, transaction)
    })
    const workspace = await findCountedWorkspace(db, id)
    if (workspace === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
    return { workspace, email: invited.member.email, code: invited.code, expiresAt: invited.expiresAt }
  }

  return { list, create }
}

export type InstanceWorkspaces = ReturnType<typeof createInstanceWorkspaces>
