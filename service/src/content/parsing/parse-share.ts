/** For whom something is parsed: parsers are shared out evenly between workspaces, then between their bases. */
export interface ParseShare {
  workspaceId: string
  knowledgeBaseId: string
  /** Somebody waits for the answer to a request (a push, a custom answer): it goes before what syncs read. */
  isAwaited: boolean
}

/** Whatever is parsed for no base in particular stands in one line. */
export const NOBODYS_SHARE: ParseShare = { workspaceId: '', knowledgeBaseId: '', isAwaited: false }
