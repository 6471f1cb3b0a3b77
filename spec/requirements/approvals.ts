import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/approvals/approvals.ts'

export const APPROVALS = {
  'approvals.records': {
    says: 'Approvals are created, listed, read, decided and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'approvals.decision-values': {
    says: 'A decision is approved or rejected.',
    spec: 'interface#other-rules',
    lives: 'contract/src/closed-lists.ts',
  },
  'approvals.once': {
    says: 'An approval is decided once; another decision is a conflict.',
    spec: 'open-items#error-body',
    lives,
  },
  'approvals.actions-valid': {
    says: 'Declared actions that are not as they should be are refused when the agent app is saved.',
    spec: 'interface#events',
    lives: 'service/src/channels/integrations/agent-app.ts',
  },
  'approvals.actions': {
    says: 'A declared action that was approved is carried out once, as it was edited; what became of it is on the approval. It is never carried out without a decision, nor again by itself.',
    spec: 'interface#events',
    lives: 'service/src/channels/approvals',
  },
  'approvals.zero-retention': {
    says: 'Under zero data retention an approval is stored encrypted for as long as it waits, at most 72 hours, and deleted 15 minutes after it is decided and carried out, or has expired.',
    spec: 'interface#thread-and-message',
    lives: 'service/src/channels/approvals/approval-texts.ts',
  },
  'approvals.masked': {
    says: 'Where personal data is masked, an approval is stored as it was written only encrypted and while it waits; masked, it stays.',
    spec: 'interface#knowledge-base-1',
    lives: 'service/src/channels/approvals/approval-texts.ts',
  },
} as const satisfies Record<string, Requirement>
