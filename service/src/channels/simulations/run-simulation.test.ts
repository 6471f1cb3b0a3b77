import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { makeBase } from '../../../test/make-records.ts'
import { openTestStorage, type TestStorage } from '../../../test/test-storage.ts'
import type { AnswerEvent, Answering } from '../../answers/answering/answering.ts'
import { claimNextRun, createFairRuns } from '../../answers/fair-runs/fair-runs.ts'
import { newId } from '../../kernel/ids.ts'
import { runSimulation } from './run-simulation.ts'
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
      embedder: () => undefined,
      report: () => {},
    }
    const claim = async () =>
      await claimNextRun(storage.db, 'simulations', {
        lease: newId(),
        now: now(),
        mostOfAWorkspace: 2,
        served: { workspaces: [], bases: [] },
      })
    const given = { shutdown: leave.signal, isTurnOver: () => Promise.resolve(false) }
    const begun = await claim()
    if (begun === undefined) throw new Error('Nothing waits.')
    expect(await runSimulation({ ...deps, answering: first.answering }, begun, given)).toBe(false)
    expect(await findSimulation(storage.db, of.id)).toMatchObject({ status: 'queued', completed: 3 })

    const second = answeringUntil(99, new AbortController())
    const never = { ...given, shutdown: new AbortController().signal }
    const both = (await Promise.all([claim(), claim()])).filter((one) => one !== undefined)
    expect(both).toMatchObject([{ id: of.id, knowledgeBaseId: of.knowledgeBaseId }])
    for (const held of both)
      expect(await runSimulation({ ...deps, answering: second.answering }, held, never)).toBe(true)
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
  const enqueued: string[] = []
  const { recover } = createFairRuns({
    db: storage.db,
    table: 'simulations',
    jobName: 'run-simulation',
    jobs: { enqueue: (name) => Promise.resolve(void enqueued.push(name)) },
    run: () => Promise.resolve(),
    newId,
    now,
    report: () => {},
  })
  await recover(120)
  expect([(await findSimulation(storage.db, of.id))?.status, enqueued]).toEqual(['running', []])
  await recover(30)
  expect([(await findSimulation(storage.db, of.id))?.status, enqueued]).toEqual([
    'queued',
    ['run-simulation'],
  ])
})
