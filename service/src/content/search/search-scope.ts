/** Whose passages may be found. Enforced in the query itself, never afterwards. */
export interface SearchScope {
  knowledgeBaseId: string
  /** Only sources of these groups; undefined for all of them. */
  groupIds: readonly string[] | undefined
  /** Only these sources, limited to those groups; undefined for all of them. */
  sourceIds?: readonly string[] | undefined
  /** Also restricted documents. Never true on a public surface. */
  includeRestricted: boolean
  /**
   * Searches the documents of this source as they will be when what is held of it is released. Only to measure that: never what a reader
   * gets.
   */
  heldOf?: string | undefined
}

/** The same for the same scope; for what is remembered of a scope between two searches. */
export const scopeKey = ({
  knowledgeBaseId,
  groupIds,
  sourceIds,
  includeRestricted,
  heldOf,
}: SearchScope): string => JSON.stringify([knowledgeBaseId, groupIds, sourceIds, includeRestricted, heldOf])
