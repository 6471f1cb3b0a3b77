import type { WorkspaceLlmChange } from '@citewell/contract/workspace-llm'
import type { WorkspaceChange } from '@citewell/contract/workspaces'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, inspectSecret, newSecret } from '../../kernel/secrets.ts'
import type { WorkspacesTable } from './workspaces-tables.ts'
import type { Sealer } from '../../platform/secrets/sealed.ts'
import { issueAccessToken, type AccessTokenRow } from '../access-tokens/access-tokens.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { hasSignInMethod } from '../external-identities/external-identities.ts'
import { changedLlm, type TriedModel, type WorkspaceModels } from '../language-models/language-models.ts'
import { hasScope, isMember, type Caller } from '../permissions/permissions.ts'
import { changedWorkspace, detailsOfChange, requireRightToChange } from './workspace-change.ts'
import {
  deleteUnusedSetupCodes,
  findFirstOwner,
  findPerson,
  findSetup,
  insertFirstWorkspace,
  insertSetupCode,
  isValidSetupCode,
  findWorkspace,
  lockFirstStart,
  lockWorkspace,
  setEmail,
  consumeSetupCode,
  UNNAMED_OWNER,
  updateWorkspace,
  type WorkspaceRow,
  type WorkspacesDb,
} from './workspaces-store.ts'

export { createInstanceWorkspaces, type InstanceWorkspaces } from './instance-workspaces.ts'
export { findFirstOwner, hasZeroRetention, UNNAMED_OWNER } from './workspaces-store.ts'

export interface WorkspacesDeps {
  db: WorkspacesDb
  /** Encrypts the secrets of a workspace: the API key of its language model. */
  sealer: Sealer
  models: Pick<WorkspaceModels, 'tryOnce' | 'problemOf'>
  newId: () => string
  now: () => Date
}

export interface FirstStart {
  workspaceId: string
  /** Code of a link that opens the dashboard as the owner, once, within an hour; undefined if the owner has a way of their own. */
  setupCode: string | undefined
}

/** Whether a later start creates a set-up code: as long as none was used, also afterwards, or never. */
export type SetupCodeRenewal = 'until-used' | 'always' | 'never'

const SETUP_CODE_LIFETIME_MS = 60 * 60 * 1_000

const EVERYTHING = { scopes: ['read' as const, 'config' as const, 'admin' as const], expiresAt: undefined }

/** The refusal of the code of a set-up link that was used or has expired. */
export const lapsedSetupCode = () =>
  new Refusal('NOT_FOUND', {
    because:
      'This set-up link was already used or has expired. If none was used yet, restart the service to print a new one.',
  })

const noWorkspace = () => new Refusal('NOT_FOUND', { because: 'There is no such workspace.' })

