import type { ParseShare } from './parse-share.ts'

/**
 * Decides who may start: each base gets one parser for its syncs and one for awaited work, a workspace never gets all of them, and one of
 * several parsers is reserved for awaited work. So a base's slow documents delay its own syncs, but no one's push.
 */
export function createParserAdmission(parsers: number) {
  const running: ParseShare[] = []
  const maxUnreserved = Math.max(1, parsers - 1)

  function mayStart({ workspaceId, knowledgeBaseId, isAwaited }: ParseShare): boolean {
    if (running.length >= parsers) return false
    const ofWorkspace = running.filter((each) => each.workspaceId === workspaceId)
    if (ofWorkspace.length >= maxUnreserved) return false
    if (!isAwaited && running.filter((each) => !each.isAwaited).length >= maxUnreserved) return false
    return !ofWorkspace.some(
      (each) => each.knowledgeBaseId === knowledgeBaseId && each.isAwaited === isAwaited,
    )
  }

  return {
    mayStart,
    begin: (share: ParseShare) => void running.push(share),
    end: (share: ParseShare) => void running.splice(Math.max(0, running.indexOf(share)), 1),
  }
}
