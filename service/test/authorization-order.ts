import type { Endpoint } from '@citewell/contract/endpoint'

export type TeamEndpoint = Extract<Endpoint, { caller: 'access-token' }>

/** Questions, dry runs and messages are no changes. */
export const CHANGE_NOTHING = new Set([
  'askAsMember',
  'searchAsMember',
  'previewSource',
  'replayMessage',
  'takeTicketMessage',
])

/** What the records of the realm are past already: a sync or simulation that has ended. */
export const MAY_CONFLICT = new Set([
  'cancelSync',
  'cancelSimulation',
  'startSync',
  'previewSource',
  'replayMessage',
])

/** Reading first; then changes; deletions of what others stand on last; and the base itself at the very end. */
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
