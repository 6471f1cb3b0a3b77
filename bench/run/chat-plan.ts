import type { FakeModel } from '../processes/start-children.ts'
import type { Store } from '../store/store-folder.ts'
import { searchPlan } from './search-plans.ts'
import type { RequestPlan } from './measure-requests.ts'

/** Settings of a service that has its answers written by the fake model. */
export const withModel = ({ baseUrl }: FakeModel) => ({
  CITEWELL_LLM_BASE_URL: baseUrl,
  CITEWELL_LLM_MODEL: 'bench',
})

/** Questions to the pages of a store, over the public chat. */
export function chatPlan(address: string, store: Store): RequestPlan {
  const plan = searchPlan(address, store)
  return { ...plan, target: { ...plan.target, path: plan.target.path.replace(/search$/, 'chat') } }
}
