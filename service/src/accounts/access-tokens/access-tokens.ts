import type { TokenScope } from '@citewell/contract/endpoint'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import { hashSecret, inspectSecret, newSecret } from '../../kernel/secrets.ts'
import { createUseRecorder, touchIn } from '../../platform/storage/last-use.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { recordActivity } from '../activity-log/activity-log.ts'
import { lockPerson } from '../people/people.ts'
import { hasScope, type Caller } from '../permissions/permissions.ts'
import {
  copyExclusions,
  countOrdinaryTokensOf,
  deleteAccessToken,
  findAccessToken,
  findTokenHolder,
  insertAccessToken,
  listAccessTokens,
  type AccessTokenRow,
  type AccessTokensDb,
} from './access-tokens-store.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export { deleteOrdinaryTokensOf, moveOperatorTokens, type AccessTokenRow } from './access-tokens-store.ts'
export { membershipsOf } from './memberships-store.ts'
export { listMemberTokens, excludeMemberToken } from './member-tokens.ts'
export { presentAccessToken } from './present-access-token.ts'

export interface AccessTokensDeps {
  db: AccessTokensDb
  newId: () => string
  now: () => Date
  /** Throws UNAUTHENTICATED if the session of a calling browser has ended. */
  requireOpenSession: (transaction: AccessTokensDb, sessionId: string | undefined) => Promise<void>
  /** Called when the last use of a token could not be written. The request continues. */
  onUseNotRecorded: (error: unknown) => void
}

export interface NewAccessToken {
  name: string
  scopes: TokenScope[]
  expiresAt: Date | undefined
  /** Made by the operator. A token that such a token creates is an ordinary one. */
  isOperator?: boolean
}

/** The start of a token that is shown in lists: enough to recognize it, far too little to use it. */
const startOf = (token: string) => token.slice(0, token.startsWith('cw_pat_') ? 11 : 4)

const unauthenticated = (because: string) => new Refusal('UNAUTHENTICATED', { because })

/**
 * Stores a token for a person and returns its text, which cannot be read again. It does not check permissions: only for rooms
 * that have already established whose token this is. Requests go through `create`.
 */
export async function issueAccessToken(
  db: Db<'access_tokens'>,
  issued: NewAccessToken & { id: string; userId: string; now: Date; token?: string },
): Promise<{ token: string; row: AccessTokenRow }> {
  const token = issued.token ?? newSecret('cw_pat_')
  const row: AccessTokenRow = {
    id: issued.id,
    user_id: issued.userId,
    name: issued.name,
    token_hash: hashSecret(token),
    token_start: startOf(token),
    scopes: issued.scopes,
    is_operator: issued.isOperator ?? false,
    expires_at: issued.expiresAt ?? null,
    last_used_at: null,
    created_at: issued.now,
    updated_at: issued.now,
  }
  await insertAccessToken(db, row)
  return { token, row }
}

