import type { TokenScope } from '@citewell/contract/endpoint'
import { issueAccessToken } from '../src/accounts/access-tokens/access-tokens.ts'
import type { Caller, Role } from '../src/accounts/permissions/permissions.ts'
import { newId } from '../src/kernel/ids.ts'
import type { TestStorage } from './test-storage.ts'
import type { Tables } from '../src/platform/storage/tables.ts'

export interface JoinGiven {
  plan?: Tables['workspaces']['plan']
  role?: Role
  scopes?: TokenScope[]
  /** An existing workspace; if omitted, one is created. */
  workspaceId?: string
}

export interface JoinedCaller extends Caller {
  workspaceId: string
  /** Their access token, as a request sends it. */
  token: string
}

/** A member of a workspace, who calls with a token of these scopes. */
export async function joinTestWorkspace(
  db: TestStorage['db'],
  now: () => Date,
  given: JoinGiven,
): Promise<JoinedCaller> {
  const workspaceId = given.workspaceId ?? newId()
  const userId = newId()
  const role = given.role ?? 'owner'
  const times = { created_at: now(), updated_at: now() }
  if (given.workspaceId === undefined) {
    const workspace = {
      id: workspaceId,
      name: 'Acme',
      plan: given.plan ?? 'enterprise',
      zero_data_retention: false,
    }
    await db
      .insertInto('workspaces')
      .values({ ...workspace, ...times })
      .execute()
  }
  const user = { id: userId, email: `${userId}@example.com`, name: 'Ada' }
  await db
    .insertInto('users')
    .values({ ...user, ...times })
    .execute()
  await db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, role, created_at: now() })
    .execute()
  const scopes = given.scopes ?? ['read', 'config', 'admin']
  const tokenId = newId()
  const { token } = await issueAccessToken(db, {
    id: tokenId,
    userId,
    name: 'own',
    scopes,
    expiresAt: undefined,
    now: now(),
  })
  return { userId, tokenId, scopes, workspaces: [{ id: workspaceId, role }], workspaceId, token }
}
