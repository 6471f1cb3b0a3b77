import { recordAboutPerson, recordActivity, type Actor } from '../../accounts/activity-log/activity-log.ts'
import { lockPerson } from '../../accounts/people/people.ts'
import { requireOpenSession } from '../../accounts/sessions/sessions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../platform/storage/tables.ts'
import {
  deleteConnection,
  deleteConnectionsOf,
  findOwnConnection,
  findBaseOfServer,
  listConnections,
  saveConnectedTool,
  updateChoice,
  type ChosenBases,
  type ConnectedToolRow,
  type ConnectedToolsDb,
  type NewConnectedTool,
} from './connected-tools-store.ts'
import { PORTAL } from './protected-resources.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export type { ChosenBases, ConnectedToolRow } from './connected-tools-store.ts'

/** A base that a member may let a tool read. */
export interface OfferedBase {
  id: string
  name: string
}

export interface ConnectedToolsDeps {
  db: ConnectedToolsDb
  /** The bases that a member may chat in now, sorted by name. */
  basesOf: (userId: string) => Promise<OfferedBase[]>
  now: () => Date
}

/** The member who acts, with an access token or (null) in a browser. */
export type ToolOwner = Extract<Actor, { userId: string }>

const MEMBER = 'user:'

/** The account id of a member at the authorization server. */
export const accountOfMember = (userId: string) => `${MEMBER}${userId}`

/** Deletes every connection of a member, for rooms that recover an account. Returns how many there were. */
export const disconnectTools = async (
  transaction: Db<'oauth_records' | 'connected_tools'>,
  userId: string,
): Promise<number> => await deleteConnectionsOf(transaction, accountOfMember(userId))

/** The refusal of an id that is not of a tool the member connected. */
export const connectedToolNotFound = () =>
  new Refusal('NOT_FOUND', { because: 'There is no such connected tool.' })

/** Whether the member's choice of bases applies: at other servers the address determines what is read. */
export const readsChosenBases = ({ server_id: serverId }: ConnectedToolRow) => serverId === PORTAL.id

/** The AI tools that members have connected. Only the member can see and disconnect them, whatever the role. */
export function createConnectedTools({ db, basesOf, now }: ConnectedToolsDeps) {
  /**
   * A member's tools read restricted documents, so the activity log records who connected one: in the workspace of the internal server, or
   * in all workspaces of the member if it is the portal.
   */
  async function record(
    transaction: ConnectedToolsDb,
    actor: ToolOwner,
    action: 'connected_tool.connected' | 'connected_tool.changed' | 'connected_tool.disconnected',
    tool: { id: string; serverId: string; clientName: string; resource: string; redirectHost: string },
  ): Promise<void> {
    const target = { type: 'connected_tool', id: tool.id, name: tool.clientName }
    const details = { url: tool.resource, redirect_host: tool.redirectHost }
    const activity = { actor, action, target, details, at: now() }
    if (tool.serverId === PORTAL.id) return await recordAboutPerson(transaction, actor.userId, activity)
    const place = await findBaseOfServer(transaction, tool.serverId)
    if (place !== undefined) await recordActivity(transaction, { ...activity, ...place })
  }

  const named = (row: ConnectedToolRow) => ({
    id: row.id,
    serverId: row.server_id,
    clientName: row.client_name,
    resource: row.resource,
    redirectHost: row.redirect_host,
  })

  /**
   * Stores a connection that was allowed. For readers nothing else is stored.
   *
   * @param sessionId of a signed-in member
   * @throws Refusal UNAUTHENTICATED if the session has ended meanwhile: the account may have been recovered by its owner
   */
  async function connect(tool: NewConnectedTool, sessionId: string | undefined): Promise<void> {
    await db.transaction().execute(async (transaction: ConnectedToolsDb) => {
      if (!tool.accountId.startsWith(MEMBER)) return await saveConnectedTool(transaction, tool)
      const actor = { userId: tool.accountId.slice(MEMBER.length), tokenId: null }
      await lockPerson(transaction, actor.userId)
      await requireOpenSession(transaction, sessionId)
      await saveConnectedTool(transaction, tool)
      await record(transaction, actor, 'connected_tool.connected', tool)
    })
  }

  async function list(userId: string, page: PageRequest): Promise<ConnectedToolRow[]> {
    return await listConnections(db, { accountId: accountOfMember(userId), ...page })
  }

  /** @throws Refusal NOT_FOUND, also for a tool of another member */
  async function get(userId: string, id: string): Promise<ConnectedToolRow> {
    const row = await findOwnConnection(db, accountOfMember(userId), id)
    if (row === undefined) throw connectedToolNotFound()
    return row
  }

  /** Deletes a connection: its tokens are refused from the next request on. Throws NOT_FOUND. */
  async function remove(owner: ToolOwner, id: string): Promise<void> {
    await db.transaction().execute(async (transaction: ConnectedToolsDb) => {
      const row = await deleteConnection(transaction, accountOfMember(owner.userId), id)
      if (row === undefined) throw connectedToolNotFound()
      await record(transaction, owner, 'connected_tool.disconnected', named(row))
    })
  }

  /**
   * The valid part of a choice: bases that the member may chat in.
   *
   * @throws Refusal BAD_REQUEST if no base remains
   */
  async function checkChoice(userId: string, chosen: ChosenBases): Promise<ChosenBases> {
    if (chosen.readsAll) return { readsAll: true, knowledgeBaseIds: [] }
    const offered = await basesOf(userId)
    const knowledgeBaseIds = offered.map(({ id }) => id).filter((id) => chosen.knowledgeBaseIds.includes(id))
    if (knowledgeBaseIds.length === 0)
      throw new Refusal('BAD_REQUEST', { because: 'Choose at least one knowledge base.' })
    return { readsAll: false, knowledgeBaseIds }
  }

  /** Changes which bases a tool may read, from the next request on. Throws NOT_FOUND, BAD_REQUEST. */
  async function choose(owner: ToolOwner, id: string, chosen: ChosenBases): Promise<void> {
    const { userId } = owner
    const row = await get(userId, id)
    if (!readsChosenBases(row)) throw connectedToolNotFound()
    const checked = await checkChoice(userId, chosen)
    await db.transaction().execute(async (transaction: ConnectedToolsDb) => {
      await updateChoice(transaction, { accountId: accountOfMember(userId), id }, checked)
      await record(transaction, owner, 'connected_tool.changed', named(row))
    })
  }

  return { connect, list, get, remove, choose, checkChoice, basesOf }
}

export type ConnectedTools = ReturnType<typeof createConnectedTools>
