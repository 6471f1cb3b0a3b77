import { Refusal } from '../../kernel/refusal.ts'
import {
  hasScope,
  isMember,
  mayAdminister,
  roleIn,
  type Caller,
  type Role,
} from '../permissions/permissions.ts'

/** Throws NOT_FOUND for a workspace that the caller is not in, FORBIDDEN if they may not change its members. */
export function requireRightOverMembers(caller: Caller, workspaceId: string): void {
  if (!isMember(caller, workspaceId))
    throw new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })
  if (!hasScope(caller, 'admin') || !mayAdminister(caller, workspaceId))
    throw new Refusal('FORBIDDEN', {
      because: 'Only owners and admins may invite, change and remove members.',
    })
}

/** Only owners manage owners: an admin could otherwise become one, or remove them. */
export function requireRightOverRoles(caller: Caller, workspaceId: string, roles: readonly Role[]): void {
  if (roles.includes('owner') && roleIn(caller, workspaceId) !== 'owner')
    throw new Refusal('FORBIDDEN', { because: 'Only owners may add, change and remove owners.' })
}
