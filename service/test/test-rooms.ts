import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TokenScope } from '@citewell/contract/endpoint'
import { createAccessTokens, issueAccessToken } from '../src/accounts/access-tokens/access-tokens.ts'
import { createActivityLog } from '../src/accounts/activity-log/activity-log.ts'
import {
  createClientKeys,
  createFirstClientKey,
  ownedClientKeys,
  presentClientKey,
  revokeClientKeys,
} from '../src/accounts/client-keys/client-keys.ts'
import { createGrants, grantToCreator } from '../src/accounts/grants/grants.ts'
import { createKnowledgeBases, type FirstRecords } from '../src/accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller, Role } from '../src/accounts/permissions/permissions.ts'
import { createInvitations, createMembers, createMemberTokens } from '../src/accounts/members/members.ts'
import { createWorkspaces } from '../src/accounts/workspaces/workspaces.ts'
import {
  createMcpServers,
  dropUnofferedMcpServers,
  ownedMcpServers,
} from '../src/channels/mcp-servers/mcp-servers.ts'
import {
  createFirstWidget,
  createWidgets,
  ownedWidgets,
  presentWidget,
} from '../src/channels/widgets/widgets.ts'
import {
  createDocuments,
  createPush,
  ownedDocuments,
  restrictDocuments,
} from '../src/content/documents/documents.ts'
import { ownedIntegrations } from '../src/channels/integrations/integrations.ts'
import { createCustomAnswers, ownedCustomAnswers } from '../src/content/custom-answers/custom-answers.ts'
import { createSourceCheck } from '../src/content/connectors/check-source.ts'
import { createIndexing } from '../src/content/indexing/indexing.ts'
import { createParsing, mediaTypeOfFile } from '../src/content/parsing/parsing.ts'
import { disconnectTools } from '../src/channels/oauth/oauth.ts'
import { createFormDeflectors, ownedFormDeflectors } from '../src/channels/form-deflectors/form-deflectors.ts'
import { createSourceGroups } from '../src/content/source-groups/source-groups.ts'
import { createSources, createUploads, ownedSources } from '../src/content/sources/sources.ts'
import { cancelSyncsOfBase, createSyncs } from '../src/content/syncs/syncs.ts'
import { newId } from '../src/kernel/ids.ts'
import { createEvents, type EventName } from '../src/platform/events/events.ts'
import { createLocalPaths } from '../src/platform/files/local-paths.ts'
import { createStoredFiles } from '../src/platform/files/stored-files.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import type { WorkspacesTable } from '../src/platform/storage/accounts-tables.ts'
import { createSealer } from '../src/platform/secrets/sealed.ts'
import { openTestStorage } from './test-storage.ts'

/**
 * The rooms of the management API on a database of their own, without HTTP, without workers, and without an embedding model. The
 * clock stands still until it is moved.
 *
 * @example
 * await using rooms = await openTestRooms()
 */
