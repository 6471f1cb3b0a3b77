import type { ParseShare } from './parse-share.ts'

/** A waiting item: its owner and its size. */
export interface Queued {
  share: ParseShare
  bytes: number
}

/** How often a base's oldest item may be passed by smaller ones before it is taken. */
const MAX_PASSES = 4

interface BaseQueue<Item> {
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
  const workspaces = new Map<string, Map<string, BaseQueue<Item>>>()

  const queueOf = ({ workspaceId, knowledgeBaseId }: ParseShare) =>
    workspaces.get(workspaceId)?.get(knowledgeBaseId)

  /** Number and size of this base's waiting items. */
  function queueSizeOf(share: ParseShare): { count: number; bytes: number } {
    const queue = queueOf(share)
    return { count: queue?.items.length ?? 0, bytes: queue?.bytes ?? 0 }
  }

  function add(item: Item): void {
    const { workspaceId, knowledgeBaseId } = item.share
    const bases = workspaces.get(workspaceId) ?? new Map<string, BaseQueue<Item>>()
    workspaces.set(workspaceId, bases)
    const queue = bases.get(knowledgeBaseId) ?? { items: [], bytes: 0, passes: 0 }
    bases.set(knowledgeBaseId, queue)
    queue.items.push(item)
    queue.bytes += item.bytes
  }

  function remove(item: Item): void {
    const { workspaceId, knowledgeBaseId } = item.share
    const bases = workspaces.get(workspaceId)
    const queue = bases?.get(knowledgeBaseId)
    const index = queue?.items.indexOf(item) ?? -1
    if (bases === undefined || queue === undefined || index < 0) return
    queue.items.splice(index, 1)
    queue.bytes -= item.bytes
    if (queue.items.length === 0) bases.delete(knowledgeBaseId)
    if (bases.size === 0) workspaces.delete(workspaceId)
  }

  /** Takes the next item of a base that may run now. */
  function take(mayRun: (share: ParseShare) => boolean): Item | undefined {
    for (const [workspaceId, bases] of workspaces) {
      for (const [knowledgeBaseId, queue] of bases) {
        const first = queue.items[0]
        if (first === undefined || !mayRun(first.share)) continue
        const item = queue.passes >= MAX_PASSES ? first : smallest(queue.items)
        queue.passes = item === first ? 0 : queue.passes + 1
        workspaces.delete(workspaceId)
        workspaces.set(workspaceId, bases)
        bases.delete(knowledgeBaseId)
        bases.set(knowledgeBaseId, queue)
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

  return { add, remove, take, clear, queueSizeOf }
}

function smallest<Item extends Queued>(items: readonly Item[]): Item | undefined {
  let found = items[0]
  for (const item of items) if (found !== undefined && item.bytes < found.bytes) found = item
  return found
}
