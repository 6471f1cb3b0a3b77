import { PLANS, type Plan } from '@citewell/contract/limits'

export type { Plan } from '@citewell/contract/limits'

/** Knowledge bases that are not archived; null for no limit. */
export function maxKnowledgeBases(plan: Plan): number | null {
  return PLANS[plan].knowledgeBases
}

export function allowsSourceGroups(plan: Plan): boolean {
  return PLANS[plan].sourceGroups
}
