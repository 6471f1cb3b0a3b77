import type { Endpoint } from '@citewell/contract/endpoint'
import type { Route } from '../../platform/http/endpoint.ts'
import type { Caller } from '../permissions/permissions.ts'
import { actionOfOperation, recorderOf } from './action-of-operation.ts'
import type { ActivityTables } from './activity-log-store.ts'
import { recordActivity } from './record-activity.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** The workspace and base of a record, and its name. */
export interface RecordLocation {
  workspaceId: string
  /** Undefined for a record that belongs to the whole workspace. */
  knowledgeBaseId: string | undefined
  name: string | undefined
}

export interface ChangeRecorderDeps {
  db: Db<ActivityTables>
  now: () => Date
  /** Where the record of a noun in paths belongs; undefined if there is none. */
  locate(noun: string, id: string): Promise<RecordLocation | undefined>
  /** Called when a change was made but could not be recorded. The caller's request has succeeded. */
  onNotRecorded(error: unknown, operationId: string): void
}

type TeamRoute = Route<'access-token', Caller>

/**
 * Records every change made through a management endpoint that no room records itself. It wraps all routes, so that the changes of
 * a new endpoint are recorded by default.
 */
export function createChangeRecorder({ db, now, locate, onNotRecorded }: ChangeRecorderDeps) {
  return (route: TeamRoute): TeamRoute => {
    const { endpoint } = route
    if (recorderOf(endpoint) !== 'route') return route
    return {
      endpoint,
      handle: async (asked) => {
        // Before the change: a deleted record cannot be looked up afterwards.
        const location = await locationOf(locate, endpoint, asked.params)
        const answer = await route.handle(asked)
        if (location === undefined) return answer
        try {
          await record(location, {
            endpoint,
            caller: asked.caller,
            params: asked.params,
            body: asked.body,
            answer,
          })
        } catch (error) {
          onNotRecorded(error, endpoint.operationId)
        }
        return answer
      },
    }
  }

  async function record(location: RecordLocation, change: Change): Promise<void> {
    const { action, targetType } = actionOfOperation(change.endpoint.operationId)
    const name = NAMELESS.has(targetType)
      ? undefined
      : (textOf(change.answer, 'name') ?? textOf(change.answer, 'title') ?? location.name)
    await db.transaction().execute(async (transaction: ChangeRecorderDeps['db']) => {
      await recordActivity(transaction, {
        workspaceId: location.workspaceId,
        ...(location.knowledgeBaseId !== undefined && { knowledgeBaseId: location.knowledgeBaseId }),
        actor: change.caller,
        action,
        target: {
          type: targetType,
          id: textOf(change.answer, 'id') ?? textOf(change.params, 'id') ?? '',
          ...(name !== undefined && { name }),
        },
        details: detailsOf(change),
        at: now(),
      })
    })
  }
}

interface Change {
  endpoint: Endpoint
  caller: Caller
  params: unknown
  body: unknown
  answer: unknown
}

/** The title of an approval is text of customers: it is purged with it, while entries of the log stay. */
const NAMELESS = new Set(['approval'])

const NOUN = /^\/api\/v1\/([a-z-]+)\/\{id\}/

async function locationOf(
  locate: ChangeRecorderDeps['locate'],
  endpoint: Endpoint,
  params: unknown,
): Promise<RecordLocation | undefined> {
  const noun = NOUN.exec(endpoint.path)?.[1]
  const id = textOf(params, 'id')
  if (noun === undefined || id === undefined) return undefined
  if (noun === 'workspaces') return { workspaceId: id, knowledgeBaseId: undefined, name: undefined }
  return await locate(noun, id)
}

/** Which fields were sent with a change, without their values, and the other ids in the path. */
function detailsOf({ endpoint, body, params }: Change): Record<string, unknown> {
  const isFields = endpoint.method === 'PATCH' && typeof body === 'object' && body !== null
  const { id: _id, ...others } = (params ?? {}) as Record<string, unknown>
  return { ...(isFields && { fields: Object.keys(body).toSorted() }), ...others }
}

function textOf(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = (value as Record<string, unknown>)[field]
  return typeof found === 'string' ? found : undefined
}
