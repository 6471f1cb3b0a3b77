import { verifies } from '@citewell/spec/verifies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFakeLlm } from '../../service/test/fake-llm.ts'
import { databaseUrlOf, onServer } from '../../service/test/test-server.ts'
import { newDataDirectory, startCitewell, type RunningCitewell } from '../run-citewell.ts'
import { startKilledDeliveries, type KilledDeliveries } from './killed-deliveries.ts'
import {
  BETWEEN,
  createHoldingModel,
  QUESTIONS,
  startKilledEvaluations,
  type KilledEvaluations,
} from './killed-evaluations.ts'
import { startKilledSync, type KilledSync } from './killed-sync.ts'
import { KILLS } from './killed-work.ts'

/** The storage of this run: a new database on the server of DATABASE_URL, or the embedded one. */
async function newStorage(): Promise<Record<string, string>> {
  const dataDirectory = { CITEWELL_DATA_DIR: newDataDirectory() }
  const server = process.env['DATABASE_URL']
  if (server === undefined || server === '') return dataDirectory
  const database = `citewell_kills_${process.pid}`
  await onServer(server, `drop database if exists ${database} with (force)`)
  await onServer(server, `create database ${database}`)
  return { ...dataDirectory, DATABASE_URL: databaseUrlOf(server, database) }
}

// One process does all of it when it is ended: as many starts as kills, not as many for each kind of work.
describe(`kill -9 in the middle of a sync, evaluations and deliveries, ${KILLS} times`, () => {
  const model = createHoldingModel()
  let citewell: RunningCitewell
  let sync: KilledSync
  let evaluations: KilledEvaluations
  let deliveries: KilledDeliveries

  beforeAll(async () => {
    const llm = await startFakeLlm(model.behaviour)
    const settings = {
      ...(await newStorage()),
      CITEWELL_RATE_LIMITS: 'off',
      CITEWELL_LLM_BASE_URL: llm.baseUrl,
      CITEWELL_LLM_MODEL: 'fake',
    }
    citewell = await startCitewell(settings)
    evaluations = await startKilledEvaluations(citewell, model, llm)
    sync = await startKilledSync(citewell)
    deliveries = await startKilledDeliveries(citewell)
    // The deliveries last: they are over the soonest.
    const works = [evaluations, sync, deliveries]
    for (let round = 0; round < KILLS; round += 1) {
      for (const work of works) await work.begin(citewell, round)
      await citewell.kill()
      citewell = await startCitewell(settings)
      for (const work of works) await work.look(citewell, round)
    }
    for (const work of works) await work.end(citewell)
  }, 1_800_000)
  afterAll(async () => {
    for (const work of [sync, evaluations, deliveries]) await work?.[Symbol.asyncDispose]()
    if (citewell?.process.exitCode === null) await citewell.kill()
  })

  test('every document is complete after each, and the sync finishes without help', async () => {
    expect(sync.interrupted.map(({ length }) => length > 0)).toEqual(sync.interrupted.map(() => true))
    expect(sync.broken).toEqual([])
    expect(await sync.titles()).toEqual(sync.expectedTitles)
  })

  test('evaluations of two bases go on beside each other from the question that they were at', () => {
    // What was answered stays.
    expect(evaluations.found).toHaveLength(KILLS)
    for (const [round, runs] of evaluations.found.entries())
      for (const { completed } of runs) expect(completed).toBeGreaterThanOrEqual(BETWEEN * (round + 1))
    expect(evaluations.ended).toHaveLength(2)
    for (const run of evaluations.ended) expect(run).toMatchObject({ completed: QUESTIONS, total: QUESTIONS })
    // A question is asked again only if the process ended while it was.
    expect(model.requests()).toBeLessThanOrEqual((QUESTIONS + KILLS) * evaluations.ended.length)
  })

  verifies(
    'webhooks.at-most-once',
    'every stored decision was delivered at most once, and the log says which',
    async () => {
      const log = await deliveries.log()
      const told = log.map(
        ({ body }) => (JSON.parse(body) as { data: { approval_id: string } }).data.approval_id,
      )
      expect(told.toSorted()).toEqual((await deliveries.decided()).toSorted())
      const arrived = deliveries.arrived()
      expect(new Set(arrived).size).toBe(arrived.length)
      const byStatus = Object.groupBy(log, ({ status }) => status)
      expect(
        Object.keys(byStatus).filter((status) => status !== 'delivered' && status !== 'unknown'),
      ).toEqual([])
      for (const { id } of byStatus['delivered'] ?? []) expect(arrived).toContain(id)
      expect(new Set(log.map(({ id }) => id)).isSupersetOf(new Set(arrived))).toBe(true)
      expect(log.length).toBeGreaterThanOrEqual(KILLS)
      process.stdout.write(
        `${KILLS} kills: ${log.length} decisions stand, ${byStatus['delivered']?.length ?? 0} delivered, ` +
          `${byStatus['unknown']?.length ?? 0} unknown, ${arrived.length} arrived\n`,
      )
    },
  )

  test('the service that was left has no fault, and ends well', async () => {
    const { checks } = await citewell.json<{ checks: { status: string }[] }>('GET', '/api/v1/diagnostics')
    expect(checks.filter((check) => check.status === 'fault')).toEqual([])
    expect(await citewell.stop()).toBe(0)
  })
})
