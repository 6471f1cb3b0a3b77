import type { Requirement } from '../requirement.ts'

const bases = 'service/src/accounts/knowledge-bases/knowledge-bases.ts'
const counting = 'service/src/accounts/knowledge-bases/knowledge-bases-store.ts'
const limits = 'contract/src/limits.ts'

export const PLANS = {
  'plans.free-one': {
    says: 'The Free plan has one knowledge base that is not archived: the second is 403 PROJECT_LIMIT_REACHED.',
    spec: 'interface#limits',
    lives: bases,
  },
  'plans.pro-five': { says: 'The Pro plan has five.', spec: 'interface#limits', lives: limits },
  'plans.enterprise-unlimited': {
    says: 'The Enterprise plan has no limit.',
    spec: 'interface#limits',
    lives: limits,
  },
  'plans.archived-not-counted': {
    says: 'Archived bases do not count; restoring one counts again, and is refused where there is no room.',
    spec: 'interface#limits',
    lives: bases,
  },
  'plans.holds-in-parallel': {
    says: 'Of 50 parallel creations, and of 20 parallel restores, exactly as many succeed as the plan allows.',
    spec: 'interface#limits',
    lives: counting,
  },
  'plans.holds-on-two-processes': {
    says: 'The same with two processes on one PostgreSQL server.',
    spec: 'interface#limits',
    lives: counting,
  },
  'plans.storage': {
    says: 'A workspace stores as much as its plan, or the operator’s number, allows, also when many add at once: what would go past it is 403 PLAN_REQUIRED, and a page of a sync fails by itself. What is deleted makes room.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/storage-quota/storage-quota.ts',
  },
  'plans.source-groups': {
    says: 'Making a source group needs the Enterprise plan: else 403 PLAN_REQUIRED, also 50 times at once.',
    spec: 'interface#limits',
    lives: 'service/src/content/source-groups/source-groups.ts',
  },
  'plans.changed-plan': {
    says: 'A plan that the operator changes counts at the next creation; what is there stays.',
    spec: 'open-items#2-management-api',
    lives: bases,
  },
} as const satisfies Record<string, Requirement>
