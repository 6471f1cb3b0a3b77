import type { Owner } from './owner.ts'

/** Beyond this number the oldest turn is forgotten: its owner counts as never served. */
const MAX_REMEMBERED = 1_000

/** Records when each owner was last served. */
export interface Turns {
  note(owner: Owner): void
  /** Below 0 if the first goes before the second: compares when the workspace, then the base, was last served. */
  compare(one: Owner, other: Owner): number
}

export function createTurns(): Turns {
  let turn = 0
  const ofWorkspace = new Map<string, number>()
  const ofBase = new Map<string, number>()

  function noteIn(turns: Map<string, number>, id: string): void {
    turns.delete(id)
    turns.set(id, turn)
    const [oldest] = turns.size > MAX_REMEMBERED ? turns.keys() : []
    if (oldest !== undefined) turns.delete(oldest)
  }
  const lastOf = (turns: Map<string, number>, id: string) => turns.get(id) ?? 0

  return {
    note: ({ workspaceId, knowledgeBaseId }) => {
      turn += 1
      noteIn(ofWorkspace, workspaceId)
      noteIn(ofBase, knowledgeBaseId)
    },
    compare: (one, other) =>
      lastOf(ofWorkspace, one.workspaceId) - lastOf(ofWorkspace, other.workspaceId) ||
      lastOf(ofBase, one.knowledgeBaseId) - lastOf(ofBase, other.knowledgeBaseId),
  }
}
