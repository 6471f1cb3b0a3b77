import type { Permission, TokenScope } from '@citewell/contract/endpoint'

export type Role = 'owner' | 'admin' | 'member'

/** From the least to the most: each scope includes the ones before it. */
const SCOPES: readonly TokenScope[] = ['read', 'config', 'admin']

/** Who sends a management request, by an access token. */
export interface Caller {
  userId: string
  /** The access token that was sent. */
  tokenId: string
  scopes: readonly TokenScope[]
  /** Only where this person is a member. */
  workspaces: readonly { id: string; role: Role }[]
}

/** Whether the token was made for this: `admin` reaches `config` and `read`, `config` reaches `read`. */
export function hasScope(caller: Caller, scope: TokenScope): boolean {
  return SCOPES.slice(SCOPES.indexOf(scope)).some((reaching) => caller.scopes.includes(reaching))
}

/** What a permission needs of the token; what it needs of the person is in `canUse`. */
const SCOPE_OF_PERMISSION: Record<Permission, TokenScope> = {
  member: 'read',
  chat: 'read',
  config: 'config',
  'edit-config': 'config',
}

/** Whether somebody is a member of a workspace: nobody else is told that anything in it exists. */
export function isMember(caller: Caller, workspaceId: string): boolean {
  return caller.workspaces.some((workspace) => workspace.id === workspaceId)
}

/** Every member may make knowledge bases. */
export function canCreateKnowledgeBase(caller: Caller, workspaceId: string): boolean {
  return isMember(caller, workspaceId) && hasScope(caller, 'config')
}

/** Whether somebody may do this with a knowledge base. */
export function canUse(
  caller: Caller,
  base: { workspace_id: string; workspace_members_can_chat: boolean },
  permission: Permission,
): boolean {
  const role = caller.workspaces.find((workspace) => workspace.id === base.workspace_id)?.role
  if (role === undefined || !hasScope(caller, SCOPE_OF_PERMISSION[permission])) return false
  if (role !== 'member') return true
  return permission === 'member' || (permission === 'chat' && base.workspace_members_can_chat)
}
