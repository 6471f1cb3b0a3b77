import { createAccessTokens } from '../accounts/access-tokens/access-tokens.ts'
import {
  auditActivity,
  createActivityLog,
  createChangeRecorder,
} from '../accounts/activity-log/activity-log.ts'
import { createAllowance } from '../accounts/allowance/allowance.ts'
import { createClientKeys } from '../accounts/client-keys/client-keys.ts'
import { createExternalIdentities } from '../accounts/external-identities/external-identities.ts'
import { createGrants } from '../accounts/grants/grants.ts'
import { createKnowledgeBases } from '../accounts/knowledge-bases/knowledge-bases.ts'
import {
  createInvitations,
  createMembers,
  createMemberTokens,
  createOwnAccount,
} from '../accounts/members/members.ts'
import { createPasswordHasher, createPasswords } from '../accounts/passwords/passwords.ts'
import { createSessions, requireOpenSession } from '../accounts/sessions/sessions.ts'
import type { StorageQuota } from '../accounts/storage-quota/storage-quota.ts'
import {
  createInstanceWorkspaces,
  createWorkspaces,
  findFirstOwner,
} from '../accounts/workspaces/workspaces.ts'
import { disconnectTools } from '../channels/oauth/oauth.ts'
import { LIVE_DOCUMENT_COUNT } from '../content/documents/documents.ts'
import { findGroups } from '../content/source-groups/source-groups.ts'
import type { Indexing } from '../content/indexing/indexing.ts'
import { BASE_HOOKS } from './base-hooks.ts'
import type { RoomParts } from './room-parts.ts'

/** Who may do what: people, workspaces, tokens, knowledge bases and their keys. */
export function composeAccounts(
  { db, now, newId, log, platform }: RoomParts,
  { storageQuota, indexing }: { storageQuota: StorageQuota; indexing: Indexing },
) {
  const common = { db, newId, now }
  const noting = {
    ...common,
    onUseNotRecorded: (error: unknown) =>
      log.warn({ err: error }, 'when a token, session or client key was last used was not recorded'),
  }
  const { events } = platform
  const accessTokens = createAccessTokens({ ...noting, requireOpenSession })
  const knowledgeBases = createKnowledgeBases({
    ...common,
    hooks: BASE_HOOKS,
    documentCount: LIVE_DOCUMENT_COUNT,
    dropIndex: indexing.dropIndex,
    events,
  })
  const ending = { ...common, disconnectTools, findFirstOwner }
  const members = createMembers(ending)
  return {
    accessTokens,
    workspaces: createWorkspaces({ ...common, sealer: platform.sealer, models: platform.workspaceModels }),
    sessions: createSessions(noting),
    passwords: createPasswords({ ...common, hasher: createPasswordHasher(), disconnectTools }),
    externalIdentities: createExternalIdentities({ ...common, disconnectTools }),
    members,
    ownAccount: createOwnAccount({ ...ending, requireCredential: accessTokens.requireCredential }),
    instanceWorkspaces: createInstanceWorkspaces({ ...common, members }),
    memberTokens: createMemberTokens(common),
    invitations: createInvitations({ ...common, authenticate: accessTokens.authenticate }),
    activityLog: createActivityLog({ db }),
    auditActivity: () => auditActivity(db),
    recordChanges: createChangeRecorder({
      db,
      now,
      locate: knowledgeBases.locate,
      onNotRecorded: (error, operationId) =>
        log.error(
          { err: error, operation: operationId },
          'a change could not be written to the activity log',
        ),
    }),
    knowledgeBases,
    grants: createGrants({ ...common, knowledgeBases }),
    clientKeys: createClientKeys({
      ...noting,
      knowledgeBases,
      findGroups: (knowledgeBaseId, groupIds) => findGroups(db, knowledgeBaseId, groupIds),
      onRevoked: (key) => events.announce('client-key.revoked', key),
    }),
    allowance: createAllowance({ db, storageQuota }),
  }
}

export type AccountRooms = ReturnType<typeof composeAccounts>
