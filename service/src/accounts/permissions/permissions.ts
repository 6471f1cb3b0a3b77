import type { GrantedPermission, Permission, TokenScope } from '@citewell/contract/endpoint'

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
  /** What this person was granted on single bases, beyond their role. */
  grants?: readonly Grant[]
  /** The token was made on the machine itself, or set in its environment. */
  isOperator?: boolean
}

/** What of a caller decides what they may do: also of somebody who is no caller of the management API, whose tool reads for them. */
export type Entitled = Pick<Caller, 'scopes' | 'workspaces' | 'grants'>

/** What a member may do with one knowledge base. */
export interface Grant {
  knowledgeBaseId: string
  permissions: readonly GrantedPermission[]
}

/** Whether the token was made for this: `admin` reaches `config` and `read`, `config` reaches `read`. */
export function hasScope(caller: Pick<Entitled, 'scopes'>, scope: TokenScope): boolean {
  return SCOPES.slice(SCOPES.indexOf(scope)).some((reaching) => caller.scopes.includes(reaching))
}

/** What a permission needs of the token; what it needs of the person is in `canUse`. */
const SCOPE_OF_PERMISSION: Record<Permission, TokenScope> = {
  member: 'read',
  chat: 'read',
  config: 'config',
  'edit-config': 'config',
}

/** What somebody is in a workspace; undefined where they are no member. */
export function roleIn(caller: Pick<Entitled, 'workspaces'>, workspaceId: string): Role | undefined {
  return caller.workspaces.find((workspace) => workspace.id === workspaceId)?.role
}

/** Whether somebody is a member of a workspace: nobody else is told that anything in it exists. */
export function isMember(caller: Caller, workspaceId: string): boolean {
  return roleIn(caller, workspaceId) !== undefined
}

/** Whether somebody is an owner or admin of a workspace; what their token may do is apart from that. */
export function mayAdminister(caller: Caller, workspaceId: string): boolean {
  const role = roleIn(caller, workspaceId)
  return role === 'owner' || role === 'admin'
}

/** Every member may make knowledge bases. */
export function canCreateKnowledgeBase(caller: Caller, workspaceId: string): boolean {
  return isMember(caller, workspaceId) && hasScope(caller, 'config')
}

/**
 * Whether somebody may be shown the words of a document or custom answer, wherever that is. Restricted ones are for those who may chat:
 * Config is there to set a base up, and reads titles and states alone.
 */
export const mayReadText = (
  caller: Entitled,
  base: Parameters<typeof canUse>[1],
  { visibility }: { visibility: 'public' | 'restricted' },
): boolean => visibility === 'public' || canUse(caller, base, 'chat')

/** Whether somebody may do this with a knowledge base. */
export function canUse(
  caller: Entitled,
  base: { id: string; workspace_id: string; workspace_members_can_chat: boolean },
  permission: Permission,
): boolean {
  const role = roleIn(caller, base.workspace_id)
  if (role === undefined || !hasScope(caller, SCOPE_OF_PERMISSION[permission])) return false
  if (role !== 'member') return true
  const granted = caller.grants?.find((grant) => grant.knowledgeBaseId === base.id)?.permissions ?? []
  switch (permission) {
    case 'member':
      return base.workspace_members_can_chat || granted.length > 0
    case 'chat':
      return base.workspace_members_can_chat || granted.includes('chat')
    case 'config':
      return granted.includes('config')
    case 'edit-config':
      return false
  }
}
