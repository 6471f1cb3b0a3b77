import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import type { AnswerEvent, Answering } from '../../answers/answering/answering.ts'
import { newId } from '../../kernel/ids.ts'
import { runSimulation } from './run-simulation.ts'
import { requeueRuns } from '../../platform/storage/leased-runs.ts'
import { findSimulation, insertSimulation } from './simulations-store.ts'

let storage: TestStorage
beforeAll(async () => {
  storage = await openTestStorage()
})
afterAll(() => storage.close())

const now = () => new Date()
const FINISHED: AnswerEvent = {
  kind: 'finished',
  cited: [],
  covered: true,
  confidence: 0.9,
  rewritten: undefined,
  ids: undefined,
}
/** Answers immediately, and aborts the work of the process after `most` questions. */
function answeringUntil(most: number, leave: AbortController) {
  let asked = 0
  const answering: Pick<Answering, 'answerQuestion'> = {
    answerQuestion: async function* () {
      asked += 1
      if (asked > most) leave.abort(new Error('The process dies.'))
      yield FINISHED
    },
  }
  return { answering, asked: () => asked }
}

async function makeSimulation(tickets: number): Promise<{ knowledgeBaseId: string; id: string }> {
  const base = await makeBase(storage.db)
  const times = { created_at: now(), updated_at: now() }
  const of = { knowledge_base_id: base.id, id: newId() }
  await storage.db
    .insertInto('integrations')
    .values({
      ...of,
      kind: 'helpdesk_integration',
      name: 'Desk',
      platform: 'other',
      handles: 'tickets',
      description: null,
      enabled: true,
      config: '{}',
      sealed_credentials: null,
      ...times,
    })
    .execute()
  const simulation = {
    ...of,
    integration_id: of.id,
    name: 'March',
    status: 'queued' as const,
    total: tickets,
    left_out: '[]',
    sample: 'null',
    gaps: '[]',
    base_state: 'null',
    error: null,
    lease: null,
    heartbeat_at: null,
    started_at: null,
    finished_at: null,
    ...times,
  }
  const asked = Array.from({ length: tickets }, () => ({
    ref: null,
    subject: null,
    body: 'How?',
    asked_at: null,
    tags: [],
    language: null,
    agent_reply: null,
  }))
  await insertSimulation(storage.db, simulation, asked)
  return { knowledgeBaseId: base.id, id: of.id }
}

verifies(
  'simulations.crash',
  'a process that continues a simulation starts at the next ticket, and ends it only once',
  async () => {
    const of = await makeSimulation(5)
    const leave = new AbortController()
    const first = answeringUntil(2, leave)
    const deps = {
      db: storage.db,
      newId,
      now,
      modelOf: () => undefined,
      embeddingHost: undefined,
      embedder: undefined,
      report: () => {},
    }
    expect(await runSimulation({ ...deps, answering: first.answering }, of, leave.signal)).toBe(false)
    expect(await findSimulation(storage.db, of.id)).toMatchObject({ status: 'queued', completed: 3 })

    const second = answeringUntil(99, new AbortController())
    const never = new AbortController().signal
    const both = await Promise.all([
      runSimulation({ ...deps, answering: second.answering }, of, never),
      runSimulation({ ...deps, answering: second.answering }, of, never),
    ])
    expect(both.toSorted()).toEqual([false, true])
    expect(second.asked()).toBe(2)
    expect(await findSimulation(storage.db, of.id)).toMatchObject({ status: 'succeeded', completed: 5 })
  },
)

verifies('simulations.crash', 'a simulation whose process died is requeued after a while', async () => {
  const of = await makeSimulation(1)
  await storage.db
    .updateTable('simulations')
    .set({ status: 'running', lease: newId(), updated_at: new Date(Date.now() - 60_000) })
    .where('id', '=', of.id)
    .execute()
  expect(await requeueRuns(storage.db, 'simulations', new Date(Date.now() - 120_000), now())).toEqual([])
  expect(await requeueRuns(storage.db, 'simulations', new Date(Date.now() - 30_000), now())).toEqual([
    { knowledgeBaseId: of.knowledgeBaseId, id: of.id },
  ])
})
