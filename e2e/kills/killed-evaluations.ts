import { fakeLlm, type FakeLlm } from '../../service/test/fake-llm.ts'
import { until, type RunningCitewell } from '../run-citewell.ts'
import { KILLS, SECONDS_TO_END, type KilledWork } from './killed-work.ts'

/** Answered before each kill, and after the last. */
export const BETWEEN = 2
const TEXT = 'Signing keys are rotated every day at midnight.'
const NAMES = ['Acme', 'Other']
export const QUESTIONS = BETWEEN * (KILLS + 1)

export interface Evaluation {
  id: string
  status: string
  completed: number
  total: number
}

/** A model that answers so many questions of each base, and leaves the next one waiting, which gives up when its time is over. */
export function createHoldingModel() {
  let allowed = 0
  let goOn = Promise.withResolvers<void>()
  const asked = new Map(NAMES.map((name) => [name, new Set<string>()]))
  let requests = 0
  return {
    behaviour: async (exchange: Parameters<ReturnType<typeof fakeLlm.says>>[0]) => {
      const text = JSON.stringify(exchange.request.body.messages)
      const [question = '', name = ''] = /keys of (\w+) rotated in region \d+/.exec(text) ?? []
      const ofBase = asked.get(name)
      if (ofBase !== undefined) {
        requests += 1
        ofBase.add(question)
        while (ofBase.size > allowed) await goOn.promise
      }
      await fakeLlm.says(`${TEXT} [1]`)(exchange)
    },
    /** Questions of each base that it answers from now on. */
    allow: (count: number) => {
      allowed = count
      goOn.resolve()
      goOn = Promise.withResolvers()
    },
    /** Whether it is asked a question of each base that it does not answer yet. */
    isHolding: () => [...asked.values()].every(({ size }) => size > allowed),
    requests: () => requests,
  }
}

export interface KilledEvaluations extends KilledWork {
  /** What was there right after each start. */
  found: Evaluation[][]
  ended: Evaluation[]
}

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

/** Evaluations of two bases beside each other, each ended in the middle of a question. */
export async function startKilledEvaluations(
  citewell: RunningCitewell,
  model: ReturnType<typeof createHoldingModel>,
  llm: FakeLlm,
): Promise<KilledEvaluations> {
  const runs: Evaluation[] = []
  for (const name of NAMES) {
    const base = await makeBase(citewell, name)
    runs.push(await citewell.json<Evaluation>('POST', `/api/v1/knowledge-bases/${base}/evaluations`))
  }
  const read = async (now: RunningCitewell) =>
    await Promise.all(runs.map(({ id }) => now.json<Evaluation>('GET', `/api/v1/evaluations/${id}`)))
  const works: KilledEvaluations = {
    found: [],
    ended: [],
    begin: async (now, round) => {
      model.allow(BETWEEN * (round + 1))
      const isThere = (found: Evaluation[]) =>
        found.every(({ completed }) => completed >= BETWEEN * (round + 1)) && model.isHolding()
      await until(() => read(now), isThere, SECONDS_TO_END)
    },
    look: async (now) => {
      works.found.push(await read(now))
    },
    end: async (now) => {
      model.allow(QUESTIONS)
      const isOver = (found: Evaluation[]) => found.every(({ status }) => status === 'succeeded')
      works.ended = await until(() => read(now), isOver, SECONDS_TO_END)
    },
    [Symbol.asyncDispose]: async () => await llm[Symbol.asyncDispose](),
  }
  return works
}
