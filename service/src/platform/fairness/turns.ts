import type { Owner } from './owner.ts'

/** Of more than these the oldest turn is forgotten: whoever had it counts as never served. */
const MOST_REMEMBERED = 1_000

/** Who had a turn when. */
export interface Turns {
  note(owner: Owner): void
  /** Below 0 where the first is to go before the second: of the workspace, then of the base, that was served longest ago. */
  compare(one: Owner, other: Owner): number
}

export function createTurns(): Turns {
  let turn = 0
  const ofWorkspace = new Map<string, number>()
  const ofBase = new Map<string, number>()

  function noteIn(turns: Map<string, number>, id: string): void {
    turns.delete(id)
    turns.set(id, turn)
    const [oldest] = turns.size > MOST_REMEMBERED ? turns.keys() : []
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
