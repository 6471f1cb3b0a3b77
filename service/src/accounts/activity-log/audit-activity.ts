import { CHAIN_START, hashEntry } from './activity-chain.ts'
import {
  listChainsWithoutHead,
  listHeads,
  readChain,
  type ActivityDb,
  type ActivityRow,
} from './activity-log-store.ts'

/** The result of an audit: how much it read, and each broken chain. */
export interface ActivityAudit {
  workspaces: number
  entries: number
  /** Each message names the workspace, the entry and what is wrong with it. One for each broken chain: all later entries depend on it. */
  faults: string[]
}

const PAGE_SIZE = 1_000

/** Recomputes every workspace's chain from its first entry. */
export async function auditActivity(db: ActivityDb): Promise<ActivityAudit> {
  const heads = await listHeads(db)
  const faults = (await listChainsWithoutHead(db)).map(
    (workspaceId) => `workspace ${workspaceId}: the head of its chain is missing`,
  )
  let entries = 0
  for (const head of heads) {
    const chain = await auditChain(db, head.workspace_id, {
      sequence: Number(head.sequence),
      hash: head.hash,
    })
    entries += chain.entries
    if (chain.error !== undefined) faults.push(`workspace ${head.workspace_id}: ${chain.error}`)
  }
  return { workspaces: heads.length, entries, faults }
}

async function auditChain(
  db: ActivityDb,
  workspaceId: string,
  head: { sequence: number; hash: string },
): Promise<{ entries: number; error: string | undefined }> {
  let previousHash = CHAIN_START
  let sequence = 0
  // Only up to the head that was read: other processes may append meanwhile.
  while (sequence < head.sequence) {
    const limit = Math.min(PAGE_SIZE, head.sequence - sequence)
    const rows = await readChain(db, { workspaceId, after: sequence, limit })
    for (const row of rows) {
      const error = errorOf(row, sequence + 1, previousHash)
      if (error !== undefined) return { entries: sequence, error }
      previousHash = row.hash
      sequence += 1
    }
    if (rows.length < limit) return { entries: sequence, error: `entry ${sequence + 1} is missing` }
  }
  if (previousHash !== head.hash)
    return { entries: sequence, error: `its last entry, ${sequence}, does not match the head of its chain` }
  return { entries: sequence, error: undefined }
}

function errorOf(row: ActivityRow, expected: number, previousHash: string): string | undefined {
  const { hash, sequence: written, ...fields } = row
  const sequence = Number(written)
  if (sequence !== expected) return `entry ${expected} is missing`
  if (hashEntry(previousHash, { ...fields, sequence }) === hash) return undefined
  return `entry ${sequence} (${row.id}, ${row.action}) was changed after it was written`
}
