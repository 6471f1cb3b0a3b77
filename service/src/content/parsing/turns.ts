import type { ParseShare } from './parse-share.ts'

/**
 * Who may begin: one base has one parser for its syncs and one for what is awaited, a workspace never has all of them, and
 * of several parsers one is kept for what is awaited. So a base's slow documents hold up its own syncs, and nobody's push.
 */
export function createTurns(parsers: number) {
  const running: ParseShare[] = []
  const mostBehind = Math.max(1, parsers - 1)

  function mayBegin({ workspaceId, knowledgeBaseId, isAwaited }: ParseShare): boolean {
    if (running.length >= parsers) return false
    const ofWorkspace = running.filter((each) => each.workspaceId === workspaceId)
    if (ofWorkspace.length >= mostBehind) return false
    if (!isAwaited && running.filter((each) => !each.isAwaited).length >= mostBehind) return false
    return !ofWorkspace.some(
      (each) => each.knowledgeBaseId === knowledgeBaseId && each.isAwaited === isAwaited,
    )
  }

  return {
    mayBegin,
    begin: (share: ParseShare) => void running.push(share),
    end: (share: ParseShare) => void running.splice(Math.max(0, running.indexOf(share)), 1),
  }
}
