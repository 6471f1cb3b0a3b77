/** For whom something is parsed: parsers are shared evenly among workspaces, then among their bases. */
export interface ParseShare {
  workspaceId: string
  knowledgeBaseId: string
  /** A client waits for the answer to a request (a push, a custom answer): it takes precedence over syncs. */
  isAwaited: boolean
}

/** The share of everything that is not parsed for a particular base. */
export const DEFAULT_SHARE: ParseShare = { workspaceId: '', knowledgeBaseId: '', isAwaited: false }
