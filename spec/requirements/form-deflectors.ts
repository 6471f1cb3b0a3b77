import type { Requirement } from '../requirement.ts'

const records = 'service/src/channels/form-deflectors/form-deflectors.ts'
const deflections = 'service/src/channels/form-deflectors/deflections.ts'
const routes = 'service/src/channels/form-deflectors/form-deflect-routes.ts'

export const FORM_DEFLECTORS = {
  'form-deflectors.records': {
    says: 'Form deflectors of a base are listed, made, read, changed and deleted.',
    spec: 'open-items#2-management-api',
    lives: records,
  },
  'form-deflectors.of-own-workspace': {
    says: 'They are seen by their own workspace alone, and an internal base has none.',
    spec: 'open-items#2-management-api',
    lives: records,
  },
  'form-deflectors.counted': {
    says: 'The deletion preview counts them.',
    spec: 'open-items#2-management-api',
    lives: records,
  },
  'form-deflectors.answer': {
    says: 'form-deflect answers with answered, skipped_reason, answer, citations, confidence, conversation_id and message_id.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: routes,
  },
  'form-deflectors.too-short': {
    says: 'Too short a text is skipped as too_short.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
  'form-deflectors.low-confidence': {
    says: 'An answer that is not sure enough is skipped as low_confidence.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
  'form-deflectors.stream': {
    says: 'With Accept: text/event-stream the chat frames come instead.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: routes,
  },
  'form-deflectors.outcome': {
    says: 'The outcome, deflected or submitted, is told with 204; a later one replaces it.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
  'form-deflectors.outcome-event': {
    says: 'An outcome is announced as deflection.completed, with conversation, confidence and whether it was deflected.',
    spec: 'interface#events',
    lives: deflections,
  },
  'form-deflectors.bound-to-key': {
    says: 'The outcome of a conversation is told by the key that began it.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
  'form-deflectors.form-and-groups': {
    says: 'form_id names a form of the base that is on; group_ids narrow as everywhere.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
  'form-deflectors.ids-can-be-rated': {
    says: 'Its message can be rated.',
    spec: 'interface#feedback-rules',
    lives: routes,
  },
  'form-deflectors.zero-retention': {
    says: 'Under zero data retention it has no ids, and nothing is kept.',
    spec: 'interface#thread-and-message',
    lives: deflections,
  },
  'form-deflectors.long-text': {
    says: 'Of a long text the first 4,000 characters are asked.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: deflections,
  },
} as const satisfies Record<string, Requirement>
