import { MINUTE_MS } from '../../kernel/duration.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { PseudonymOf } from '../../platform/secrets/pseudonym.ts'
import { countCall, deleteOldCalls } from './mcp-calls-store.ts'
import type { McpServersDb } from './mcp-servers-store.ts'

export interface McpCallsDeps {
  db: McpServersDb
  pseudonymOf: PseudonymOf
  now: () => Date
  report: (fault: unknown, doing: string) => void
}

/** A call of a tool, without what was asked. */
export interface McpCall {
  knowledgeBaseId: string
  serverId: string
  /** The signed-in person, or the address of a reader with a key; empty if neither is known. */
  caller: string
  zeroRetention: boolean
}

/** A disk that is full, or read-only, fails every call: it is reported now and then. */
const REPORT_EVERY_MS = MINUTE_MS

/**
 * How much the MCP servers are used. A reader is stored as a pseudonym that differs between servers; a workspace with zero retention
 * stores none.
 */
export function createMcpCalls({ db, pseudonymOf, now, report }: McpCallsDeps) {
  const counting = new Set<Promise<void>>()
  let reportedAt = -Infinity

  function onFailed(fault: unknown): void {
    if (now().getTime() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now().getTime()
    report(fault, 'counting an MCP call')
  }

  /** Counts a call beside its work: a caller does not wait for it, and is answered where nothing can be written. */
  function count({ knowledgeBaseId, serverId, caller, zeroRetention }: McpCall): void {
    const isKnown = caller !== '' && !zeroRetention
    const reader = isKnown ? pseudonymOf(`mcp ${serverId} ${caller}`) : undefined
    const one: Promise<void> = countCall(db, { knowledgeBaseId, serverId, reader })
      .catch(onFailed)
      .finally(() => {
        counting.delete(one)
      })
    counting.add(one)
  }

  const job: Job = {
    name: 'forget-mcp-calls',
    schedule: '29 * * * *',
    handle: async () => await deleteOldCalls(db),
  }

  return {
    count,
    jobs: [job],
    /** Ends when the calls so far are counted. */
    counted: async (): Promise<void> => void (await Promise.all(counting)),
  }
}

export type McpCalls = ReturnType<typeof createMcpCalls>
