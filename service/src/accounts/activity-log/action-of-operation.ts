import type { Endpoint } from '@citewell/contract/endpoint'
import { snakeCase } from '../../kernel/snake-case.ts'

/** Who records an endpoint's changes: its own room, the route layer, or nobody because it changes nothing. */
export function recorderOf(endpoint: Endpoint): 'room' | 'route' | 'nobody' {
  if (endpoint.caller !== 'access-token' || endpoint.method === 'GET') return 'nobody'
  return endpoint.recordedBy ?? 'route'
}

const PAST: Record<string, string> = {
  cancel: 'cancelled',
  push: 'pushed',
  put: 'set',
  redeliver: 'redelivered',
  replay: 'replayed',
  retry: 'retried',
  run: 'run',
  start: 'started',
  upload: 'uploaded',
}

/**
 * What an operation did, and to what kind of record.
 *
 * @example
 * actionOfOperation('updateSourceGroup') // { action: 'source_group.updated', targetType: 'source_group' }
 */
export function actionOfOperation(operationId: string): { action: string; targetType: string } {
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? operationId
  const noun = snakeCase(operationId.slice(verb.length)).slice(1) || 'record'
  const past = PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)
  return { action: `${noun}.${past}`, targetType: noun }
}
