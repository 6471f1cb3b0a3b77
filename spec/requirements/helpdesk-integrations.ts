import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/integrations'

export const HELPDESK_INTEGRATIONS = {
  'helpdesk-integrations.records': {
    says: 'Help-desk integrations are created, listed, read, changed and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'helpdesk-integrations.counted': {
    says: 'The deletion preview counts help-desk integrations, and a deletion takes them along.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'helpdesk-integrations.answer-tickets': {
    says: 'Helpdesk automation answers from the knowledge base.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/tickets',
  },
  'helpdesk-integrations.public-documents-only': {
    says: 'Customers are answered from public documents alone, and not at all from an internal knowledge base.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/tickets',
  },
} as const satisfies Record<string, Requirement>
