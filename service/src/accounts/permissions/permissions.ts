import {
  PERMISSIONS_ON_BASE,
  type GrantedPermission,
  type Permission,
  type TokenScope,
} from '@citewell/contract/endpoint'

export { wouldBeLetIn } from './would-be-let-in.ts'

export type Role = 'owner' | 'admin' | 'member'

/** From the least to the most: each scope includes the ones before it. */
const SCOPES: readonly TokenScope[] = ['read', 'config', 'admin']

/** The session of a signed-in browser. */
export interface CallingSession {
  id: string
  /** The CSRF token that each of its changes sends in the header `X-Citewell-Csrf`. */
  csrf: string
  /** When the person signed in. */
  begunAt: Date
  /** When it expires if it is not used again. */
  expiresAt: Date
}

/** The caller of a management request, authenticated by an access token or by the session of a signed-in browser. */
export interface Caller {
  userId: string
  /** The access token that was sent; null for a session. */
  tokenId: string | null
  session?: CallingSession
  scopes: readonly TokenScope[]
  /** Only workspaces that this person is a member of. */
  workspaces: readonly { id: string; role: Role }[]
  /** Grants of this person on single bases, beyond their role. */
  grants?: readonly Grant[]
  /** The token was created on the machine of the service, or set in its environment. */
  isOperator?: boolean
}

/** The part of a caller that decides what they may do. Also for a connected tool, which reads on a member's behalf. */
export type Entitled = Pick<Caller, 'scopes' | 'workspaces' | 'grants'>

/** What a member may do with one knowledge base. */
export interface Grant {
  knowledgeBaseId: string
  permissions: readonly GrantedPermission[]
}

/** Whether the token has this scope or a higher one: `admin` includes `config` and `read`, `config` includes `read`. */
export function hasScope(caller: Pick<Entitled, 'scopes'>, scope: TokenScope): boolean {
  return SCOPES.slice(SCOPES.indexOf(scope)).some((reaching) => caller.scopes.includes(reaching))
}

/** The token scope that a permission requires. What it requires of the person is in `canUse`. */
const SCOPE_OF_PERMISSION: Record<Permission, TokenScope> = {
  member: 'read',
  chat: 'read',
  config: 'config',
  'edit-config': 'config',
}

/** The role of a caller in a workspace; undefined if they are not a member. */
export function roleIn(caller: Pick<Entitled, 'workspaces'>, workspaceId: string): Role | undefined {
  return caller.workspaces.find((workspace) => workspace.id === workspaceId)?.role
}

/** Whether the caller is a member of a workspace. A non-member must not learn that anything in it exists. */
export function isMember(caller: Caller, workspaceId: string): boolean {
  return roleIn(caller, workspaceId) !== undefined
}

/** Whether the caller is an owner or admin of a workspace. The scope of their token is checked separately. */
export function mayAdminister(caller: Caller, workspaceId: string): boolean {
  const role = roleIn(caller, workspaceId)
  return role === 'owner' || role === 'admin'
}

/** Every member may create knowledge bases, with a token of sufficient scope. */
export function canCreateKnowledgeBase(caller: Caller, workspaceId: string): boolean {
  return isMember(caller, workspaceId) && hasScope(caller, 'config')
}

/**
 * Whether the caller may read the text of a document or custom answer, wherever it is shown. Restricted ones require the permission
 * to chat: Config is for setting a base up, and covers only titles and states.
 */
export const mayReadText = (
  caller: Entitled,
  base: Parameters<typeof canUse>[1],
  { visibility }: { visibility: 'public' | 'restricted' },
): boolean => visibility === 'public' || canUse(caller, base, 'chat')

/** Whether the caller has this permission on a knowledge base. */
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

/** Everything that the caller may do with a knowledge base that they know of. */
export const permissionsOn = (caller: Entitled, base: Parameters<typeof canUse>[1]) =>
  PERMISSIONS_ON_BASE.filter((permission) => canUse(caller, base, permission))