export async function openTestRooms() {
  const storage = await openTestStorage()
  const { db } = storage
  const filesDirectory = await mkdtemp(join(tmpdir(), 'citewell-rooms-'))
  const files = createStoredFiles({ directory: filesDirectory })
  const clock = { time: new Date('2026-03-09T10:00:00.000Z') }
  const now = () => clock.time
  const announced: { name: EventName; payload: unknown }[] = []
  const events = createEvents({
    onListenerFailed: (name, error) => {
      throw new Error(`A listener of ${name} failed.`, { cause: error })
    },
  })
  for (const name of ['sync.finished', 'document.visibility-changed'] as const) {
    events.listen(name, (payload) => void announced.push({ name, payload }))
  }
  const enqueued: { name: string; data: Record<string, string> }[] = []
  const jobs = {
    start: () => Promise.resolve(),
    enqueue: (name: string, data: Record<string, string>) =>
      Promise.resolve(void enqueued.push({ name, data })),
    stop: () => Promise.resolve(),
  }
  const log = { warn: () => {} }

  const indexing = createIndexing({ db, engine: storage.engine, embedder: undefined, newId, now })
  const parsing = createParsing({ workers: 1, timeLimitMs: 30_000, memoryLimitMb: 512 })
  const accessTokens = createAccessTokens({ db, newId, now })
  const sealer = createSealer(['a master key of tests, long enough to be one'])
  const workspaces = createWorkspaces({ db, sealer, newId, now })
  const knowledgeBases = createKnowledgeBases<FirstRecords>({
    db,
    grantToCreator,
    alsoCreate: async (transaction, base) => ({
      client_key: presentClientKey(await createFirstClientKey(transaction, base, newId, now())),
      widget: presentWidget(await createFirstWidget(transaction, base, newId, now())),
    }),
    onTypeChanged: async (transaction, { base, now: time }) => {
      if (base.type === 'internal') await revokeClientKeys(transaction, base.id, time)
      await dropUnofferedMcpServers(transaction, base)
      await restrictDocuments(transaction, base.id, time)
      return {}
    },
    owned: [
      ownedSources,
      ownedDocuments,
      ownedCustomAnswers,
      ownedClientKeys,
      ownedWidgets,
      ownedMcpServers,
      ownedFormDeflectors,
      ...ownedIntegrations,
    ],
    onArchived: cancelSyncsOfBase,
    dropIndex: indexing.dropIndex,
    events,
    newId,
    now,
  })
  const syncs = createSyncs({
    db,
    indexing,
    jobs,
    events,
    findSource: () => Promise.resolve(undefined),
    newId,
    now,
    log,
  })
  const localPaths = createLocalPaths({ roots: () => [], never: [] })
  const checkSource = createSourceCheck({
    localPaths,
    outbound: createOutbound({ allowPrivateNetwork: false }),
  })
  const sources = createSources({
    db,
    knowledgeBases,
    syncs,
    files,
    events,
    sealer,
    checkSource,
    newId,
    now,
  })
  const rooms = {
    accessTokens,
    workspaces,
    members: createMembers({ db, newId, now, disconnectTools }),
    memberTokens: createMemberTokens({ db, now }),
    invitations: createInvitations({ db, authenticate: accessTokens.authenticate, newId, now }),
    activityLog: createActivityLog({ db }),
    grants: createGrants({ db, knowledgeBases, now }),
    knowledgeBases,
    clientKeys: createClientKeys({ db, knowledgeBases, newId, now }),
    widgets: createWidgets({ db, knowledgeBases, newId, now }),
    mcpServers: createMcpServers({ db, knowledgeBases, newId, now }),
    formDeflectors: createFormDeflectors({ db, knowledgeBases, newId, now }),
    sourceGroups: createSourceGroups({ db, knowledgeBases, events, newId, now }),
    sources,
    checkSource,
    sealer,
    uploads: createUploads({ db, sources, syncs, files, mediaTypeOfFile, newId, now }),
    documents: createDocuments({ db, knowledgeBases, indexing, events, now }),
    push: createPush({
      db,
      sources,
      indexing,
      parse: (input, signal) => parsing.parse(input, signal),
      events,
      now,
    }),
    syncs,
    customAnswers: createCustomAnswers({
      db,
      knowledgeBases,
      indexing,
      parse: (input, signal) => parsing.parse(input, signal),
      events,
      publicUrl: () => 'https://answers.example.com',
      newId,
      now,
    }),
  }

  /** A workspace with one person in it, who calls with a token of these scopes. */
  async function joinWorkspace(
    given: {
      plan?: WorkspacesTable['plan']
      role?: Role
      scopes?: TokenScope[]
      workspaceId?: string
    } = {},
  ): Promise<Caller & { workspaceId: string }> {
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
    await issueAccessToken(db, { id: tokenId, userId, name: 'own', scopes, expiresAt: undefined, now: now() })
    return { userId, tokenId, scopes, workspaces: [{ id: workspaceId, role }], workspaceId }
  }

  /** Removes every record, so that a test can begin with empty storage. */
  async function empty(): Promise<void> {
    await db.deleteFrom('workspaces').execute()
    await db.deleteFrom('users').execute()
  }

  const close = async () => {
    await parsing.close()
    await storage.close()
    await rm(filesDirectory, { recursive: true })
  }
  return {
    ...rooms,
    storage,
    db,
    files,
    filesDirectory,
    indexing,
    clock,
    announced,
    enqueued,
    joinWorkspace,
    empty,
    close,
    [Symbol.asyncDispose]: close,
  }
}

export type TestRooms = Awaited<ReturnType<typeof openTestRooms>>
