import type { Job } from '../../platform/jobs/jobs.ts'
import type { PseudonymOf } from '../../platform/secrets/pseudonym.ts'
import { countCall, deleteOldCalls } from './mcp-calls-store.ts'
import type { McpServersDb } from './mcp-servers-store.ts'

export interface McpCallsDeps {
  db: McpServersDb
  pseudonymOf: PseudonymOf
}

/** A call of a tool, without what was asked. */
export interface McpCall {
  knowledgeBaseId: string
  serverId: string
  /** The signed-in person, or the address of a reader with a key; empty if neither is known. */
  caller: string
  zeroRetention: boolean
}

/**
 * How much the MCP servers are used. A reader is stored as a pseudonym that differs between servers; a workspace with zero retention
 * stores none.
 */
export function createMcpCalls({ db, pseudonymOf }: McpCallsDeps) {
  async function count({ knowledgeBaseId, serverId, caller, zeroRetention }: McpCall): Promise<void> {
    const isKnown = caller !== '' && !zeroRetention
    const reader = isKnown ? pseudonymOf(`mcp ${serverId} ${caller}`) : undefined
    await countCall(db, { knowledgeBaseId, serverId, reader })
  }

  /** Deletes what is kept no longer. */
  const forgetOld = async (): Promise<void> => await deleteOldCalls(db)

  const job: Job = {
    name: 'forget-mcp-calls',
    schedule: '29 * * * *',
    concurrency: 1,
    handle: forgetOld,
  }

  return { count, forgetOld, jobs: [job] }
}

export type McpCalls = ReturnType<typeof createMcpCalls>
