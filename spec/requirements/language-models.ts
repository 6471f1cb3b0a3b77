import type { Requirement } from '../requirement.ts'

const lives = 'service/src/accounts/language-models/language-models.ts'

export const LANGUAGE_MODELS = {
  'language-models.own': {
    says: 'A workspace can set its own model, which answers from the next question on; without one that of the instance answers.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/language-models/workspace-models.ts',
  },
  'language-models.key-not-returned': {
    says: 'The key of the provider is never returned: only that there is one, and its last four characters.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'language-models.key-sealed': {
    says: 'The key is stored sealed, bound to its row: in another row it does not open.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/platform/secrets/sealed.ts',
  },
  'language-models.key-stays-home': {
    says: 'A new address on another host forgets the key unless it is sent along.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'language-models.guarded': {
    says: 'The address of a workspace’s model is a customer’s: private networks are not reached.',
    spec: 'open-items#5-running-it',
    lives: 'service/src/app/compose-platform.ts',
  },
  'language-models.tried': {
    says: 'Owners and admins try a model before its answers fail for readers: whether it answers, how fast, and what is wrong in plain words; nothing is stored.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/accounts/language-models/try-model.ts',
  },
  'language-models.merged': {
    says: 'What is sent of the model is changed, the rest stays; null goes back to that of the instance.',
    spec: 'open-items#1-conventions',
    lives,
  },
} as const satisfies Record<string, Requirement>
