import type { FakeModel } from '../processes/start-children.ts'
import type { Store } from '../store/store-folder.ts'
import { searchPlan } from './search-plans.ts'
import type { RequestPlan } from './measure-requests.ts'

/** Settings for a service whose answers the fake model writes. */
export const withModel = ({ baseUrl }: FakeModel) => ({
  CITEWELL_LLM_BASE_URL: baseUrl,
  CITEWELL_LLM_MODEL: 'bench',
})

/** Questions about the pages of a store, over the public chat. */
export function chatPlan(address: string, store: Store): RequestPlan {
  const plan = searchPlan(address, store)
  return { ...plan, target: { ...plan.target, path: plan.target.path.replace(/search$/, 'chat') } }
}
