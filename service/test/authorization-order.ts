import type { Endpoint } from '@citewell/contract/endpoint'

export type TeamEndpoint = Extract<Endpoint, { caller: 'access-token' }>

/** Questions, dry runs, messages and ratings of own answers change nothing of a base. */
export const CHANGE_NOTHING = new Set([
  'askAsMember',
  'checkBot',
  'checkHelpdesk',
  'askInWorkspace',
  'searchAsMember',
  'searchInWorkspace',
  'previewSource',
  'readTicketFile',
  'replayKnowledgeGap',
  'replayMessage',
  'takeTicketMessage',
  'rateMessage',
  'tryPiiMasking',
  'tryQuestion',
  'tryWorkspaceLlm',
  'watchPreview',
  'withdrawRating',
])

/** Operations that the records of the realm no longer allow: their sync and simulation have ended. */
export const MAY_CONFLICT = new Set([
  'acceptSync',
  'cancelSync',
  'discardSync',
  'cancelSimulation',
  // One run at a time.
  'createEvaluation',
  // Nobody else owns the workspace.
  'deleteMe',
  'restartSourceConnection',
  // Its ticket may have no answer.
  'reviewSimulatedTicket',
  'retrySync',
  // It needs a browser and an app of the operator.
  'startSourceConnection',
  'startSync',
  'previewSource',
  'watchPreview',
  'replayMessage',
])

/** Reads first, then changes; deletions of records that others refer to last; the base itself at the very end. */
export function inWorkingOrder(endpoints: readonly TeamEndpoint[]): TeamEndpoint[] {
  const LAST = [
    'deletePushedDocument',
    'deleteDocument',
    'deleteWebhookTrigger',
    'deleteHelpdeskIntegration',
    'deleteAgentApp',
    'deleteSource',
    'purgeConversations',
    'deleteKnowledgeBaseGrant',
    'removeMember',
    'archiveKnowledgeBase',
    'restoreKnowledgeBase',
    'deleteKnowledgeBase',
    'createKnowledgeBase',
  ]
  const rankOf = ({ method, operationId }: TeamEndpoint) => {
    if (LAST.includes(operationId)) return 3 + LAST.indexOf(operationId)
    if (method === 'GET' || CHANGE_NOTHING.has(operationId)) return 0
    return method === 'DELETE' ? 2 : 1
  }
  return endpoints.toSorted((one, other) => rankOf(one) - rankOf(other))
}
