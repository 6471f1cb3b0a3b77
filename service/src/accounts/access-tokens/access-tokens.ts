import type { TokenScope } from '@citewell/contract/endpoint'
import { Refusal } from '../../kernel/refusal.ts'
import { hashSecret, inspectSecret, newSecret } from '../../kernel/secrets.ts'
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
  touchAccessToken,
  type AccessTokenRow,
  type AccessTokensDb,
} from './access-tokens-store.ts'

export { deleteOrdinaryTokensOf, deleteTokensOf, type AccessTokenRow } from './access-tokens-store.ts'
export { listMemberTokens, shutOutMemberToken } from './member-tokens.ts'
export type { MemberTokensDb } from './member-tokens-store.ts'
export { presentAccessToken } from './present-access-token.ts'

export interface AccessTokensDeps {
  db: AccessTokensDb
  newId: () => string
  now: () => Date
}

export interface NewAccessToken {
  name: string
  scopes: TokenScope[]
  expiresAt: Date | undefined
  /** Of whoever operates the instance. What such a token makes is an ordinary one again. */
  isOperator?: boolean
}

/** `last_used_at` is this exact: a busy token does not write a row on every request. */
const USE_IS_NOTED_EVERY_MS = 60_000

/** Enough of a token to know it again in a list, and far too little to use it. */
const startOf = (token: string) => token.slice(0, token.startsWith('cw_pat_') ? 11 : 4)

const unauthenticated = (because: string) => new Refusal('UNAUTHENTICATED', { because })

/**
 * Stores a token for a person and returns its text, which cannot be read again. Only for rooms that know whose token they
 * make; requests go through `create`.
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

export function createAccessTokens({ db, newId, now }: AccessTokensDeps) {
  /** Who holds this token. Throws UNAUTHENTICATED for an unknown, deleted or expired one; a typo costs no lookup. */
  async function authenticate(bearer: string): Promise<Caller> {
    if (inspectSecret(bearer, 'cw_pat_') === 'mistyped') {
      throw unauthenticated('The access token has a typo or was cut: copy it again.')
    }
    const holder = await findTokenHolder(db, hashSecret(bearer))
    if (holder === undefined)
      throw unauthenticated('The access token is not known: it may have been deleted.')
    const { token, workspaces, grants } = holder
    const time = now()
    if (token.expires_at !== null && token.expires_at <= time)
      throw unauthenticated('The access token has expired.')
    const unlessSince = new Date(time.getTime() - USE_IS_NOTED_EVERY_MS)
    if (token.last_used_at === null || token.last_used_at <= unlessSince) {
      await touchAccessToken(db, { id: token.id, now: time, unlessSince })
    }
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
   * Makes a token for the caller: it lasts no longer than the caller's own, and reaches no workspace that this one is shut out of.
   */
  async function create(
    caller: Caller,
    given: NewAccessToken,
  ): Promise<{ token: string; row: AccessTokenRow }> {
    requireAdmin(caller)
    if (given.expiresAt !== undefined && given.expiresAt <= now()) {
      throw new Refusal('BAD_REQUEST', { details: [{ path: 'expires_at', message: 'is in the past' }] })
    }
    const { name, scopes, expiresAt } = given
    return await db.transaction().execute(async (transaction: AccessTokensDb) => {
      // Whoever gives the account back to its person at this moment ends this token, and then finds no other.
      await lockPerson(transaction, caller.userId)
      const own = await findAccessToken(transaction, caller.userId, caller.tokenId)
      if (own === undefined) throw unauthenticated('The access token was deleted.')
      requireNotLonger(own, expiresAt)
      const made = { name, scopes, expiresAt, id: newId(), userId: caller.userId, now: now() }
      const issued = await issueAccessToken(transaction, made)
      await copyExclusions(transaction, { from: own.id, to: issued.row.id, now: now() })
      await record(transaction, caller, 'access_token.created', issued.row)
      return issued
    })
  }

  /** In the log of every workspace that the person is in: the token reaches all of them. */
  async function record(
    transaction: AccessTokensDb,
    caller: Caller,
    action: string,
    { id, name, scopes }: AccessTokenRow,
  ): Promise<void> {
    // In one order for everybody: two who each wait for the other's log would wait for ever.
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

  async function list(
    caller: Caller,
    page: { after: string | undefined; limit: number },
  ): Promise<AccessTokenRow[]> {
    if (!hasScope(caller, 'read')) throw new Refusal('FORBIDDEN')
    return await listAccessTokens(db, { ...page, userId: caller.userId })
  }

  /** The token that the caller sent. */
  async function current(caller: Caller): Promise<AccessTokenRow> {
    const row = await findAccessToken(db, caller.userId, caller.tokenId)
    if (row === undefined) throw unauthenticated('The access token was deleted.')
    return row
  }

  /** Ends a token of the caller at once. */
  async function remove(caller: Caller, tokenId: string): Promise<void> {
    requireAdmin(caller)
    await db.transaction().execute(async (transaction: AccessTokensDb) => {
      const deleted = await deleteAccessToken(transaction, caller.userId, tokenId)
      if (deleted === undefined) {
        throw new Refusal('NOT_FOUND', { because: 'There is no such access token.' })
      }
      await record(transaction, caller, 'access_token.deleted', deleted)
    })
  }

  return {
    authenticate,
    create,
    current,
    list,
    remove,
    /** How many tokens of a person work, without those of whoever operates the instance. */
    countOf: async (userId: string) => await countOrdinaryTokensOf(db, userId, now()),
  }
}

// Whoever has a token for a day would otherwise have one for ever.
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

// A token without the scope could otherwise make one that has it, or one that outlives it.
function requireAdmin(caller: Caller): void {
  if (!hasScope(caller, 'admin')) {
    throw new Refusal('FORBIDDEN', {
      because: 'Access tokens are made and deleted with a token of the scope admin.',
    })
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