export function createAccessTokens({
  db,
  newId,
  now,
  requireOpenSession,
  onUseNotRecorded,
}: AccessTokensDeps) {
  const recordUse = createUseRecorder(touchIn(db, 'access_tokens'), onUseNotRecorded)

  /** Resolves a token to its holder. Throws UNAUTHENTICATED for an unknown, deleted or expired one; the checksum catches a typo without a lookup. */
  async function authenticate(bearer: string): Promise<Caller> {
    if (inspectSecret(bearer, 'cw_pat_') === 'mistyped')
      throw unauthenticated('The access token has a typo or was cut: copy it again.')
    const holder = await findTokenHolder(db, hashSecret(bearer))
    if (holder === undefined)
      throw unauthenticated('The access token is not known: it may have been deleted.')
    const { token, workspaces, grants } = holder
    const time = now()
    if (token.expires_at !== null && token.expires_at <= time)
      throw unauthenticated('The access token has expired.')
    recordUse({ id: token.id, recorded: token.last_used_at, now: time })
    return {
      tokenId: token.id,
      userId: token.user_id,
      workspaces,
      grants,
      scopes: token.scopes as TokenScope[],
      isOperator: token.is_operator,
    }
  }

  /**
   * Checks, in the transaction of a change, that the credential of the caller was not ended meanwhile. Returns the token; undefined for
   * a session.
   */
  async function requireCredential(
    transaction: AccessTokensDb,
    { userId, tokenId, session }: Caller,
  ): Promise<AccessTokenRow | undefined> {
    if (tokenId === null) {
      await requireOpenSession(transaction, session?.id)
      return undefined
    }
    const own = await findAccessToken(transaction, userId, tokenId)
    if (own === undefined) throw unauthenticated('The access token was deleted.')
    return own
  }

  /**
   * Creates a token for the caller. It expires no later than the caller's own token, and reaches no workspace that the caller's
   * own is excluded from.
   */
  async function create(
    caller: Caller,
    given: NewAccessToken,
  ): Promise<{ token: string; row: AccessTokenRow }> {
    requireAdmin(caller)
    if (given.expiresAt !== undefined && given.expiresAt <= now())
      throw wrongField('expires_at', 'is in the past')
    const { name, scopes, expiresAt } = given
    return await db.transaction().execute(async (transaction: AccessTokensDb) => {
      // A concurrent account recovery ends the calling token: the lock makes it run before this or after it, never in between.
      await lockPerson(transaction, caller.userId)
      const own = await requireCredential(transaction, caller)
      if (own !== undefined) requireNotLonger(own, expiresAt)
      const made = { name, scopes, expiresAt, id: newId(), userId: caller.userId, now: now() }
      const issued = await issueAccessToken(transaction, made)
      if (own !== undefined)
        await copyExclusions(transaction, { from: own.id, to: issued.row.id, now: now() })
      await record(transaction, caller, 'access_token.created', issued.row)
      return issued
    })
  }

  /** Recorded in the log of every workspace that the person is in: the token reaches all of them. */
  async function record(
    transaction: AccessTokensDb,
    caller: Caller,
    action: string,
    { id, name, scopes }: AccessTokenRow,
  ): Promise<void> {
    // Always in the same order: two transactions that each wait for the other's log would deadlock.
    for (const workspaceId of caller.workspaces.map((workspace) => workspace.id).toSorted()) {
      await recordActivity(transaction, {
        workspaceId,
        actor: caller,
        action,
        target: { type: 'access_token', id, name },
        details: { scopes },
        at: now(),
      })
    }
  }

  async function list(caller: Caller, page: PageRequest): Promise<AccessTokenRow[]> {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    return await listAccessTokens(db, { ...page, userId: caller.userId })
  }

  /** The token that the caller authenticated with; undefined for a session. */
  async function current(caller: Caller): Promise<AccessTokenRow | undefined> {
    if (caller.tokenId === null) return undefined
    const row = await findAccessToken(db, caller.userId, caller.tokenId)
    if (row === undefined) throw unauthenticated('The access token was deleted.')
    return row
  }

  /** Revokes a token of the caller with immediate effect. */
  async function remove(caller: Caller, tokenId: string): Promise<void> {
    requireAdmin(caller)
    await db.transaction().execute(async (transaction: AccessTokensDb) => {
      const deleted = await deleteAccessToken(transaction, caller.userId, tokenId)
      if (deleted === undefined) throw new Refusal('NOT_FOUND', { because: 'There is no such access token.' })
      await record(transaction, caller, 'access_token.deleted', deleted)
    })
  }

  return {
    authenticate,
    requireCredential,
    create,
    current,
    list,
    remove,
    /** How many unexpired tokens a person has, without the operator's. */
    countOf: async (userId: string) => await countOrdinaryTokensOf(db, userId, now()),
  }
}

// A token of a day could otherwise make one that never expires.
function requireNotLonger(own: AccessTokenRow, expiresAt: Date | undefined): void {
  const end = own.expires_at
  if (end === null || (expiresAt !== undefined && expiresAt <= end)) return
  throw new Refusal('BAD_REQUEST', {
    details: [
      {
        path: 'expires_at',
        message: `must be given, and be no later than ${end.toISOString()}, when the calling token ends`,
      },
    ],
  })
}

// A token without the scope could otherwise create one that has it, or one that outlives it.
function requireAdmin(caller: Caller): void {
  if (!hasScope(caller, 'admin'))
    throw new Refusal('FORBIDDEN', {
      because: 'Access tokens are created and deleted with a token that has the scope admin.',
    })
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
