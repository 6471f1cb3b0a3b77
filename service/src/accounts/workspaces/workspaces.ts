import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, inspectSecret, newSecret } from '../../kernel/secrets.ts'
import type { WorkspacesTable } from '../../platform/storage/accounts-tables.ts'
import { issueAccessToken } from '../access-tokens/access-tokens.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'
import {
  deleteLapsedSetupCodes,
  findFirstOwner,
  findPerson,
  hasUnusedSetupCode,
  insertFirstWorkspace,
  insertSetupCode,
  lockFirstStart,
  takeSetupCode,
  type WorkspacesDb,
} from './workspaces-store.ts'

export interface WorkspacesDeps {
  db: WorkspacesDb
  newId: () => string
  now: () => Date
}

export interface FirstStart {
  workspaceId: string
  /** Code of a link that gives the owner's first access token, once, within a day; undefined when that was done. */
  setupCode: string | undefined
}

const SETUP_CODE_LIVES_MS = 24 * 60 * 60 * 1_000

const EVERYTHING = { scopes: ['read' as const, 'config' as const, 'admin' as const], expiresAt: undefined }

export function createWorkspaces({ db, newId, now }: WorkspacesDeps) {
  /**
   * What a start does before anything else. On empty storage it makes the first workspace and its owner, whose first access
   * token is `bootstrapToken`; without one, every start makes a new set-up code until one of them has been used.
   */
  async function bootstrap(given: {
    bootstrapToken: string | undefined
    plan: WorkspacesTable['plan']
  }): Promise<FirstStart> {
    if (given.bootstrapToken !== undefined && inspectSecret(given.bootstrapToken, 'cw_pat_') === 'mistyped') {
      throw new Error(
        'CITEWELL_BOOTSTRAP_TOKEN looks like an access token that was copied with a typo. Copy it again, or choose any other 20 characters or more.',
      )
    }
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      await lockFirstStart(transaction)
      const known = await findFirstOwner(transaction)
      const { userId, workspaceId } = known ?? { userId: newId(), workspaceId: newId() }
      if (known === undefined) {
        await insertFirstWorkspace(transaction, { userId, workspaceId, plan: given.plan, now: now() })
        if (given.bootstrapToken !== undefined) {
          const first = {
            ...EVERYTHING,
            id: newId(),
            userId,
            name: 'Bootstrap',
            now: now(),
            token: given.bootstrapToken,
          }
          await issueAccessToken(transaction, first)
          return { workspaceId, setupCode: undefined }
        }
      } else if (!(await hasUnusedSetupCode(transaction, userId))) {
        return { workspaceId, setupCode: undefined }
      }
      await deleteLapsedSetupCodes(transaction, userId, now())
      const setupCode = newSecret('cw_set_')
      const expiresAt = new Date(now().getTime() + SETUP_CODE_LIVES_MS)
      await insertSetupCode(transaction, { codeHash: hashSecret(setupCode), userId, expiresAt, now: now() })
      return { workspaceId, setupCode }
    })
  }

  /** Gives the owner's first access token for the code of a set-up link, to the first who asks. */
  async function claimSetupCode(code: string): Promise<string> {
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      // A process that starts at this moment would otherwise print one more link, after the first was used.
      await lockFirstStart(transaction)
      const userId = await takeSetupCode(transaction, hashSecret(code), now())
      if (userId === undefined) {
        throw new Refusal('NOT_FOUND', {
          because:
            'This set-up link was used already or has expired. A restart prints a new one while none was used.',
        })
      }
      const first = { ...EVERYTHING, id: newId(), userId, name: 'Set-up link', now: now() }
      return (await issueAccessToken(transaction, first)).token
    })
  }

  /** A new access token of the first owner, for whoever operates this machine. */
  async function createOperatorToken(): Promise<string> {
    const owner = await findFirstOwner(db)
    if (owner === undefined) throw new Error('bootstrap() comes before createOperatorToken()')
    const operator = { ...EVERYTHING, id: newId(), userId: owner.userId, name: 'Command line', now: now() }
    return (await issueAccessToken(db, operator)).token
  }

  /** The caller, and the workspaces that they are in. */
  async function me(caller: Caller) {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const person = await findPerson(db, caller.userId)
    if (person === undefined) throw new Refusal('UNAUTHENTICATED')
    return person
  }

  return { bootstrap, claimSetupCode, createOperatorToken, me }
}

export type Workspaces = ReturnType<typeof createWorkspaces>
