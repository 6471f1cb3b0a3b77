import type { Child } from '../processes/child.ts'
import { writeQuestion } from '../store/write-page.ts'
import type { Store } from '../store/store-folder.ts'
import type { RequestPlan } from './measure-requests.ts'

/** Seeds of the questions of a plan: no two plans of a run ask the same questions. */
let nextSeed = 1

const SEEDS_OF_A_PLAN = 1_000_000
const PER_SECOND = 10

/** Questions about the pages of a store, over its public API, with or without a group filter. */
export function searchPlan(address: string, store: Store, groupIds?: readonly string[]): RequestPlan {
  const firstSeed = nextSeed
  nextSeed += SEEDS_OF_A_PLAN
  return {
    target: {
      address,
      path: `/api/v1/public/knowledge-bases/${store.baseId}/search`,
      headers: { 'content-type': 'application/json', 'x-client-key': store.key },
    },
    bodyOf: (number) =>
      JSON.stringify({ query: writeQuestion(store.pages, firstSeed + number), group_ids: groupIds }),
    perSecond: PER_SECOND,
  }
}

/** The same requests to a bare server, which answers with the same number of bytes. */
export async function barePlan(bare: Child, store: Store): Promise<RequestPlan> {
  return searchPlan(await bare.ask<string>('listen', ''), store)
}
