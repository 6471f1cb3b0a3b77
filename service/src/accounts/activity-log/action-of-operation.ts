import type { Endpoint } from '@citewell/contract/endpoint'

/** Operations that only read, ask or answer, although their method is not GET. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'askAsMember',
  'previewSource',
  'replayMessage',
  'searchAsMember',
  'takeTicketMessage',
])

/** Operations whose rooms record them in the transaction that performs them. */
const RECORDED_BY_ROOM: ReadonlySet<string> = new Set([
  'archiveKnowledgeBase',
  'createAccessToken',
  'createClientKey',
  'createKnowledgeBase',
  'createPasswordLink',
  'deleteAccessToken',
  'deleteConnectedTool',
  'deleteKnowledgeBase',
  'deleteKnowledgeBaseGrant',
  'endMySessions',
  'inviteMember',
  'putKnowledgeBaseGrant',
  'removeMember',
  'restoreKnowledgeBase',
  'revokeClientKey',
  'revokeMemberAccessToken',
  'updateClientKey',
  'updateKnowledgeBase',
  'updateMember',
  'updateWorkspace',
])

/** Who records an endpoint's changes: its own room, the route layer, or nobody because it changes nothing. */
export function recorderOf(endpoint: Endpoint): 'room' | 'route' | 'nobody' {
  if (endpoint.caller !== 'access-token' || endpoint.method === 'GET') return 'nobody'
  if (READ_ONLY.has(endpoint.operationId)) return 'nobody'
  return RECORDED_BY_ROOM.has(endpoint.operationId) ? 'room' : 'route'
}

const PAST: Record<string, string> = {
  cancel: 'cancelled',
  push: 'pushed',
  put: 'set',
  redeliver: 'redelivered',
  replay: 'replayed',
  run: 'run',
  start: 'started',
  upload: 'uploaded',
}

const snakeCase = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).slice(1)

/**
 * What an operation did, and to what kind of record.
 *
 * @example
 * actionOfOperation('updateSourceGroup') // { action: 'source_group.updated', targetType: 'source_group' }
 */
export function actionOfOperation(operationId: string): { action: string; targetType: string } {
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? operationId
  const noun = snakeCase(operationId.slice(verb.length)) || 'record'
  const past = PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)
  return { action: `${noun}.${past}`, targetType: noun }
}
