import type { Requirement } from '../requirement.ts'

export const AGENT_APPS = {
  'agent-apps.records': {
    says: 'Agent apps are created, listed, read, changed and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/integrations/integration-records.ts',
  },
  'agent-apps.counted': {
    says: 'The deletion preview counts agent apps, and a deletion takes them along.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/integrations/integrations.ts',
  },
} as const satisfies Record<string, Requirement>
