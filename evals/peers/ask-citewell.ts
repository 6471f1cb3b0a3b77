import { join } from 'node:path'
import { startKeptService } from '../../service/test/start-kept-service.ts'
import { createAsker } from '../asking/ask-question.ts'
import { loadBase } from '../asking/load-base.ts'
import { createServiceCalls } from '../asking/service-calls.ts'
import type { Question } from '../sets/read-set.ts'
import { SEARCHED, type BasePlan } from '../sets/set-plan.ts'

/** The service on the same index, asked as anybody would ask it. */
export async function askCitewell(plan: BasePlan, keptData: string, set: string) {
  const service = await startKeptService(join(keptData, set), {
    models: join(keptData, 'models'),
    isFresh: false,
  })
  const calls = createServiceCalls({ ...service, signal: new AbortController().signal })
  const base = await loadBase(plan, calls, () => {})
  const ask = createAsker(base, calls)
  const find = async (question: Question): Promise<string[]> => {
    const { results } = await ask(question, SEARCHED)
    return results?.map(({ page }) => page) ?? []
  }
  return { find, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}
