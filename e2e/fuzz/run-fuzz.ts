import { operationsOf, readApiDocument, type Operation } from './api-document.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { createJudge } from './judge-answer.ts'
import { makeRequest, type FuzzRequest } from './make-request.ts'
import { createRandom } from './random.ts'
import { sendRequest, type FuzzAnswer } from './send-request.ts'

export interface FuzzGiven {
  world: FuzzWorld
  seed: number
  requests: number
  /** Number of concurrent requests. */
  parallel: number
  onAnswer?: (request: FuzzRequest, answer: FuzzAnswer) => void
}

/** One kind of failure, with the first request that showed it. */
export interface Finding {
  operationId: string
  fault: string
  times: number
  request: string
}

export interface FuzzReport {
  seed: number
  requests: number
  operations: number
  /** Number of answers by status. */
  statuses: Record<string, number>
  /** Operations that never succeeded, so that only their validation was tested. */
  neverSucceeded: string[]
  findings: Finding[]
}

const shown = ({ method, target, headers, body, did }: FuzzRequest): string =>
  `${did}: ${method} ${target.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${body?.subarray(0, 300).toString() ?? ''}`

/** Records in these lists are only used, never ended: they include the fuzzer's own token, user and workspace. */
const NEVER_ENDED = new Set([
  'access-tokens',
  'members',
  'grants',
  'knowledge-bases',
  'client-keys',
  'sources',
  'activity',
])

/** Remembers the records in an answer, for later requests. */
function rememberRecords(world: FuzzWorld, { operation }: FuzzRequest, { status, text }: FuzzAnswer): void {
  if (status >= 300) return
  const noun = operation.path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  const { ids } = world
  const made = /^\{"id":"([^"]+)"/.exec(text)?.[1]
  if (made !== undefined && (status === 201 || status === 202)) {
    ids.spare(noun === 'sync' ? 'syncs' : noun === 'members' ? 'users' : noun, made)
  }
  if (text.startsWith('{"data":[{') && !NEVER_ENDED.has(noun)) {
    const [, listed] = /^\{"data":\[\{"id":"([^"]+)"/.exec(text) ?? []
    if (listed !== undefined) ids.spare(noun === 'deliveries' ? 'webhook-deliveries' : noun, listed)
  }
  for (const [, field, id] of text.matchAll(/"(message|thread|conversation)_id":"([^"]+)"/g)) {
    if (id !== undefined) ids.spare(`${field}s`, id)
  }
}

/** Sends requests generated from the service's own OpenAPI document, and checks each answer against it. */
export async function runFuzz(given: FuzzGiven): Promise<FuzzReport> {
  const { world, seed, requests, parallel } = given
  const document = await readApiDocument(world.address)
  const operations = operationsOf(document)
  const judge = createJudge(document)
  const random = createRandom(seed)
  const statuses = new Map<number, number>()
  const succeeded = new Set<string>()
  const findings = new Map<string, Finding>()
  let sent = 0

  function note(request: FuzzRequest, fault: string): void {
    const { operationId } = request.operation
    const name = `${operationId} ${fault}`
    const known = findings.get(name)
    if (known === undefined) findings.set(name, { operationId, fault, times: 1, request: shown(request) })
    else known.times += 1
  }

  async function sendOne(operation: Operation): Promise<void> {
    const request = makeRequest(operation, document, world, random)
    try {
      const answer = await sendRequest(world.address, request)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status < 300 && request.isAtOperation) succeeded.add(operation.operationId)
      rememberRecords(world, request, answer)
      for (const fault of judge(request, answer)) note(request, fault)
      given.onAnswer?.(request, answer)
    } catch (error) {
      note(request, `no answer: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function keepSending(): Promise<void> {
    while (sent < requests) {
      // Every operation in turn, so that none is left to chance.
      const operation = operations[sent % operations.length]
      sent += 1
      if (operation !== undefined) await sendOne(operation)
    }
  }

  await Promise.all(Array.from({ length: parallel }, keepSending))
  return {
    seed,
    requests: sent,
    operations: operations.length,
    statuses: Object.fromEntries([...statuses].toSorted(([left], [right]) => left - right)),
    neverSucceeded: operations
      .map(({ operationId }) => operationId)
      .filter((operationId) => !succeeded.has(operationId)),
    findings: [...findings.values()].toSorted((left, right) => right.times - left.times),
  }
}
