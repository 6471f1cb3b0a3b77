import { expect, test } from 'vitest'
import { fakeLlm, startFakeLlm } from '../service/test/fake-llm.ts'
import { newDataDirectory, startCitewell, until, type RunningCitewell } from './run-citewell.ts'

interface Evaluation {
  id: string
  status: string
  completed: number
  total: number
}

/** `npm run test:kills` has twenty. */
const KILLS = Number(process.env['KILL_ROUNDS'] ?? 1)
/** Answered before each kill, and after the last. */
const BETWEEN = 4
const QUESTIONS = BETWEEN * (KILLS + 1)
const TEXT = 'Signing keys are rotated every day at midnight.'

async function makeBase(citewell: RunningCitewell, name: string): Promise<string> {
  const { id } = await citewell.json<{ id: string }>('POST', '/api/v1/knowledge-bases', { name })
  const path = `/api/v1/knowledge-bases/${id}`
  const source = await citewell.json<{ id: string }>('POST', `${path}/sources`, {
    type: 'push',
    name: 'Docs',
    config: {},
  })
  await citewell.json('PUT', `/api/v1/sources/${source.id}/documents`, {
    documents: [{ external_id: 'keys', title: 'Keys', url: 'https://docs.example.com/keys', markdown: TEXT }],
  })
  for (let number = 1; number <= QUESTIONS; number += 1)
    await citewell.json('POST', `${path}/evaluation-questions`, {
      question: `When are the signing keys of ${name} rotated in region ${number}?`,
    })
  return id
}

test(`evaluations of two bases go on beside each other from the question that they were at after each of ${KILLS} kills`, async () => {
  await using llm = await startFakeLlm(async (exchange) => {
    await new Promise((wake) => {
      setTimeout(wake, 150)
    })
    await fakeLlm.says(`${TEXT} [1]`)(exchange)
  })
  const environment = {
    CITEWELL_DATA_DIR: newDataDirectory(),
    CITEWELL_LLM_BASE_URL: llm.baseUrl,
    CITEWELL_LLM_MODEL: 'fake',
  }
  let citewell = await startCitewell(environment)
  const bases = [await makeBase(citewell, 'Acme'), await makeBase(citewell, 'Other')]
  const runs: Evaluation[] = []
  for (const base of bases)
    runs.push(await citewell.json<Evaluation>('POST', `/api/v1/knowledge-bases/${base}/evaluations`))
  const read = () =>
    Promise.all(runs.map(({ id }) => citewell.json<Evaluation>('GET', `/api/v1/evaluations/${id}`)))
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const completed = kill * BETWEEN
    await until(read, (found) => found.every((run) => run.completed >= completed), 30)
    await citewell.kill()
    citewell = await startCitewell(environment)
    // What was answered stays.
    expect((await read()).every((run) => run.completed >= completed)).toBe(true)
  }
  const ended = await until(read, (found) => found.every(({ status }) => status === 'succeeded'), 60)
  expect(ended).toMatchObject(runs.map(() => ({ completed: QUESTIONS, total: QUESTIONS })))
  // A question is asked again only if the process ended while it was.
  expect(llm.requests.length).toBeLessThanOrEqual((QUESTIONS + KILLS) * bases.length)
  expect(await citewell.stop()).toBe(0)
}, 900_000)
