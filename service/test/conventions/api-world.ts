import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { takesIdempotencyKey, type Endpoint } from '@citewell/contract/endpoint'
import { sampleBody } from '../sample-body.ts'
import { startTestService, type TestService } from '../start-service.ts'

export const endpoints = ALL_ENDPOINTS

export type WireRecord = Record<string, unknown> & { id: string }

/** A service with three records of each kind that a knowledge base can have, created from the endpoint table. */
export interface ApiWorld extends AsyncDisposable {
  citewell: TestService
  baseId: string
  clientKey: string
  /** The answers to the creates, by operation. */
  made: ReadonlyMap<string, readonly WireRecord[]>
  /** Creates that failed, with the status and the reason. */
  refused: ReadonlyMap<string, string>
  /** The address of an endpoint, with ids of existing records if there are any. */
  pathOf(endpoint: Endpoint): string
  /** A valid body for an endpoint; `place` makes names unique. */
  bodyOf(endpoint: Endpoint, place: number): Record<string, unknown>
}

const UNKNOWN_ID = '0197f0c2-8a4e-7c31-9d52-6f1b2a7e4c10'

/** Ids of the records that bodies refer to, by field. */
const NAMED_IN_BODIES: Readonly<Record<string, string>> = {
  agent_id: 'agent-apps',
  integration_id: 'helpdesk-integrations',
  source_group_id: 'source-groups',
}

const BODIES: Readonly<Record<string, unknown>> = {
  createSource: { type: 'push', name: 'Pushed', config: {} },
}

const nounOf = (path: string) => path.split('/').findLast((part) => !part.startsWith('{')) ?? ''

/** The sample body, with a unique name and existing ids. */
function bodyOf(
  endpoint: Endpoint,
  place: number,
  ids: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const sample = structuredClone(BODIES[endpoint.operationId] ?? sampleBody(endpoint)) as Record<
    string,
    unknown
  >
  for (const [field, value] of Object.entries(sample)) {
    const id = ids.get(NAMED_IN_BODIES[field] ?? '')
    if (id !== undefined) sample[field] = id
    else if (field === 'server_name') sample[field] = `sample-server-${place}`
    else if ((field === 'name' || field === 'question') && typeof value === 'string') {
      sample[field] = `${value} ${place}`
    } else if (field === 'email') sample[field] = `person${place}@example.com`
  }
  return sample
}

/** Starts a service and fills it. */
export async function makeApiWorld(): Promise<ApiWorld> {
  const citewell = await startTestService()
  const base = await citewell.json<WireRecord & { client_key: { key: string }; widget: { id: string } }>(
    'POST',
    '/api/v1/knowledge-bases',
    { name: 'Acme docs' },
  )
  const me = await citewell.json<{ workspaces: { id: string }[]; user: { id: string } }>('GET', '/api/v1/me')
  const ids = new Map<string, string>([
    ['knowledge-bases', base.id],
    ['workspaces', me.workspaces[0]?.id ?? ''],
    ['members', me.user.id],
    ['widget-integrations', base.widget.id],
  ])
  const made = new Map<string, WireRecord[]>()
  const refused = new Map<string, string>()
  const pathOf = ({ path }: Endpoint) => {
    const parts = path.split('/')
    return parts
      .map((part, index) => (part.startsWith('{') ? (ids.get(parts[index - 1] ?? '') ?? UNKNOWN_ID) : part))
      .join('/')
  }
  const creates = endpoints
    .filter(takesIdempotencyKey)
    // Records that others refer to come first.
    .toSorted(
      (left, right) => Number(nounOf(right.path) in namedFirst) - Number(nounOf(left.path) in namedFirst),
    )
  for (const endpoint of creates) {
    for (const place of [1, 2, 3]) {
      const response = await citewell.send('POST', pathOf(endpoint), bodyOf(endpoint, place, ids))
      const answer = (await response.json()) as WireRecord
      if (response.status === 201) {
        made.set(endpoint.operationId, [...(made.get(endpoint.operationId) ?? []), answer])
        const noun = nounOf(endpoint.path)
        if (!ids.has(noun)) ids.set(noun, answer.id)
      } else refused.set(endpoint.operationId, `${response.status} ${JSON.stringify(answer)}`)
    }
  }
  const sourceId = ids.get('sources') ?? ''
  const documents = ['one', 'two', 'three'].map((title) => ({
    external_id: title,
    title,
    url: `https://docs.example.com/${title}`,
    markdown: `# ${title}\n\nThe signing key is rotated daily, says page ${title}.`,
  }))
  await citewell.json('PUT', `/api/v1/sources/${sourceId}/documents`, { documents })
  return {
    citewell,
    baseId: base.id,
    clientKey: base.client_key.key,
    made,
    refused,
    pathOf,
    bodyOf: (endpoint, place) => bodyOf(endpoint, place, ids),
    [Symbol.asyncDispose]: () => citewell[Symbol.asyncDispose](),
  }
}

const namedFirst = Object.fromEntries(Object.values(NAMED_IN_BODIES).map((noun) => [noun, true]))
