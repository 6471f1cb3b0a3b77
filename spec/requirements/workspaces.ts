import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/workspaces/workspaces.ts'
const changing = 'service/src/accounts/workspaces/workspace-change.ts'

export const WORKSPACES = {
  'workspaces.first-start': {
    says: 'A first start on empty storage makes one workspace and its owner, once, however many processes start.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'workspaces.bootstrap-token': {
    says: "CITEWELL_BOOTSTRAP_TOKEN becomes the first owner's first access token; without it a one-time set-up link is printed.",
    spec: 'open-items#2-management-api',
    lives,
  },
  'workspaces.setup-link-once': {
    says: 'The set-up link opens the dashboard, or gives one access token, to the first who uses it, within an hour.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'workspaces.first-plan': {
    says: 'CITEWELL_PLAN is the plan of the first workspace.',
    spec: 'open-items#5-running-it',
    lives,
  },
  'workspaces.me': {
    says: 'GET /me tells who calls, with every workspace the person is in and the role there.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'workspaces.read': {
    says: 'Every member reads the workspace: name, plan, allowance, retention, and its model without the key.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/workspaces/present-workspace.ts',
  },
  'workspaces.change': {
    says: 'Owners and admins change the name and zero data retention; what is not sent stays.',
    spec: 'open-items#2-management-api',
    lives: changing,
  },
  'workspaces.llm': {
    says: 'Owners and admins set the language model of the workspace; its key is never returned.',
    spec: 'open-items#2-management-api',
    lives: changing,
  },
  'workspaces.contains-bases': {
    says: 'A workspace contains its knowledge bases and nothing of another workspace.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/accounts/knowledge-bases/knowledge-bases.ts',
  },
  'workspaces.operator-sets-plan': {
    says: 'The plan and the monthly allowance are set by the instance operator alone: an owner is refused.',
    spec: 'open-items#2-management-api',
    lives: changing,
  },
  'workspaces.operator-makes': {
    says: 'The operator lists and makes workspaces of the instance; a new one comes with a link for its first owner. Nobody else may, a session never.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/workspaces/instance-workspaces.ts',
  },
  'workspaces.suspended': {
    says: 'The operator suspends a workspace: its bases are archived, and none is made or restored there; resuming restores those that were active.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/knowledge-bases/suspension.ts',
  },
  'workspaces.operator-is': {
    says: 'A token of the command line or the bootstrap token is the operator’s; what it makes is not.',
    spec: 'open-items#2-management-api',
    lives,
  },
} as const satisfies Record<string, Requirement>
