import { randomBytes } from 'node:crypto'
import type { McpAvailability, NewMcpServer } from '@citewell/contract/mcp-servers'
import { createRecordBases } from '../../accounts/base-records/base-records.ts'
import {
  lockType,
  type BaseHooks,
  type KnowledgeBases,
} from '../../accounts/knowledge-bases/knowledge-bases.ts'
import type { Caller } from '../../accounts/permissions/permissions.ts'
import { Refusal, wrongField } from '../../kernel/refusal.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { countCallsOfBase } from './mcp-calls-store.ts'
import {
  claimServer,
  deleteServersBut,
  findPublicServer,
  type McpServerRow,
  type McpServersDb,
  type UsedServer,
} from './mcp-servers-store.ts'
import { serverNames } from './server-names.ts'
import { countRecords, deleteRecord, listRecords, nameRecords } from '../../platform/storage/base-records.ts'
import type { PageRequest } from '../../kernel/paging.ts'

export { createMcpCalls, type McpCalls } from './mcp-calls.ts'
export { mcpServerUrl } from './present-mcp-server.ts'

export interface McpServersDeps {
  db: McpServersDb
  knowledgeBases: Pick<KnowledgeBases, 'open' | 'openActive'>
  newId: () => string
  now: () => Date
}

/** Sign-in types that a base of each type offers. */
const SIGN_IN_TYPES = {
  external: ['api_key', 'public'],
  internal: ['internal'],
} as const satisfies Record<string, readonly McpServerRow['sign_in_type'][]>

/** A base offers the sign-in types of its own type: servers of the others are deleted when the type changes. */
export const mcpServerHooks: BaseHooks = {
  records: [{ noun: 'mcp-servers', table: 'mcp_servers', name: 'server_name' }],
  owned: [{ counts: 'mcp_servers', count: countRecords('mcp_servers') }],
  affectedByInternal: [
    {
      shows: 'mcp_servers',
      name: nameRecords('mcp_servers', {
        name: 'server_name',
        where: { sign_in_type: [...SIGN_IN_TYPES.external] },
      }),
    },
  ],
  onTypeChanged: async (transaction: Db<'mcp_servers'>, { base }) => {
    await deleteServersBut(transaction, base.id, SIGN_IN_TYPES[base.type])
    return {}
  },
}

/** The records of MCP servers. The room `mcp` answers at their addresses. */
export function createMcpServers({ db, knowledgeBases, newId, now }: McpServersDeps) {
  const bases = createRecordBases({ db, knowledgeBases, table: 'mcp_servers', noun: 'MCP server' })

  const rowOf = (
    knowledgeBaseId: string,
    server_name: string,
    sign_in_type: McpServerRow['sign_in_type'],
  ): McpServerRow => ({
    knowledge_base_id: knowledgeBaseId,
    id: newId(),
    server_name,
    sign_in_type,
    last_used_at: null,
    created_at: now(),
    updated_at: now(),
  })

  /** Creates a server. Throws BAD_REQUEST for a sign-in type that the base does not offer, CONFLICT for a name that is taken. */
  async function create(caller: Caller, knowledgeBaseId: string, given: NewMcpServer): Promise<UsedServer> {
    const base = await knowledgeBases.openActive(caller, knowledgeBaseId, 'config')
    const row = rowOf(knowledgeBaseId, given.server_name, given.sign_in_type)
    await db.transaction().execute(async (transaction: McpServersDb) => {
      // Concurrent creations of a server wait for each other.
      const type = await lockType(transaction, knowledgeBaseId, { isAlone: true })
      if (type === undefined) throw bases.notFound()
      const offered: readonly string[] = SIGN_IN_TYPES[type]
      if (!offered.includes(given.sign_in_type)) {
        const message = `must be ${offered.join(' or ')} in an ${type} knowledge base`
        throw wrongField('sign_in_type', message)
      }
      if (!(await claimServer(transaction, row)))
        throw new Refusal('CONFLICT', { because: `The name "${given.server_name}" is taken.` })
    })
    return { ...row, calls: 0, readers: base.zero_data_retention ? null : 0 }
  }

  /**
   * The public server of an external base; created and named after the base if there is none, only once with concurrent calls. Undefined
   * for a base that is internal or deleted.
   */
  async function ensurePublicMcpServer(base: {
    id: string
    name: string
  }): Promise<McpServerRow | undefined> {
    const known = await findPublicServer(db, base.id)
    if (known !== undefined) return known
    return await db.transaction().execute(async (transaction: McpServersDb) => {
      if ((await lockType(transaction, base.id, { isAlone: true })) !== 'external') return undefined
      const made = await findPublicServer(transaction, base.id)
      if (made !== undefined) return made
      for (const name of serverNames(base.name, () => randomBytes(4).toString('hex'))) {
        const row = rowOf(base.id, name, 'public')
        if (await claimServer(transaction, row)) return row
      }
      return undefined
    })
  }

  async function list(caller: Caller, knowledgeBaseId: string, page: PageRequest): Promise<UsedServer[]> {
    const base = await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    const rows = await listRecords(db, 'mcp_servers', { ...page, knowledgeBaseId })
    const used = rows.length === 0 ? undefined : await countCallsOfBase(db, knowledgeBaseId)
    return rows.map((row) => {
      const { calls = 0, readers = 0 } = used?.get(row.id) ?? {}
      return { ...row, calls, readers: base.zero_data_retention ? null : readers }
    })
  }

  /** Why readers may not connect AI tools to a base; null if they may. */
  async function whyUnavailable(
    caller: Caller,
    knowledgeBaseId: string,
    offersSignIn: boolean,
  ): Promise<McpAvailability['because']> {
    const { type, status } = await knowledgeBases.open(caller, knowledgeBaseId, 'member')
    if (status === 'archived') return 'knowledge_base_archived'
    if (type === 'internal') return 'knowledge_base_internal'
    return offersSignIn ? null : 'sign_in_not_set_up'
  }

  /** Always throws: BAD_REQUEST for a caller who may see the server. */
  async function refuseChange(caller: Caller, serverId: string): Promise<never> {
    await bases.open(caller, serverId, 'config')
    throw new Refusal('BAD_REQUEST', {
      because:
        'The name and the sign-in type of an MCP server are fixed. Delete the server and create another.',
    })
  }

  async function remove(caller: Caller, serverId: string): Promise<void> {
    const base = await bases.open(caller, serverId, 'config')
    await deleteRecord(db, 'mcp_servers', { knowledgeBaseId: base.id, id: serverId })
  }

  return { create, ensurePublicMcpServer, list, whyUnavailable, refuseChange, remove }
}

export type McpServers = ReturnType<typeof createMcpServers>
