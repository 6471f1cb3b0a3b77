import type { ParseShare } from './parse-share.ts'

/** A waiting item: its owner and its size. */
export interface Queued {
  share: ParseShare
  bytes: number
}

/** How often a base's oldest item may be passed by smaller ones before it is taken. */
const MAX_PASSES = 4

interface Line<Item> {
  /** Oldest first. */
  items: Item[]
  bytes: number
  passes: number
}

/**
 * A queue for each base. Workspaces take turns, and within a workspace its bases; in a base's turn its smallest item goes first, unless the
 * oldest was passed too often.
 */
export function createFairQueue<Item extends Queued>() {
  // A map keeps the order of its keys: a key that had its turn is put last.
  const workspaces = new Map<string, Map<string, Line<Item>>>()

  const lineOf = ({ workspaceId, knowledgeBaseId }: ParseShare) =>
    workspaces.get(workspaceId)?.get(knowledgeBaseId)

  /** Number and size of this base's waiting items. */
  function waitingOf(share: ParseShare): { count: number; bytes: number } {
    const line = lineOf(share)
    return { count: line?.items.length ?? 0, bytes: line?.bytes ?? 0 }
  }

  function add(item: Item): void {
    const { workspaceId, knowledgeBaseId } = item.share
    const bases = workspaces.get(workspaceId) ?? new Map<string, Line<Item>>()
    workspaces.set(workspaceId, bases)
    const line = bases.get(knowledgeBaseId) ?? { items: [], bytes: 0, passes: 0 }
    bases.set(knowledgeBaseId, line)
    line.items.push(item)
    line.bytes += item.bytes
  }

  function remove(item: Item): void {
    const { workspaceId, knowledgeBaseId } = item.share
    const bases = workspaces.get(workspaceId)
    const line = bases?.get(knowledgeBaseId)
    const place = line?.items.indexOf(item) ?? -1
    if (bases === undefined || line === undefined || place < 0) return
    line.items.splice(place, 1)
    line.bytes -= item.bytes
    if (line.items.length === 0) bases.delete(knowledgeBaseId)
    if (bases.size === 0) workspaces.delete(workspaceId)
  }

  /** Takes the next item of a base that may run now. */
  function take(mayRun: (share: ParseShare) => boolean): Item | undefined {
    for (const [workspaceId, bases] of workspaces) {
      for (const [knowledgeBaseId, line] of bases) {
        const first = line.items[0]
        if (first === undefined || !mayRun(first.share)) continue
        const item = line.passes >= MAX_PASSES ? first : smallest(line.items)
        line.passes = item === first ? 0 : line.passes + 1
        workspaces.delete(workspaceId)
        workspaces.set(workspaceId, bases)
        bases.delete(knowledgeBaseId)
        bases.set(knowledgeBaseId, line)
        if (item !== undefined) remove(item)
        return item
      }
    }
    return undefined
  }

  /** Removes and returns all items. */
  function clear(): Item[] {
    const all = [...workspaces.values()].flatMap((bases) => [...bases.values()].flatMap(({ items }) => items))
    workspaces.clear()
    return all
  }

  return { add, remove, take, clear, waitingOf }
}

function smallest<Item extends Queued>(items: readonly Item[]): Item | undefined {
  let found = items[0]
  for (const item of items) if (found !== undefined && item.bytes < found.bytes) found = item
  return found
}