export function createWorkspaces({ db, sealer, models, newId, now }: WorkspacesDeps) {
  /** Workspaces whose model is being tried: each try is a call of a foreign service that somebody pays for. */
  const beingTried = new Set<string>()

  /**
   * Runs first at every start. On empty storage it creates the first workspace and its owner, whose first access token is
   * `bootstrapToken`; without one, each start creates a set-up code until one was used, and deletes the older ones. After one opened the dashboard, a start
   * creates another only if it is asked to, until the owner has a password or another way in.
   */
  async function bootstrap(given: {
    bootstrapToken: string | undefined
    plan: WorkspacesTable['plan']
    renewsSetupCode?: SetupCodeRenewal
  }): Promise<FirstStart> {
    if (given.bootstrapToken !== undefined && inspectSecret(given.bootstrapToken, 'cw_pat_') === 'mistyped')
      throw new Error(
        'CITEWELL_BOOTSTRAP_TOKEN looks like an access token that was copied with a typo. Copy it again, or choose any other 20 characters or more.',
      )
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
            isOperator: true,
          }
          await issueAccessToken(transaction, first)
          await recordStart()
          return { workspaceId, setupCode: undefined }
        }
      } else if (!(await needsSetupCode(transaction, userId, given.renewsSetupCode ?? 'until-used'))) {
        return { workspaceId, setupCode: undefined }
      }
      await deleteUnusedSetupCodes(transaction, userId)
      const setupCode = newSecret('cw_set_')
      const expiresAt = new Date(now().getTime() + SETUP_CODE_LIFETIME_MS)
      await insertSetupCode(transaction, { codeHash: hashSecret(setupCode), userId, expiresAt, now: now() })
      if (known === undefined) await recordStart()
      return { workspaceId, setupCode }

      async function recordStart() {
        await recordActivity(transaction, {
          workspaceId,
          actor: { system: 'first start' },
          action: 'workspace.created',
          target: { type: 'workspace', id: workspaceId },
          details: { plan: given.plan },
          at: now(),
        })
      }
    })
  }

  async function needsSetupCode(
    transaction: WorkspacesDb,
    userId: string,
    renews: SetupCodeRenewal,
  ): Promise<boolean> {
    const { isBegun, wasOpened } = await findSetup(transaction, userId)
    if (!isBegun || renews === 'never' || (wasOpened && renews === 'until-used')) return false
    return !(await hasSignInMethod(transaction, userId))
  }

  /** Whether a set-up link is still valid; this does not use it up. */
  async function isOpenSetupCode(code: string): Promise<boolean> {
    return await isValidSetupCode(db, hashSecret(code), now())
  }

  /**
   * Gives the owner's first access token in exchange for the code of a set-up link, to the first request only.
   *
   * @param signInMethod how the owner will sign in: the e-mail, and what is stored in the same transaction
   */
  async function claimSetupCode(
    code: string,
    signInMethod?: {
      email: string | undefined
      keep: (transaction: WorkspacesDb, userId: string) => Promise<void>
    },
  ): Promise<{ token: string; userId: string }> {
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      // A process that starts now would otherwise print one more link after the first was used.
      await lockFirstStart(transaction)
      const userId = await consumeSetupCode(transaction, hashSecret(code), now())
      if (userId === undefined) throw lapsedSetupCode()
      if (
        signInMethod?.email !== undefined &&
        !(await setEmail(transaction, { userId, email: signInMethod.email, now: now() }))
      ) {
        throw new Refusal('CONFLICT', {
          because: 'Another account already has this e-mail. Use a different one.',
        })
      }
      await signInMethod?.keep(transaction, userId)
      const first = { ...EVERYTHING, id: newId(), userId, name: 'Set-up link', now: now() }
      const { token, row } = await issueAccessToken(transaction, first)
      await recordIssued(transaction, row, 'set-up link')
      return { token, userId }
    })
  }

  /**
   * Gives the owner's id in exchange for the code of a set-up link, to the first request only. The owner has no password afterwards: until
   * they set one, a start at a terminal creates another code.
   */
  async function openWithSetupCode(code: string): Promise<{ userId: string }> {
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      await lockFirstStart(transaction)
      const userId = await consumeSetupCode(transaction, hashSecret(code), now())
      if (userId === undefined) throw lapsedSetupCode()
      // Expired from the beginning, and of a secret that nobody knows: it only says that the owner still needs a way in.
      const spent = { codeHash: hashSecret(newSecret('cw_set_')), userId, expiresAt: now(), now: now() }
      await insertSetupCode(transaction, spent)
      const person = await findPerson(transaction, userId)
      for (const { id: workspaceId } of person?.workspaces ?? []) {
        await recordActivity(transaction, {
          workspaceId,
          actor: { system: 'set-up link' },
          action: 'member.signed_in',
          target: { type: 'member', id: userId },
          details: {},
          at: now(),
        })
      }
      return { userId }
    })
  }

  /**
   * Gives the first owner, who has none yet, an e-mail address.
   *
   * @throws Refusal CONFLICT if another account has it, or this one has an address of its own
   */
  async function nameOwner(userId: string, email: string): Promise<void> {
    await db.transaction().execute(async (transaction: WorkspacesDb) => {
      await lockFirstStart(transaction)
      const person = await findPerson(transaction, userId)
      if (person?.user.email !== UNNAMED_OWNER)
        throw new Refusal('CONFLICT', { because: 'This account already has an e-mail address.' })
      if (!(await setEmail(transaction, { userId, email, now: now() })))
        throw new Refusal('CONFLICT', {
          because: 'Another account already has this e-mail. Use a different one.',
        })
    })
  }

  /** Records a token that was issued without a caller. */
  async function recordIssued(
    transaction: WorkspacesDb,
    { id, name, scopes, user_id: userId }: AccessTokenRow,
    system: string,
  ): Promise<void> {
    const person = await findPerson(transaction, userId)
    for (const { id: workspaceId } of person?.workspaces ?? []) {
      await recordActivity(transaction, {
        workspaceId,
        actor: { system },
        action: 'access_token.created',
        target: { type: 'access_token', id, name },
        details: { scopes },
        at: now(),
      })
    }
  }

  /** Creates an access token of the first owner, for the operator of this machine. */
  async function createOperatorToken(): Promise<string> {
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      const owner = await findFirstOwner(transaction)
      if (owner === undefined) throw new Error('bootstrap() comes before createOperatorToken()')
      const operator = { id: newId(), userId: owner.userId, name: 'Command line', now: now() }
      const made = { ...EVERYTHING, ...operator, isOperator: true }
      const { token, row } = await issueAccessToken(transaction, made)
      await recordIssued(transaction, row, 'command line')
      return token
    })
  }

  /** The caller, and the workspaces that they are in. */
  async function me(caller: Caller) {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const person = await findPerson(db, caller.userId)
    if (person === undefined) throw new Refusal('UNAUTHENTICATED')
    // Without the workspaces that the token is excluded from.
    return { ...person, workspaces: person.workspaces.filter(({ id }) => isMember(caller, id)) }
  }

  async function get(caller: Caller, workspaceId: string): Promise<WorkspaceRow> {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    const isVisible = isMember(caller, workspaceId) || caller.isOperator === true
    const workspace = isVisible ? await findWorkspace(db, workspaceId) : undefined
    if (workspace === undefined) throw noWorkspace()
    return workspace
  }

  /** Changes the given fields, for owners and admins; plan and allowance only for the operator. */
  async function change(
    caller: Caller,
    workspaceId: string,
    changes: Partial<WorkspaceChange>,
  ): Promise<WorkspaceRow> {
    if (!isMember(caller, workspaceId) && caller.isOperator !== true) throw noWorkspace()
    requireRightToChange(caller, workspaceId, changes)
    return await db.transaction().execute(async (transaction: WorkspacesDb) => {
      const before = await lockWorkspace(transaction, workspaceId)
      if (before === undefined) throw noWorkspace()
      const after = changedWorkspace(before, changes, { sealer, now: now() })
      await updateWorkspace(transaction, after)
      await recordActivity(transaction, {
        workspaceId,
        actor: caller,
        action: 'workspace.updated',
        target: { type: 'workspace', id: workspaceId, name: after.name },
        details: detailsOfChange(before, after, changes),
        at: now(),
      })
      return after
    })
  }

  /**
   * Tries the model of a workspace, or one with these changes. Nothing is stored.
   *
   * @throws Refusal NOT_FOUND, FORBIDDEN, BAD_REQUEST for a model without its address or name, RATE_LIMITED while another try runs
   */
  async function tryLlm(
    caller: Caller,
    workspaceId: string,
    changes: WorkspaceLlmChange | undefined,
    signal: AbortSignal,
  ): Promise<TriedModel> {
    if (!isMember(caller, workspaceId)) throw noWorkspace()
    requireRightToChange(caller, workspaceId, {})
    const workspace = await findWorkspace(db, workspaceId)
    if (workspace === undefined) throw noWorkspace()
    const llm = changes === undefined ? workspace : changedLlm(workspace, changes, { workspaceId, sealer })
    if (beingTried.has(workspaceId))
      throw new Refusal('RATE_LIMITED', { because: 'Another try is running. Wait until it has ended.' })
    beingTried.add(workspaceId)
    try {
      return await models.tryOnce(workspaceId, llm, signal)
    } finally {
      beingTried.delete(workspaceId)
    }
  }

  return {
    bootstrap,
    isOpenSetupCode,
    claimSetupCode,
    openWithSetupCode,
    nameOwner,
    createOperatorToken,
    me,
    get,
    change,
    tryLlm,
    /** What is wrong with the model that answers in a workspace; undefined as long as it answers, as far as this process knows. */
    modelProblemOf: (row: WorkspaceRow) => models.problemOf(row.id, row),
  }
}

export type Workspaces = ReturnType<typeof createWorkspaces>
